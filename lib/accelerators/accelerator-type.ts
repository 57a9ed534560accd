import { catalogueEntry, catalogueNames } from "./catalogue";
import { CustomAcceleratorType, customFacts, customProblems, OF_CUSTOM } from "./custom-accelerator-type";
import { AcceleratorFacts, catalogueFacts } from "./facts";
import { checkOptions } from "./maker-options";
import { nearestNames } from "./nearest";
import { AcceleratorVendor, acceleratorLabelOf, Architecture, resourceNameOf } from "./vendor";

const MARKER = Symbol.for("cdktf-elastic-gpu/AcceleratorType");

/** 2 MiB pages that the EFA driver takes at boot, about 10 GiB (EKS User Guide, EFA on nodes). */
const EFA_HUGEPAGES_2MIB = 5128;

/** Catalogue types already asked for: a row becomes an object once, when somebody needs it. */
const known = new Map<string, AcceleratorType>();

/**
 * An EC2 instance type with accelerators: what a node of this type offers to pods, and what its hardware accepts.
 *
 * `AcceleratorType.of(name)` looks a type up, `AcceleratorType.custom(facts)` describes one that is newer than the
 * catalogue. Sources and dates of the numbers are stated in the catalogue.
 */
export class AcceleratorType {
  /**
   * The catalogue's entry of that name.
   *
   * @throws for a name the catalogue lacks, with the nearest names
   */
  public static of(instanceType: string): AcceleratorType {
    const found = AcceleratorType.find(instanceType);
    if (found === undefined) {
      const nearest = AcceleratorType.nearest(instanceType);
      const hint = nearest.length === 0 ? "" : `; nearest names: ${nearest.join(", ")}`;
      throw new Error(
        `instance type must be an accelerated EC2 type of the catalogue, got: ${instanceType}${hint}; ` +
          "for a type the catalogue lacks supply its facts with AcceleratorType.custom({ ... })",
      );
    }
    return found;
  }

  /** The catalogue's entry of that name, undefined where it has none. Names are lower case, as EC2 writes them. */
  public static find(instanceType: string): AcceleratorType | undefined {
    const cached = known.get(instanceType);
    if (cached !== undefined) {
      return cached;
    }
    const entry = typeof instanceType === "string" ? catalogueEntry(instanceType) : undefined;
    if (entry === undefined) {
      return undefined;
    }
    const created = new AcceleratorType(catalogueFacts(entry));
    known.set(instanceType, created);
    return created;
  }

  /** At most three catalogue names that differ from `instanceType` by the fewest letters; empty if none is alike. */
  public static nearest(instanceType: string): string[] {
    return typeof instanceType === "string" ? nearestNames(instanceType, catalogueNames(), 3) : [];
  }

  /**
   * A type that the catalogue lacks, from facts you supply (`aws ec2 describe-instance-types` prints them).
   *
   * @throws with every inconsistency of the facts, and for a type whose facts the catalogue has
   */
  public static custom(facts: CustomAcceleratorType): AcceleratorType {
    checkOptions("AcceleratorType.custom", facts, OF_CUSTOM);
    const listed = AcceleratorType.find(facts.instanceType);
    const problems = customProblems(facts, listed !== undefined && listed._incomplete === undefined);
    if (problems.length > 0) {
      throw new Error(
        [
          `the facts of custom instance type ${facts.instanceType} do not fit together:`,
          ...problems.map((problem) => `  - ${problem}`),
        ].join("\n"),
      );
    }
    return new AcceleratorType(customFacts(facts));
  }

  /** Every type of the catalogue: NVIDIA G and P families, AWS Neuron, then others; sizes ascending. */
  public static all(): AcceleratorType[] {
    return catalogueNames().map((name) => AcceleratorType.of(name));
  }

  /** Whether `x` is an AcceleratorType, also one of another copy of this library. */
  public static isAcceleratorType(x: any): boolean {
    return x !== null && typeof x === "object" && MARKER in x;
  }

