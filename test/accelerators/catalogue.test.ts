import { AcceleratorType, AcceleratorVendor, Architecture } from "../../lib/accelerators";

const types = AcceleratorType.all();
const complete = types.filter((type) => type._incomplete === undefined);

function namesOf(selected: AcceleratorType[]): string[] {
  return selected.map((type) => type.instanceType).sort();
}

test("the catalogue holds 92 types under 92 names", () => {
  expect(new Set(types.map((type) => type.instanceType)).size).toBe(92);
  expect(types).toHaveLength(92);
});

describe.each(types.map((type) => [type.instanceType, type] as const))("%s", (name, type) => {
  test("is found by its name, as one and the same object", () => {
    expect(AcceleratorType.find(name)).toBe(type);
    expect(AcceleratorType.of(name)).toBe(type);
  });

  test("has accelerators with a resource name of their vendor", () => {
    const prefix = {
      [AcceleratorVendor.NVIDIA]: "nvidia.com/gpu",
      [AcceleratorVendor.AWS_NEURON]: "aws.amazon.com/neuron",
      [AcceleratorVendor.AMD]: "amd.com/gpu",
      [AcceleratorVendor.HABANA]: "habana.ai/gaudi",
      [AcceleratorVendor.QUALCOMM]: "qualcomm.com/qaic",
      [AcceleratorVendor.XILINX]: "xilinx.com/fpga-xilinx_u30_gen3x4_base_1-0",
    };
    expect(type.resourceName).toBe(prefix[type.vendor]);
    expect(type.model).not.toBe("");
    expect([1, 2, 4, 6, 8, 12, 16]).toContain(type.acceleratorCount);
  });

  test("counts NeuronCores if and only if it is Neuron", () => {
    expect(type.neuronCoreCount > 0).toBe(type.vendor === AcceleratorVendor.AWS_NEURON);
  });

  test("carries the accelerator label if and only if it is NVIDIA", () => {
    if (type.vendor === AcceleratorVendor.NVIDIA) {
      expect(type.acceleratorLabel).toMatch(/^nvidia-[a-z0-9]+(-[a-z0-9]+)*$/);
    } else {
      expect(type.acceleratorLabel).toBeUndefined();
    }
  });

  test("names each EFA card once, in ascending order, among its network cards", () => {
    expect(type.networkCards).toBeGreaterThanOrEqual(1);
    expect(type.networkCards).toBeLessThanOrEqual(32);
    expect(type.efaCards).toEqual([...new Set(type.efaCards)].sort((a, b) => a - b));
    expect(type.efaCards.every((card) => Number.isInteger(card) && card >= 0 && card < type.networkCards)).toBe(true);
  });

  test("reserves the EFA driver's huge pages if and only if it has EFA", () => {
    expect(type.hugepages2MibWithEfa).toBe(type.efaCards.length > 0 ? 5128 : 0);
  });

  test("has instance store of a size that its disks can have", () => {
    const gbPerDisk = type.nvmeDisks === 0 ? 0 : type.nvmeTotalGb / type.nvmeDisks;
    expect(type.nvmeTotalGb > 0).toBe(type.nvmeDisks > 0);
    expect(Number.isInteger(gbPerDisk)).toBe(true);
    expect(gbPerDisk).toBeLessThanOrEqual(3800);
  });
});

describe.each(complete.map((type) => [type.instanceType, type] as const))("%s", (_, type) => {
  test("has processors and memory in the proportions that EC2 sells", () => {
    expect(type.vcpus % 2).toBe(0);
    expect(type.memoryMib % 1024).toBe(0);
    const gibPerVcpu = type.memoryMib / 1024 / type.vcpus;
    expect(gibPerVcpu).toBeGreaterThanOrEqual(2);
    expect(gibPerVcpu).toBeLessThanOrEqual(22);
    expect(type.acceleratorMemoryMib).toBeGreaterThanOrEqual(2861);
    expect(type.acceleratorMemoryMib).toBeLessThanOrEqual(275040);
  });

  test("gives addresses to at least 8 pods, one interface's worth fewer with an EFA on card 0", () => {
    expect(type.maxPods(0)).toBeGreaterThanOrEqual(8);
    expect(type.maxPods(0)).toBeLessThanOrEqual(1514);
    const lost = type.maxPods(0) - type.maxPods(1);
    expect(type.maxPods(0) - 2).toBe(lost * type._enisOnCard0);
  });

  test("has EBS limits", () => {
    expect(type.maxEbsIops).toBeGreaterThanOrEqual(10000);
    expect(type.maxEbsIops).toBeLessThanOrEqual(400000);
    expect(type.maxEbsThroughputMbps).toBeGreaterThanOrEqual(200);
    expect(type.maxEbsThroughputMbps).toBeLessThanOrEqual(12500);
  });
});

