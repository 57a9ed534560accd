import { checkOptions, MakerOptions } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

/** Bounds for automatic repair. The AWS provider 6.25 has them, 5.100 not. */
export interface NodeRepairLimits {
  /** Nodes repaired at one time. Left out: EKS decides. */
  readonly maxParallelNodes?: number;
  /** Unhealthy nodes above which repair stops, since something larger is wrong. Left out: EKS decides. */
  readonly maxUnhealthyNodes?: number;
}

const OF_REPAIR: MakerOptions<NodeRepairLimits> = { maxParallelNodes: "optional", maxUnhealthyNodes: "optional" };

const MARKER = Symbol.for("cdktf-elastic-gpu/NodeRepair");

/** Whether EKS replaces or reboots nodes that it finds unhealthy. Managed node groups only. */
export class NodeRepair {
  /** EKS repairs. GPU faults are seen only where the add-on `eks-node-monitoring-agent` runs. */
  static enabled(limits: NodeRepairLimits = {}): NodeRepair {
    checkOptions("NodeRepair.enabled", limits, OF_REPAIR);
    return new NodeRepair(true, limits.maxParallelNodes, limits.maxUnhealthyNodes);
  }

  /** Nodes stay as they are, for somebody to look at. */
  static disabled(): NodeRepair {
    return new NodeRepair(false);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNodeRepair(x: any): x is NodeRepair {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Whether EKS repairs. */
    readonly isEnabled: boolean,
    /** Nodes repaired at one time. */
    readonly maxParallelNodes?: number,
    /** Unhealthy nodes above which repair stops. */
    readonly maxUnhealthyNodes?: number,
  ) {
    mark(this, MARKER);
  }
}