  /** The EC2 name, for example "g6.12xlarge". */
  public readonly instanceType: string;
  /** Instruction set of the processor. */
  public readonly architecture: Architecture;
  /** 0 where no public source states it; pools refuse such a type. */
  public readonly vcpus: number;
  /** Main memory in MiB, 0 where no public source states it. */
  public readonly memoryMib: number;
  /** Maker of the accelerator. */
  public readonly vendor: AcceleratorVendor;
  /** The accelerator's name as EC2 reports it, for example "A10G" or "RTX PRO Server 6000". */
  public readonly model: string;
  /** Devices that the device plugin advertises without sharing; a fractional GPU (g6f, gr6f) counts as one. */
  public readonly acceleratorCount: number;
  /** Memory of one device in MiB as EC2 reports it, 0 where no public source states it. */
  public readonly acceleratorMemoryMib: number;
  /** Extended resource that pods request, for example "nvidia.com/gpu" or "aws.amazon.com/neuron". */
  public readonly resourceName: string;
  /**
   * aws.amazon.com/neuroncore that a node advertises, 0 without Neuron. Cores per device: Inferentia 4, Inferentia2 and
   * Trainium 2. Trainium2 counts 4: the plugin advertises logical cores, and the default configuration (LNC=2) joins
   * its 8 physical cores in pairs (AWS Neuron documentation, Logical NeuronCore configuration).
   */
  public readonly neuronCoreCount: number;
  /** Network cards, 1 to 32. */
  public readonly networkCards: number;
  /** Indices of the cards that take an EFA, ascending; empty without EFA. Card 0 is not always among them. */
  public readonly efaCards: number[];
  /** Instance store disks, 0 without instance store. */
  public readonly nvmeDisks: number;
  /** Instance store of all disks in GB (10^9 bytes), 0 without instance store. */
  public readonly nvmeTotalGb: number;
  /** EBS operations per second that the instance sustains at most; undefined where unknown. */
  public readonly maxEbsIops?: number;
  /** EBS throughput of the instance at most, MB/s as EC2 reports it; undefined where unknown. */
  public readonly maxEbsThroughputMbps?: number;
  /** Whether EC2 accepts spot requests for it; it says nothing about capacity. */
  public readonly supportsSpot: boolean;
  /** Whether Capacity Blocks for ML offer it. */
  public readonly supportsCapacityBlock: boolean;
  /** Whether a cluster placement group takes it. */
  public readonly supportsClusterPlacement: boolean;
  /** 2 MiB huge pages that the EFA driver pre-allocates on a node with EFA interfaces: 5128, or 0 without EFA. */
  public readonly hugepages2MibWithEfa: number;
  /**
   * Value of the label k8s.amazonaws.com/accelerator, for NVIDIA only: Cluster Autoscaler takes a node with that label
   * as unready until nvidia.com/gpu is allocatable, which on any other vendor's node never happens.
   */
  public readonly acceleratorLabel?: string;
  /** USD per hour, on-demand, Linux, us-east-1, 2026-07-20; undefined where there was none. */
  public readonly onDemandUsdPerHour?: number;

  /** @internal A slice of a GPU, which cannot be partitioned again. */
  public readonly _fractional: boolean;
  /** @internal Network interfaces that network card 0 takes, 0 where unknown. */
  public readonly _enisOnCard0: number;
  /** @internal IPv4 addresses that a network interface takes, its own among them, 0 where unknown. */
  public readonly _ipv4PerEni: number;
  /** @internal Facts that no public source states, with the way out; undefined for a complete type. */
  public readonly _incomplete?: string;

