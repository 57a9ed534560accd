import { checkArgument, checkOptions, MakerOptions } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

/** How an Auto Scaling group replaces its instances. */
export interface InstanceRefresh {
  /** Share of the desired capacity that stays in service, 0 to 100. Left out: 90. */
  readonly minHealthyPercentage?: number;
}

const OF_REFRESH: MakerOptions<InstanceRefresh> = { minHealthyPercentage: "optional" };

const MARKER = Symbol.for("cdktf-elastic-gpu/UpdatePolicy");

/** How running nodes follow a change of the launch template or the image. */
export class UpdatePolicy {
  /** Managed node groups: at most so many nodes at a time, 1 to 100. */
  static maxUnavailable(nodes: number): UpdatePolicy {
    checkArgument("UpdatePolicy.maxUnavailable", "nodes", nodes);
    return new UpdatePolicy(nodes);
  }

  /** Managed node groups: at most this share of the nodes at a time, 1 to 100. */
  static maxUnavailablePercentage(percentage: number): UpdatePolicy {
    checkArgument("UpdatePolicy.maxUnavailablePercentage", "percentage", percentage);
    return new UpdatePolicy(undefined, percentage);
  }

  /** Self-managed groups: new nodes have the change, running ones stay as they are. */
  static newNodesOnly(): UpdatePolicy {
    return new UpdatePolicy();
  }

  /** Self-managed groups: a rolling instance refresh starts with each change. It ends jobs that run. */
  static instanceRefresh(options: InstanceRefresh = {}): UpdatePolicy {
    checkOptions("UpdatePolicy.instanceRefresh", options, OF_REFRESH);
    return new UpdatePolicy(undefined, undefined, options.minHealthyPercentage ?? 90);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isUpdatePolicy(x: any): x is UpdatePolicy {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Nodes at a time, of a managed node group. */
    readonly unavailableNodes?: number,
    /** Share of nodes at a time, of a managed node group. */
    readonly unavailablePercentage?: number,
    /** Share that stays in service in an instance refresh. */
    readonly minHealthyPercentage?: number,
  ) {
    mark(this, MARKER);
  }
}
