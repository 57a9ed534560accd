import {
  AcceleratorType,
  AcceleratorVendor,
  Architecture,
  CustomAcceleratorType,
  GpuSharing,
} from "../../lib/accelerators";

const FACTS: CustomAcceleratorType = {
  instanceType: "p9.48xlarge",
  architecture: Architecture.X86_64,
  vcpus: 192,
  memoryMib: 2097152,
  vendor: AcceleratorVendor.NVIDIA,
  model: "H100",
  acceleratorCount: 8,
  acceleratorMemoryMib: 81920,
  enisOnCard0: 4,
  ipv4PerEni: 50,
};

const NEURON: CustomAcceleratorType = {
  ...FACTS,
  instanceType: "trn9.48xlarge",
  vendor: AcceleratorVendor.AWS_NEURON,
  model: "Trainium9",
  acceleratorCount: 16,
};

test("a custom type answers like one of the catalogue", () => {
  const type = AcceleratorType.custom({
    ...FACTS,
    networkCards: 4,
    efaCards: [3, 1, 2],
    nvmeDisks: 8,
    nvmeTotalGb: 30400,
    maxEbsIops: 260000,
    maxEbsThroughputMbps: 1187.5,
    supportsSpot: false,
    supportsCapacityBlock: true,
    supportsClusterPlacement: false,
  });
  const { enisOnCard0, ipv4PerEni, ...kept } = FACTS;
  expect([type._enisOnCard0, type._ipv4PerEni]).toEqual([enisOnCard0, ipv4PerEni]);
  expect({ ...type }).toMatchObject({
    ...kept,
    resourceName: "nvidia.com/gpu",
    acceleratorLabel: "nvidia-h100",
    networkCards: 4,
    efaCards: [1, 2, 3],
    hugepages2MibWithEfa: 5128,
    nvmeDisks: 8,
    nvmeTotalGb: 30400,
    maxEbsIops: 260000,
    maxEbsThroughputMbps: 1187.5,
    supportsSpot: false,
    supportsCapacityBlock: true,
    supportsClusterPlacement: false,
    neuronCoreCount: 0,
  });
  expect(type.maxPods(1)).toBe(3 * 49 + 2);
  expect(AcceleratorType.isAcceleratorType(type)).toBe(true);
  expect(GpuSharing.mig("1g.10gb")._advertisedCount(type)).toBe(56);
});

test("facts left out are the ones of a plain single-card type", () => {
  expect({ ...AcceleratorType.custom(FACTS) }).toMatchObject({
    networkCards: 1,
    efaCards: [],
    hugepages2MibWithEfa: 0,
    nvmeDisks: 0,
    nvmeTotalGb: 0,
    maxEbsIops: undefined,
    maxEbsThroughputMbps: undefined,
    supportsSpot: true,
    supportsCapacityBlock: false,
    supportsClusterPlacement: true,
    onDemandUsdPerHour: undefined,
    _incomplete: undefined,
    _fractional: false,
  });
});

test("a custom type does not enter the catalogue", () => {
  AcceleratorType.custom(FACTS);
  expect(AcceleratorType.find(FACTS.instanceType)).toBeUndefined();
});

test("a type that the catalogue knows in part may be supplied in full", () => {
  const type = AcceleratorType.custom({
    ...FACTS,
    instanceType: "p6e-gb200.36xlarge",
    architecture: Architecture.ARM64,
    model: "GB200",
  });
  expect(type._incomplete).toBeUndefined();
  expect(type.vcpus).toBe(192);
});

test("a label of the user's own is kept", () => {
  expect(AcceleratorType.custom({ ...FACTS, acceleratorLabel: "nvidia-h100-80gb" }).acceleratorLabel).toBe(
    "nvidia-h100-80gb",
  );
});

