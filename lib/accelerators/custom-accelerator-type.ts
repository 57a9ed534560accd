import { AcceleratorFacts } from "./facts";
import { MakerOptions, shown } from "./maker-options";
import { AcceleratorVendor, Architecture, neuronCoresPerDevice } from "./vendor";

/**
 * Facts of an instance type that the catalogue lacks. `aws ec2 describe-instance-types --instance-types <type>` prints
 * all of them; the names in brackets below are its fields.
 */
export interface CustomAcceleratorType {
  /** EC2 name, for example "p7.48xlarge" (InstanceType). */
  readonly instanceType: string;
  /** Instruction set (ProcessorInfo.SupportedArchitectures). */
  readonly architecture: Architecture;
  /** VCpuInfo.DefaultVCpus. */
  readonly vcpus: number;
  /** MemoryInfo.SizeInMiB. */
  readonly memoryMib: number;
  /** Maker of the accelerator; decides image, device plugin and resource name. */
  readonly vendor: AcceleratorVendor;
  /** Accelerator name as EC2 reports it, for example "H100" (GpuInfo.Gpus[0].Name). MIG profiles are found by it. */
  readonly model: string;
  /** Devices that the device plugin advertises without sharing (GpuInfo.Gpus[0].Count). */
  readonly acceleratorCount: number;
  /** Memory of one device in MiB (GpuInfo.Gpus[0].MemoryInfo.SizeInMiB). */
  readonly acceleratorMemoryMib: number;
  /** Interfaces of network card 0 (NetworkInfo.NetworkCards[0].MaximumNetworkInterfaces); max pods follow from it. */
  readonly enisOnCard0: number;
  /** IPv4 addresses of one interface (NetworkInfo.Ipv4AddressesPerInterface). */
  readonly ipv4PerEni: number;
  /** NetworkInfo.MaximumNetworkCards. Left out: 1. */
  readonly networkCards?: number;
  /** Indices of the network cards that take an EFA. Left out: the type has no EFA. */
  readonly efaCards?: number[];
  /** Instance store disks. Left out: 0. */
  readonly nvmeDisks?: number;
  /** Instance store of all disks in GB (InstanceStorageInfo.TotalSizeInGB). Left out: 0. */
  readonly nvmeTotalGb?: number;
  /** EbsInfo.EbsOptimizedInfo.MaximumIops. Left out: volume IOPS are not checked against the instance. */
  readonly maxEbsIops?: number;
  /** EbsInfo.EbsOptimizedInfo.MaximumThroughputInMBps. Left out: throughput is not checked against the instance. */
  readonly maxEbsThroughputMbps?: number;
  /** Whether SupportedUsageClasses has "spot". Left out: true. */
  readonly supportsSpot?: boolean;
  /** Whether SupportedUsageClasses has "capacity-block". Left out: false. */
  readonly supportsCapacityBlock?: boolean;
  /** Whether PlacementGroupInfo.SupportedStrategies has "cluster". Left out: true. */
  readonly supportsClusterPlacement?: boolean;
  /**
   * Value of the label k8s.amazonaws.com/accelerator; NVIDIA only. Left out: "nvidia-" and the model, in the spelling
   * that Cluster Autoscaler knows.
   */
  readonly acceleratorLabel?: string;
  /**
   * aws.amazon.com/neuroncore that the Neuron device plugin advertises for one device. Left out: known for Inferentia,
   * Inferentia2, Trainium and Trainium2; for any other AWS Neuron model it is required, and only there it is allowed.
   */
  readonly neuronCoresPerDevice?: number;
}

