import { AcceleratorType } from "./accelerator-type";
import { checkArgument, checkOptions, MakerOptions, shown } from "./maker-options";
import { migInstancesPerGpu, migProblem } from "./mig-profiles";
import { AcceleratorVendor } from "./vendor";

const MARKER = Symbol.for("cdktf-elastic-gpu/GpuSharing");

/**
 * MPS clients of one GPU from Volta on: 48 with CUDA 13.0 and older, the driver branch of the EKS images; 60 later
 * (NVIDIA Multi-Process Service, client-server connection limits).
 */
const MAX_MPS_CLIENTS = 48;

/**
 * NVIDIA documents no limit for time-slicing. EKS gives even its largest nodes 250 pods at most (EKS User Guide,
 * maximum pods), and a share that no pod can take would still be promised to the autoscaler.
 */
const MAX_TIME_SLICES = 250;

/** How several pods use one GPU. */
export enum GpuSharingStrategy {
  /** A GPU belongs to one pod. */
  NONE = "none",
  /** Pods take turns; memory is neither divided nor protected. */
  TIME_SLICING = "time-slicing",
  /** Pods run at the same time in one CUDA context server; memory is divided evenly. */
  MPS = "mps",
  /** The GPU is partitioned in hardware, with separate memory. */
  MIG = "mig",
}

/** Into how many shares a GPU is divided. */
export interface SharingReplicas {
  /** nvidia.com/gpu that the device plugin advertises for each physical GPU: 2 to 250 time-sliced, 2 to 48 with MPS. */
  readonly replicas: number;
}

const OF_SHARES: MakerOptions<SharingReplicas> = { replicas: "required" };

/**
 * Sharing of the GPUs of a pool. The strategy holds for every GPU of every node, and the number of nvidia.com/gpu that
 * a node advertises follows from it.
 */
export class GpuSharing {
  /** Each pod has its GPUs for itself. */
  public static none(): GpuSharing {
    return new GpuSharing(GpuSharingStrategy.NONE, 1);
  }

  /** Pods take turns on a GPU without memory isolation: one pod that fills the memory fails the others. */
  public static timeSlicing(options: SharingReplicas): GpuSharing {
    checkOptions("GpuSharing.timeSlicing", options, OF_SHARES);
    return new GpuSharing(GpuSharingStrategy.TIME_SLICING, options.replicas);
  }

  /** Pods compute on a GPU at the same time through NVIDIA's Multi-Process Service, each with an equal memory share. */
  public static mps(options: SharingReplicas): GpuSharing {
    checkOptions("GpuSharing.mps", options, OF_SHARES);
    return new GpuSharing(GpuSharingStrategy.MPS, options.replicas);
  }

  /**
   * Every GPU is partitioned into as many instances of one profile as it holds (strategy "single").
   *
   * @param profile NVIDIA's name, for example "1g.10gb"; which exist depends on the GPU
   */
  public static mig(profile: string): GpuSharing {
    checkArgument("GpuSharing.mig", "profile", profile);
    return new GpuSharing(GpuSharingStrategy.MIG, 1, profile);
  }

  /** Whether `x` is a GpuSharing, also one of another copy of this library. */
  public static isGpuSharing(x: any): boolean {
    return x !== null && typeof x === "object" && MARKER in x;
  }

  /** The chosen way of sharing. */
  public readonly strategy: GpuSharingStrategy;
  /** Shares of a GPU with time-slicing or MPS, otherwise 1. */
  public readonly replicas: number;
  /** NVIDIA's profile name with MIG, otherwise undefined. */
  public readonly migProfile?: string;

  private constructor(strategy: GpuSharingStrategy, replicas: number, migProfile?: string) {
    Object.defineProperty(this, MARKER, { value: true });
    this.strategy = strategy;
    this.replicas = replicas;
    this.migProfile = migProfile;
  }

  /** @internal Why nodes of this type cannot be shared this way; empty if they can. */
  public _problems(type: AcceleratorType): string[] {
    if (this.strategy === GpuSharingStrategy.NONE) {
      return [];
    }
    return [vendorProblem(this.strategy, type), replicasProblem(this), profileProblem(this, type)].filter(
      (problem) => problem !== undefined,
    );
  }

  /** @internal Devices that a node of this type advertises: nvidia.com/gpu, or the vendor's resource without sharing. */
  public _advertisedCount(type: AcceleratorType): number {
    const perGpu = this.migProfile === undefined ? this.replicas : (migInstancesPerGpu(type, this.migProfile) ?? 0);
    return type.acceleratorCount * perGpu;
  }
}

function vendorProblem(strategy: GpuSharingStrategy, type: AcceleratorType): string | undefined {
  if (type.vendor === AcceleratorVendor.NVIDIA) {
    return undefined;
  }
  const instead =
    type.vendor === AcceleratorVendor.AWS_NEURON
      ? "use GpuSharing.none() and let pods request single cores as aws.amazon.com/neuroncore"
      : "use GpuSharing.none()";
  return `${strategy} needs NVIDIA GPUs, got: ${type.instanceType} with ${type.vendor} ${type.model}; ${instead}`;
}

function replicasProblem({ strategy, replicas }: GpuSharing): string | undefined {
  if (strategy === GpuSharingStrategy.MIG) {
    return undefined;
  }
  const [maximum, reason] =
    strategy === GpuSharingStrategy.MPS
      ? [MAX_MPS_CLIENTS, "the MPS clients that one GPU takes"]
      : [MAX_TIME_SLICES, "the pods that EKS gives a node at most"];
  return Number.isInteger(replicas) && replicas >= 2 && replicas <= maximum
    ? undefined
    : `${strategy} replicas must be a whole number from 2 to ${maximum} (${reason}), got: ${shown(replicas)}; ` +
        "for one pod a GPU use GpuSharing.none()";
}

function profileProblem({ migProfile }: GpuSharing, type: AcceleratorType): string | undefined {
  return migProfile === undefined || type.vendor !== AcceleratorVendor.NVIDIA
    ? undefined
    : migProblem(type, migProfile);
}
