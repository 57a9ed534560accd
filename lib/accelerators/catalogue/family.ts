import { AcceleratorVendor, Architecture } from "../vendor";

/** Facts that only some types have; a fact left out is "none", a price left out is "not sold on demand in us-east-1". */
export interface CatalogueExtras {
  /** Network cards. Left out: 1. */
  readonly cards?: number;
  /** Indices of the network cards that take an EFA. Left out: no EFA. */
  readonly efa?: number[];
  /** Instance store: disks, GB (10^9 bytes) each. */
  readonly nvme?: [disks: number, gbEach: number];
  /** Memory of one device in MiB where it is not the family's. */
  readonly deviceMib?: number;
  /** USD per hour, on-demand, Linux, us-east-1, 2026-07-20. */
  readonly usd?: number;
}

/**
 * One instance size. `devices` counts what the device plugin advertises, `enis` the network interfaces of each network
 * card, `ipv4PerEni` the IPv4 addresses of each interface; undefined is a fact that no public source states.
 */
export type CatalogueRow = [
  size: string,
  vcpus: number | undefined,
  memoryGib: number | undefined,
  devices: number,
  enis: number | undefined,
  ipv4PerEni: number | undefined,
  ebsIops: number | undefined,
  ebsMbps: number | undefined,
  extras?: CatalogueExtras,
];

/** What the sizes of an EC2 instance family have in common. */
export interface CatalogueFamily {
  readonly family: string;
  /** Left out: x86_64. */
  readonly architecture?: Architecture;
  readonly vendor: AcceleratorVendor;
  readonly model: string;
  /** Memory of one device in MiB as EC2 reports it, somewhat below the data sheet. */
  readonly deviceMib?: number;
  /** A size offers a slice of a GPU (EC2 reports GPU count 0, logical count 1). */
  readonly fractional?: boolean;
  /** Left out: true. */
  readonly spot?: boolean;
  /** Sizes that Capacity Blocks for ML offer. */
  readonly capacityBlockSizes?: string[];
  /** Left out: true. */
  readonly clusterPlacement?: boolean;
  readonly rows: CatalogueRow[];
}

/** Card indices from first to last, both included. */
export function cards(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}