test("only p6e-gb200.36xlarge is incomplete, and it says what to supply", () => {
  const incomplete = types.filter((type) => type._incomplete !== undefined);
  expect(namesOf(incomplete)).toEqual(["p6e-gb200.36xlarge"]);
  expect(incomplete[0]._incomplete).toBe(
    "vCPUs, memory, accelerator memory, network interfaces: supply them with AcceleratorType.custom({ ... })",
  );
  expect(incomplete[0]).toMatchObject({ vcpus: 0, memoryMib: 0, acceleratorMemoryMib: 0, acceleratorCount: 4 });
});

test("max pods of a type with unknown interfaces is refused", () => {
  expect(() => AcceleratorType.of("p6e-gb200.36xlarge").maxPods(0)).toThrow(
    "max pods of p6e-gb200.36xlarge cannot be computed, unknown: vCPUs, memory, accelerator memory, " +
      "network interfaces: supply them with AcceleratorType.custom({ ... })",
  );
});

test("Capacity Blocks offer p4d, p4de, p5, p5e, p5en, p6, trn1.32xlarge and trn2", () => {
  expect(namesOf(types.filter((type) => type.supportsCapacityBlock))).toEqual([
    "p4d.24xlarge",
    "p4de.24xlarge",
    "p5.48xlarge",
    "p5.4xlarge",
    "p5e.48xlarge",
    "p5en.48xlarge",
    "p6-b200.48xlarge",
    "p6-b300.48xlarge",
    "p6e-gb200.36xlarge",
    "trn1.32xlarge",
    "trn2.3xlarge",
    "trn2.48xlarge",
  ]);
});

test("only UltraServer capacity is never sold as spot", () => {
  expect(namesOf(types.filter((type) => !type.supportsSpot))).toEqual(["p6e-gb200.36xlarge"]);
});

test("only vt1 takes no cluster placement group", () => {
  expect(namesOf(types.filter((type) => !type.supportsClusterPlacement))).toEqual([
    "vt1.24xlarge",
    "vt1.3xlarge",
    "vt1.6xlarge",
  ]);
});

test("46 types take EFA, and all but two families have one on card 0", () => {
  const withEfa = types.filter((type) => type.efaCards.length > 0);
  expect(withEfa).toHaveLength(46);
  expect(namesOf(withEfa.filter((type) => !type.efaCards.includes(0)))).toEqual([
    "p6-b300.48xlarge",
    "p6e-gb200.36xlarge",
  ]);
});

test.each([
  ["g6f.large", 2861],
  ["g6f.xlarge", 2861],
  ["g6f.2xlarge", 5722],
  ["g6f.4xlarge", 11444],
  ["gr6f.4xlarge", 11444],
])("%s advertises its slice of an L4 as one device of %i MiB", (name, mib) => {
  expect(AcceleratorType.of(name)).toMatchObject({ acceleratorCount: 1, acceleratorMemoryMib: mib, _fractional: true });
});

test("whole GPUs are no slices", () => {
  expect(namesOf(types.filter((type) => type._fractional))).toEqual([
    "g6f.2xlarge",
    "g6f.4xlarge",
    "g6f.large",
    "g6f.xlarge",
    "gr6f.4xlarge",
  ]);
});