test.each([
  ["Trainium9", 6, 96],
  ["Trainium2", undefined, 64],
  ["Inferentia", undefined, 64],
])("NeuronCores of %s (given per device: %p) come to %i", (model, neuronCoresPerDevice, cores) => {
  const type = AcceleratorType.custom({ ...NEURON, model, neuronCoresPerDevice });
  expect(type.neuronCoreCount).toBe(cores);
  expect(type.acceleratorLabel).toBeUndefined();
});

test.each<[Partial<CustomAcceleratorType>, string]>([
  [
    { instanceType: "P9.48xlarge" },
    "instanceType must be an EC2 name such as p7.48xlarge, in lower case, got: P9.48xlarge",
  ],
  [{ instanceType: "p9" }, "instanceType must be an EC2 name such as p7.48xlarge, in lower case, got: p9"],
  [
    { instanceType: "p9.0xlarge" },
    "instanceType must be an EC2 name such as p7.48xlarge, in lower case, got: p9.0xlarge",
  ],
  [
    { instanceType: "g6.12xlarge" },
    "instanceType must be one that the catalogue lacks, got: g6.12xlarge; name it in instanceTypes instead",
  ],
  [{ vcpus: 0 }, "vcpus must be a whole number of at least 1, got: 0"],
  [{ memoryMib: 1.5 }, "memoryMib must be a whole number of at least 1, got: 1.5"],
  [{ acceleratorCount: -1 }, "acceleratorCount must be a whole number of at least 1, got: -1"],
  [{ acceleratorMemoryMib: Infinity }, "acceleratorMemoryMib must be a whole number of at least 1, got: Infinity"],
  [{ enisOnCard0: NaN }, "enisOnCard0 must be a whole number of at least 1, got: NaN"],
  [{ networkCards: 0 }, "networkCards must be a whole number of at least 1, got: 0"],
  [{ ipv4PerEni: 1 }, "ipv4PerEni must be a whole number of at least 2, got: 1"],
  [{ maxEbsIops: 0 }, "maxEbsIops must be a whole number of at least 1, got: 0"],
  [{ maxEbsThroughputMbps: 0 }, "maxEbsThroughputMbps must be a number above 0, got: 0"],
  [{ efaCards: [1] }, "efaCards must be card indices from 0 to 0 (networkCards is 1), got: 1"],
  [
    { networkCards: 4, efaCards: [-1, 0.5, 3, 4] },
    "efaCards must be card indices from 0 to 3 (networkCards is 4), got: -1, 0.5, 4",
  ],
  [{ networkCards: 4, efaCards: [1, 2, 1] }, "efaCards must name each card once (a card takes one EFA), got twice: 1"],
  [
    { efaCards: [0], enisOnCard0: 1 },
    "enisOnCard0 must be at least 2 where card 0 takes an EFA beside the primary interface, got: 1",
  ],
  [{ nvmeDisks: 1.5, nvmeTotalGb: 100 }, "nvmeDisks must be a whole number of at least 0, got: 1.5"],
  [{ nvmeDisks: 1, nvmeTotalGb: -100 }, "nvmeTotalGb must be a number of at least 0, got: -100"],
  [{ nvmeDisks: 2 }, "nvmeDisks and nvmeTotalGb must both be given or both be left out, got: 2 disks and 0 GB"],
  [{ nvmeTotalGb: 900 }, "nvmeDisks and nvmeTotalGb must both be given or both be left out, got: 0 disks and 900 GB"],
  [{ model: " " }, 'model must be the accelerator\'s name, for example "H100", got: " "'],
  [
    { acceleratorLabel: "nvidia/h100" },
    "acceleratorLabel must be a Kubernetes label value (1 to 63 letters, digits, '-', '_' or '.', " +
      "letter or digit at both ends), got: nvidia/h100",
  ],
  [
    { vendor: AcceleratorVendor.AMD, acceleratorLabel: "amd-mi300" },
    "acceleratorLabel is for NVIDIA only (Cluster Autoscaler would wait for nvidia.com/gpu for ever), " +
      "got: amd-mi300 with AMD; leave it out",
  ],
  [{ neuronCoresPerDevice: 2 }, "neuronCoresPerDevice is for AWS Neuron only, got: 2 with NVIDIA; leave it out"],
  [
    { vendor: AcceleratorVendor.AWS_NEURON, model: "Trainium9" },
    "neuronCoresPerDevice must be given for the AWS Neuron model Trainium9, got: nothing; " +
      "the AWS Neuron documentation states it per device",
  ],
  [
    { vendor: AcceleratorVendor.AWS_NEURON, model: "Trainium2", neuronCoresPerDevice: 8 },
    "neuronCoresPerDevice of Trainium2 is known to be 4, got: 8; leave it out",
  ],
])("facts that do not fit are refused: %p", (change, problem) => {
  const facts = { ...FACTS, ...change };
  expect(() => AcceleratorType.custom(facts)).toThrow(
    new Error(`the facts of custom instance type ${facts.instanceType} do not fit together:\n  - ${problem}`),
  );
});

