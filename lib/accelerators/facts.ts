import { CatalogueEntry } from "./catalogue";
import { AcceleratorVendor, Architecture, neuronCoresPerDevice } from "./vendor";

/** Everything an AcceleratorType is made of; undefined is a fact that no public source states. */
export interface AcceleratorFacts {
  readonly instanceType: string;
  readonly architecture: Architecture;
  readonly vcpus?: number;
  readonly memoryMib?: number;
  readonly vendor: AcceleratorVendor;
  readonly model: string;
  readonly fractional: boolean;
  readonly acceleratorCount: number;
  readonly acceleratorMemoryMib?: number;
  readonly acceleratorLabel?: string;
  readonly neuronCoresPerDevice: number;
  readonly networkCards: number;
  readonly efaCards: number[];
  readonly enisOnCard0?: number;
  readonly ipv4PerEni?: number;
  readonly nvmeDisks: number;
  readonly nvmeTotalGb: number;
  readonly maxEbsIops?: number;
  readonly maxEbsThroughputMbps?: number;
  readonly supportsSpot: boolean;
  readonly supportsCapacityBlock: boolean;
  readonly supportsClusterPlacement: boolean;
  readonly onDemandUsdPerHour?: number;
}

const MIB_PER_GIB = 1024;

/** A catalogue row and its family, spelled out. */
export function catalogueFacts({ family, row }: CatalogueEntry): AcceleratorFacts {
  const [size, vcpus, memoryGib, devices, enis, ipv4PerEni, ebsIops, ebsMbps, extras = {}] = row;
  const [nvmeDisks, gbPerDisk] = extras.nvme ?? [0, 0];
  return {
    instanceType: `${family.family}.${size}`,
    architecture: family.architecture ?? Architecture.X86_64,
    vcpus,
    memoryMib: memoryGib === undefined ? undefined : memoryGib * MIB_PER_GIB,
    vendor: family.vendor,
    model: family.model,
    fractional: family.fractional ?? false,
    acceleratorCount: devices,
    acceleratorMemoryMib: extras.deviceMib ?? family.deviceMib,
    neuronCoresPerDevice: neuronCoresPerDevice(family.model) ?? 0,
    networkCards: extras.cards ?? 1,
    efaCards: extras.efa ?? [],
    enisOnCard0: enis,
    ipv4PerEni,
    nvmeDisks,
    nvmeTotalGb: nvmeDisks * gbPerDisk,
    maxEbsIops: ebsIops,
    maxEbsThroughputMbps: ebsMbps,
    supportsSpot: family.spot ?? true,
    supportsCapacityBlock: family.capacityBlockSizes?.includes(size) ?? false,
    supportsClusterPlacement: family.clusterPlacement ?? true,
    onDemandUsdPerHour: extras.usd,
  };
}