  private constructor(facts: AcceleratorFacts) {
    Object.defineProperty(this, MARKER, { value: true });
    this.instanceType = facts.instanceType;
    this.architecture = facts.architecture;
    this.vcpus = facts.vcpus ?? 0;
    this.memoryMib = facts.memoryMib ?? 0;
    this.vendor = facts.vendor;
    this.model = facts.model;
    this.acceleratorCount = facts.acceleratorCount;
    this.acceleratorMemoryMib = facts.acceleratorMemoryMib ?? 0;
    this.resourceName = resourceNameOf(facts.vendor);
    this.neuronCoreCount = facts.neuronCoresPerDevice * facts.acceleratorCount;
    this.networkCards = facts.networkCards;
    this.efaCards = [...facts.efaCards];
    this.nvmeDisks = facts.nvmeDisks;
    this.nvmeTotalGb = facts.nvmeTotalGb;
    this.maxEbsIops = facts.maxEbsIops;
    this.maxEbsThroughputMbps = facts.maxEbsThroughputMbps;
    this.supportsSpot = facts.supportsSpot;
    this.supportsCapacityBlock = facts.supportsCapacityBlock;
    this.supportsClusterPlacement = facts.supportsClusterPlacement;
    this.hugepages2MibWithEfa = facts.efaCards.length > 0 ? EFA_HUGEPAGES_2MIB : 0;
    this.acceleratorLabel = facts.acceleratorLabel ?? acceleratorLabelOf(facts.vendor, facts.model);
    this.onDemandUsdPerHour = facts.onDemandUsdPerHour;
    this._fractional = facts.fractional;
    this._enisOnCard0 = facts.enisOnCard0 ?? 0;
    this._ipv4PerEni = facts.ipv4PerEni ?? 0;
    this._incomplete = incompleteness(facts);
  }

  /**
   * Pods that the VPC CNI can give an address, without prefix delegation: (network interfaces of card 0 - EFAs on it)
   * x (IPv4 addresses per interface - 1) + 2. The CNI serves card 0 only unless ENABLE_MULTI_NIC is set.
   *
   * @param efaDevicesOnCard0 EFA-only interfaces that take a place on card 0: 0 or 1
   * @throws where the type's network interfaces are unknown
   */
  public maxPods(efaDevicesOnCard0: number): number {
    if (this._enisOnCard0 === 0) {
      throw new Error(`max pods of ${this.instanceType} cannot be computed, unknown: ${this._incomplete}`);
    }
    return (this._enisOnCard0 - efaDevicesOnCard0) * (this._ipv4PerEni - 1) + 2;
  }

  /**
   * Why nodes of this type and of the other are not interchangeable for pods and for the autoscaler, for example
   * "g5.xlarge is x86_64, g5g.xlarge is arm64"; undefined if architecture, vendor, model, count and memory of the
   * accelerators agree. The first difference in that order is named.
   */
  public shapeDifference(other: AcceleratorType): string | undefined {
    const differing = (mine: string | number, verb: string, theirs: string | number): string | undefined =>
      mine === theirs ? undefined : `${this.instanceType} ${verb} ${mine}, ${other.instanceType} ${verb} ${theirs}`;
    return (
      differing(this.architecture, "is", other.architecture) ??
      differing(`${this.vendor} ${this.model}`, "has", `${other.vendor} ${other.model}`) ??
      differing(acceleratorsOf(this.acceleratorCount), "has", acceleratorsOf(other.acceleratorCount)) ??
      differing(
        `${this.acceleratorMemoryMib} MiB per accelerator`,
        "has",
        `${other.acceleratorMemoryMib} MiB per accelerator`,
      )
    );
  }
}

function acceleratorsOf(count: number): string {
  return count === 1 ? "1 accelerator" : `${count} accelerators`;
}

function incompleteness(facts: AcceleratorFacts): string | undefined {
  const missing = [
    facts.vcpus === undefined ? "vCPUs" : undefined,
    facts.memoryMib === undefined ? "memory" : undefined,
    facts.acceleratorMemoryMib === undefined ? "accelerator memory" : undefined,
    facts.enisOnCard0 === undefined || facts.ipv4PerEni === undefined ? "network interfaces" : undefined,
  ].filter((fact) => fact !== undefined);
  return missing.length === 0 ? undefined : `${missing.join(", ")}: supply them with AcceleratorType.custom({ ... })`;
}