export const OF_CUSTOM: MakerOptions<CustomAcceleratorType> = {
  instanceType: "required",
  architecture: "required",
  vcpus: "required",
  memoryMib: "required",
  vendor: "required",
  model: "required",
  acceleratorCount: "required",
  acceleratorMemoryMib: "required",
  enisOnCard0: "required",
  ipv4PerEni: "required",
  networkCards: "optional",
  efaCards: "optional",
  nvmeDisks: "optional",
  nvmeTotalGb: "optional",
  maxEbsIops: "optional",
  maxEbsThroughputMbps: "optional",
  supportsSpot: "optional",
  supportsCapacityBlock: "optional",
  supportsClusterPlacement: "optional",
  acceleratorLabel: "optional",
  neuronCoresPerDevice: "optional",
};

const INSTANCE_TYPE_NAME =
  /^[a-z][a-z0-9-]*\.(nano|micro|small|medium|large|([1-9][0-9]*)?xlarge|metal(-[1-9][0-9]*xl)?)$/;
const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

export function customFacts(custom: CustomAcceleratorType): AcceleratorFacts {
  return {
    ...custom,
    fractional: false,
    neuronCoresPerDevice: custom.neuronCoresPerDevice ?? neuronCoresPerDevice(custom.model) ?? 0,
    networkCards: custom.networkCards ?? 1,
    efaCards: [...(custom.efaCards ?? [])].sort((a, b) => a - b),
    nvmeDisks: custom.nvmeDisks ?? 0,
    nvmeTotalGb: custom.nvmeTotalGb ?? 0,
    supportsSpot: custom.supportsSpot ?? true,
    supportsCapacityBlock: custom.supportsCapacityBlock ?? false,
    supportsClusterPlacement: custom.supportsClusterPlacement ?? true,
  };
}

/** Every reason to refuse the facts; empty if they fit together. */
export function customProblems(custom: CustomAcceleratorType, inCatalogue: boolean): string[] {
  return [
    ...nameProblems(custom.instanceType, inCatalogue),
    ...memberProblems(custom),
    ...countProblems(custom),
    ...efaProblems(custom),
    ...nvmeProblems(custom),
    ...vendorProblems(custom),
  ];
}

function nameProblems(instanceType: string, inCatalogue: boolean): string[] {
  if (!INSTANCE_TYPE_NAME.test(instanceType)) {
    return [`instanceType must be an EC2 name such as p7.48xlarge, in lower case, got: ${instanceType}`];
  }
  return inCatalogue
    ? [`instanceType must be one that the catalogue lacks, got: ${instanceType}; name it in instanceTypes instead`]
    : [];
}

/** Values that TypeScript refuses; other programs write any. */
function memberProblems(custom: CustomAcceleratorType): string[] {
  const { architecture, vendor } = custom;
  const enums: [string, string, string[]][] = [
    ["architecture", architecture, Object.values(Architecture)],
    ["vendor", vendor, Object.values(AcceleratorVendor)],
  ];
  const flags = ["supportsSpot", "supportsCapacityBlock", "supportsClusterPlacement"] as const;
  return [
    ...enums
      .filter(([, value, members]) => !members.includes(value))
      .map(([fact, value, members]) => `${fact} must be one of ${members.join(", ")}, got: ${shown(value)}`),
    ...flags
      .filter((fact) => custom[fact] !== undefined && typeof custom[fact] !== "boolean")
      .map((fact) => `${fact} must be true or false, got: ${shown(custom[fact])}`),
  ];
}

function countProblems(custom: CustomAcceleratorType): string[] {
  const positive: (keyof CustomAcceleratorType)[] = [
    "vcpus",
    "memoryMib",
    "acceleratorCount",
    "acceleratorMemoryMib",
    "enisOnCard0",
    "networkCards",
    "maxEbsIops",
    "neuronCoresPerDevice",
  ];
  const problems = positive
    .filter((fact) => custom[fact] !== undefined && !isWhole(custom[fact], 1))
    .map((fact) => `${fact} must be a whole number of at least 1, got: ${shown(custom[fact])}`);
  if (!isWhole(custom.ipv4PerEni, 2)) {
    problems.push(`ipv4PerEni must be a whole number of at least 2, got: ${shown(custom.ipv4PerEni)}`);
  }
  const throughput = custom.maxEbsThroughputMbps;
  if (throughput !== undefined && !(Number.isFinite(throughput) && throughput > 0)) {
    problems.push(`maxEbsThroughputMbps must be a number above 0, got: ${shown(throughput)}`);
  }
  return problems;
}

