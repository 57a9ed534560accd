import { checkOptions, MakerOptions } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";
import { literalProblems } from "../internal/literals";
import { NodeTier } from "./node-pool";

/** How a group with two markets divides its nodes. Numbers are written out. */
export interface MixedPurchase {
  /** The first nodes, which are On-Demand. 0: none. */
  readonly onDemandBase: number;
  /** How much of what is above the base is Spot, 0 to 100. */
  readonly spotPercentage: number;
  /** Instances of a reservation, which On-Demand nodes fill first. Left out: none. */
  readonly reservedNodes?: number;
}

/** Nodes of a group by how they are bought; together they are the group's size. */
export interface PurchasedNodes {
  /** In a reservation or a Capacity Block. */
  readonly reserved: number;
  /** On-Demand, outside of reservations. */
  readonly onDemand: number;
  /** Spot. */
  readonly spot: number;
}

/** The same as shares of the group's size, 0 to 1; together 1, and all 0 where there are no nodes. */
export interface PurchaseShares {
  /** In a reservation or a Capacity Block. */
  readonly reserved: number;
  /** On-Demand, outside of reservations. */
  readonly onDemand: number;
  /** Spot. */
  readonly spot: number;
}

const OF_MIXED: MakerOptions<MixedPurchase> = {
  onDemandBase: "required",
  spotPercentage: "required",
  reservedNodes: "optional",
};

const MARKER = Symbol.for("cdktf-elastic-gpu/PurchasePlan");

/** How the nodes of a group are bought at each of its sizes. Of what is asked for, not of what AWS has at the moment. */
export class PurchasePlan {
  /** All nodes in reservations or a Capacity Block. */
  static reserved(): PurchasePlan {
    return new PurchasePlan(NodeTier.RESERVED, 0, 0, Infinity);
  }

  /** All nodes On-Demand. */
  static onDemand(): PurchasePlan {
    return new PurchasePlan(NodeTier.ON_DEMAND, 0, 0, 0);
  }

  /** All nodes Spot. */
  static spot(): PurchasePlan {
    return new PurchasePlan(NodeTier.SPOT, 0, 100, 0);
  }

  /**
   * A base of On-Demand nodes, and above it a percentage of Spot: the mixed instances policy of an Auto Scaling group.
   *
   * Throws where a number is not whole or not within its bounds.
   */
  static mixed(options: MixedPurchase): PurchasePlan {
    const maker = "PurchasePlan.mixed";
    checkOptions(maker, options, OF_MIXED);
    const { onDemandBase, spotPercentage, reservedNodes = 0 } = options;
    const problems = [
      ...literalProblems(maker, "onDemandBase", onDemandBase, 0, "Give 0 where all may be Spot"),
      ...literalProblems(maker, "spotPercentage", spotPercentage, 0, "Give 80 for four nodes of five", 100),
      ...literalProblems(maker, "reservedNodes", reservedNodes, 0, "Leave it out where nothing is reserved"),
    ];
    if (problems.length > 0) {
      throw new Error(problems.join("\n"));
    }
    const tier = spotPercentage > 0 ? NodeTier.SPOT : NodeTier.ON_DEMAND;
    return new PurchasePlan(tier, onDemandBase, spotPercentage, reservedNodes);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isPurchasePlan(x: any): x is PurchasePlan {
    return isMarked(x, MARKER);
  }

  private constructor(
    /**
     * How sure the least sure of the nodes are: SPOT where nodes above the base may be Spot, RESERVED where all are
     * reserved at each size, else ON_DEMAND.
     */
    readonly tier: NodeTier,
    /** The first nodes that are never Spot. */
    readonly onDemandBase: number,
    /** How much of what is above the base is Spot, 0 to 100. */
    readonly spotPercentage: number,
    private readonly reservedNodes: number,
  ) {
    mark(this, MARKER);
  }

  /** The nodes of a group of this size. Throws where `nodes` is no whole number of at least 0, or a token. */
  at(nodes: number): PurchasedNodes {
    checkNodes("PurchasePlan.at", nodes);
    return this.divided(nodes);
  }

  /** The shares of a group of this size. Throws where `nodes` is no whole number of at least 0, or a token. */
  sharesAt(nodes: number): PurchaseShares {
    checkNodes("PurchasePlan.sharesAt", nodes);
    const { reserved, onDemand, spot } = this.divided(nodes);
    const size = Math.max(1, nodes);
    return { reserved: reserved / size, onDemand: onDemand / size, spot: spot / size };
  }

  private divided(nodes: number): PurchasedNodes {
    const notSpot = onDemandPart(nodes, this.onDemandBase, this.spotPercentage);
    const reserved = Math.min(this.reservedNodes, notSpot);
    return { reserved, onDemand: notSpot - reserved, spot: nodes - notSpot };
  }
}

/**
 * How many nodes of a mixed instances group are On-Demand, reserved ones included.
 *
 * The base comes first; of what is above it, a fraction of a node is rounded up in favour of On-Demand (EC2 Auto Scaling
 * User Guide, Setup overview for creating a mixed instances group, scaling behavior).
 */
export function onDemandPart(nodes: number, onDemandBase: number, spotPercentage: number): number {
  const aboveBase = Math.max(0, nodes - onDemandBase);
  // Multiplied first: 0.07 * 100 is a little more than 7, and would be rounded up to 8.
  return nodes - aboveBase + Math.ceil((aboveBase * (100 - spotPercentage)) / 100);
}

function checkNodes(call: string, nodes: number): void {
  const [problem] = literalProblems(call, "nodes", nodes, 0, "Give a size that the group may have");
  if (problem !== undefined) {
    throw new Error(problem);
  }
}