test.each([
  ["g4dn.xlarge", 0, 29],
  ["g5.xlarge", 0, 58],
  ["g5.48xlarge", 0, 345],
  ["p3.2xlarge", 0, 58],
  ["p4d.24xlarge", 0, 737],
  ["p4d.24xlarge", 1, 688],
  ["p5.48xlarge", 0, 100],
  ["p5.48xlarge", 1, 51],
])("%s with %i EFA on card 0 has addresses for %i pods", (name, efas, pods) => {
  expect(AcceleratorType.of(name).maxPods(efas)).toBe(pods);
});

test.each([
  ["inf1.24xlarge", 64],
  ["inf2.48xlarge", 24],
  ["trn1.32xlarge", 32],
  ["trn2.3xlarge", 4],
  ["trn2.48xlarge", 64],
  ["g5.xlarge", 0],
])("%s advertises %i NeuronCores", (name, cores) => {
  expect(AcceleratorType.of(name).neuronCoreCount).toBe(cores);
});

test.each([
  ["p3.2xlarge", "nvidia-tesla-v100"],
  ["g4dn.xlarge", "nvidia-tesla-t4"],
  ["p4d.24xlarge", "nvidia-tesla-a100"],
  ["g5g.xlarge", "nvidia-t4g"],
  ["g5.xlarge", "nvidia-a10g"],
  ["g6.xlarge", "nvidia-l4"],
  ["g6e.xlarge", "nvidia-l40s"],
  ["p5.48xlarge", "nvidia-h100"],
  ["p5en.48xlarge", "nvidia-h200"],
  ["p6-b200.48xlarge", "nvidia-b200"],
  ["p6-b300.48xlarge", "nvidia-b300"],
  ["p6e-gb200.36xlarge", "nvidia-gb200"],
  ["g7.2xlarge", "nvidia-rtx-pro-4500"],
  ["g7e.2xlarge", "nvidia-rtx-pro-server-6000"],
])("%s is labelled %s", (name, label) => {
  expect(AcceleratorType.of(name).acceleratorLabel).toBe(label);
});

test("g6.12xlarge has the facts that EC2 reports", () => {
  expect({ ...AcceleratorType.of("g6.12xlarge") }).toMatchObject({
    instanceType: "g6.12xlarge",
    architecture: Architecture.X86_64,
    vcpus: 48,
    memoryMib: 196608,
    vendor: AcceleratorVendor.NVIDIA,
    model: "L4",
    acceleratorCount: 4,
    acceleratorMemoryMib: 22888,
    networkCards: 1,
    efaCards: [0],
    nvmeDisks: 4,
    nvmeTotalGb: 3760,
    maxEbsIops: 80000,
    maxEbsThroughputMbps: 2500,
    supportsSpot: true,
    supportsCapacityBlock: false,
    supportsClusterPlacement: true,
    onDemandUsdPerHour: 4.6016,
  });
});

test("p5.48xlarge has the facts that EC2 reports", () => {
  expect({ ...AcceleratorType.of("p5.48xlarge") }).toMatchObject({
    architecture: Architecture.X86_64,
    vcpus: 192,
    memoryMib: 2097152,
    model: "H100",
    acceleratorCount: 8,
    acceleratorMemoryMib: 81920,
    networkCards: 32,
    efaCards: Array.from({ length: 32 }, (_, card) => card),
    nvmeDisks: 8,
    nvmeTotalGb: 30400,
    maxEbsIops: 260000,
    maxEbsThroughputMbps: 10000,
    onDemandUsdPerHour: 55.04,
  });
});

test("g5g.xlarge is arm64 without instance store", () => {
  expect({ ...AcceleratorType.of("g5g.xlarge") }).toMatchObject({
    architecture: Architecture.ARM64,
    vcpus: 4,
    memoryMib: 8192,
    model: "T4g",
    nvmeDisks: 0,
    nvmeTotalGb: 0,
    efaCards: [],
  });
});

test("trn2.48xlarge has the 96 GiB a device that its HBM has, and no us-east-1 price", () => {
  const type = AcceleratorType.of("trn2.48xlarge");
  expect(type.acceleratorMemoryMib).toBe(98304);
  expect(type.onDemandUsdPerHour).toBeUndefined();
});