function efaProblems(custom: CustomAcceleratorType): string[] {
  const { efaCards = [] } = custom;
  if (!Array.isArray(efaCards)) {
    return [`efaCards must be a list of card indices, got: ${shown(efaCards)}`];
  }
  const networkCards = custom.networkCards ?? 1;
  const problems: string[] = [];
  const outside = efaCards.filter((card) => !isWhole(card, 0) || card >= networkCards);
  if (outside.length > 0) {
    problems.push(
      `efaCards must be card indices from 0 to ${networkCards - 1} (networkCards is ${networkCards}), ` +
        `got: ${outside.join(", ")}`,
    );
  }
  const repeated = efaCards.filter((card, index) => efaCards.indexOf(card) !== index);
  if (repeated.length > 0) {
    problems.push(`efaCards must name each card once (a card takes one EFA), got twice: ${repeated.join(", ")}`);
  }
  if (efaCards.includes(0) && custom.enisOnCard0 === 1) {
    problems.push("enisOnCard0 must be at least 2 where card 0 takes an EFA beside the primary interface, got: 1");
  }
  return problems;
}

function nvmeProblems(custom: CustomAcceleratorType): string[] {
  const disks = custom.nvmeDisks ?? 0;
  const total = custom.nvmeTotalGb ?? 0;
  if (!isWhole(disks, 0)) {
    return [`nvmeDisks must be a whole number of at least 0, got: ${shown(disks)}`];
  }
  if (!Number.isFinite(total) || total < 0) {
    return [`nvmeTotalGb must be a number of at least 0, got: ${shown(total)}`];
  }
  return disks > 0 === total > 0
    ? []
    : [`nvmeDisks and nvmeTotalGb must both be given or both be left out, got: ${disks} disks and ${total} GB`];
}

function vendorProblems(custom: CustomAcceleratorType): string[] {
  const problems: string[] = [];
  if (typeof custom.model !== "string" || custom.model.trim() === "") {
    problems.push(`model must be the accelerator's name, for example "H100", got: ${shown(custom.model)}`);
  }
  const label = custom.acceleratorLabel;
  if (label !== undefined && custom.vendor !== AcceleratorVendor.NVIDIA) {
    problems.push(
      `acceleratorLabel is for NVIDIA only (Cluster Autoscaler would wait for nvidia.com/gpu for ever), ` +
        `got: ${label} with ${custom.vendor}; leave it out`,
    );
  } else if (label !== undefined && !(typeof label === "string" && LABEL_VALUE.test(label))) {
    problems.push(
      "acceleratorLabel must be a Kubernetes label value (1 to 63 letters, digits, '-', '_' or '.', " +
        `letter or digit at both ends), got: ${label}`,
    );
  }
  return [...problems, ...neuronProblems(custom)];
}

function neuronProblems(custom: CustomAcceleratorType): string[] {
  const cores = custom.neuronCoresPerDevice;
  if (custom.vendor !== AcceleratorVendor.AWS_NEURON) {
    return cores === undefined
      ? []
      : [`neuronCoresPerDevice is for AWS Neuron only, got: ${cores} with ${custom.vendor}; leave it out`];
  }
  const documented = neuronCoresPerDevice(custom.model);
  if (documented === undefined && cores === undefined) {
    return [
      `neuronCoresPerDevice must be given for the AWS Neuron model ${custom.model}, got: nothing; ` +
        "the AWS Neuron documentation states it per device",
    ];
  }
  return documented !== undefined && cores !== undefined
    ? [`neuronCoresPerDevice of ${custom.model} is known to be ${documented}, got: ${cores}; leave it out`]
    : [];
}

function isWhole(value: unknown, minimum: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= minimum;
}