test.each<[{ [fact: string]: unknown }, string]>([
  [{ vcpus: "8" }, 'vcpus must be a whole number of at least 1, got: "8"'],
  [{ ipv4PerEni: "50" }, 'ipv4PerEni must be a whole number of at least 2, got: "50"'],
  [{ maxEbsThroughputMbps: "100" }, 'maxEbsThroughputMbps must be a number above 0, got: "100"'],
  [{ nvmeDisks: "1" }, 'nvmeDisks must be a whole number of at least 0, got: "1"'],
  [{ nvmeDisks: 1, nvmeTotalGb: "900" }, 'nvmeTotalGb must be a number of at least 0, got: "900"'],
  [{ architecture: "amd64" }, 'architecture must be one of x86_64, arm64, got: "amd64"'],
  [{ vendor: "nvidia" }, 'vendor must be one of NVIDIA, AWS Neuron, AMD, Habana, Qualcomm, Xilinx, got: "nvidia"'],
  [{ supportsSpot: "no" }, 'supportsSpot must be true or false, got: "no"'],
  [{ supportsCapacityBlock: 1 }, "supportsCapacityBlock must be true or false, got: 1"],
  [{ supportsClusterPlacement: "false" }, 'supportsClusterPlacement must be true or false, got: "false"'],
  [{ efaCards: 0 }, "efaCards must be a list of card indices, got: 0"],
  [{ model: 100 }, 'model must be the accelerator\'s name, for example "H100", got: 100'],
  [
    { acceleratorLabel: 100 },
    "acceleratorLabel must be a Kubernetes label value (1 to 63 letters, digits, '-', '_' or '.', " +
      "letter or digit at both ends), got: 100",
  ],
])("facts of another form are refused: %j", (change, problem) => {
  expect(() => AcceleratorType.custom({ ...FACTS, ...change })).toThrow(
    new Error(`the facts of custom instance type p9.48xlarge do not fit together:\n  - ${problem}`),
  );
});

test("all inconsistencies come in one error", () => {
  expect(() => AcceleratorType.custom({ ...FACTS, vcpus: 0, efaCards: [7], nvmeDisks: 1 })).toThrow(
    new Error(
      [
        "the facts of custom instance type p9.48xlarge do not fit together:",
        "  - vcpus must be a whole number of at least 1, got: 0",
        "  - efaCards must be card indices from 0 to 0 (networkCards is 1), got: 7",
        "  - nvmeDisks and nvmeTotalGb must both be given or both be left out, got: 1 disks and 0 GB",
      ].join("\n"),
    ),
  );
});

test.each(["u-p6e-gb200x72.metal", "p9.metal-48xl", "g9f.large", "g9.xlarge", "trn9-a.3xlarge"])(
  "%s is a name that EC2 could give",
  (instanceType) => {
    expect(AcceleratorType.custom({ ...FACTS, instanceType }).instanceType).toBe(instanceType);
  },
);
