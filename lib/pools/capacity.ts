import { checkOptions, MakerOptions } from "../accelerators/maker-options";
import { NodeTier } from "../cluster/node-pool";
import { PurchasePlan } from "../cluster/purchase-plan";
import { isMarked, mark } from "../internal/choices";

/** How a pool's instances are bought. */
export enum CapacityMarket {
  /** On-Demand, from whatever EC2 has. */
  ON_DEMAND = "on-demand",
  /** Spot. */
  SPOT = "spot",
  /** On-Demand, from an On-Demand Capacity Reservation. */
  RESERVATION = "reservation",
  /** An EC2 Capacity Block for ML. */
  CAPACITY_BLOCK = "capacity-block",
}

/** An On-Demand Capacity Reservation (ODCR). */
export interface CapacityReservation {
  /** `cr-…`; may be a token. */
  readonly reservationId: string;
  /** Instances reserved. Left out: the pool's `maxNodes` is not held against it. */
  readonly instanceCount?: number;
}

/** On-Demand Capacity Reservations gathered in an AWS Resource Groups group. */
export interface CapacityReservationGroup {
  /** ARN of the resource group; may be a token. */
  readonly resourceGroupArn: string;
  /** Instances reserved in all. Left out: the pool's `maxNodes` is not held against it. */
  readonly instanceCount?: number;
}

/** A Capacity Block that has been bought. */
export interface CapacityBlock {
  /** `cr-…`; may be a token. */
  readonly reservationId: string;
  /** Instances in the block, 1 to 64. Left out: the pool's `maxNodes` is not held against it. */
  readonly instanceCount?: number;
  /**
   * When the block ends, in UTC: `2026-12-24T11:30:00Z`.
   *
   * Needed for self-managed groups, which are taken to zero 40 minutes before. EKS does that itself for managed
   * groups, where it must be left out.
   */
  readonly endsAt?: string;
}

const OF_RESERVATION: MakerOptions<CapacityReservation> = { reservationId: "required", instanceCount: "optional" };
const OF_GROUP: MakerOptions<CapacityReservationGroup> = { resourceGroupArn: "required", instanceCount: "optional" };
const OF_BLOCK: MakerOptions<CapacityBlock> = {
  reservationId: "required",
  instanceCount: "optional",
  endsAt: "optional",
};

const MARKER = Symbol.for("cdktf-elastic-gpu/Capacity");

/** Where a pool's instances come from. */
export class Capacity {
  /** On-Demand instances. */
  static onDemand(): Capacity {
    return new Capacity(CapacityMarket.ON_DEMAND);
  }

  /** Spot instances, chosen by price and capacity (`price-capacity-optimized`), at most at the On-Demand price. */
  static spot(): Capacity {
    return new Capacity(CapacityMarket.SPOT);
  }

  /** One On-Demand Capacity Reservation: one instance type, one Availability Zone. Nothing is launched outside of it. */
  static reservation(options: CapacityReservation): Capacity {
    checkOptions("Capacity.reservation", options, OF_RESERVATION);
    return new Capacity(CapacityMarket.RESERVATION, options.reservationId, undefined, options.instanceCount);
  }

  /** Several On-Demand Capacity Reservations. Nothing is launched outside of them. */
  static reservationGroup(options: CapacityReservationGroup): Capacity {
    checkOptions("Capacity.reservationGroup", options, OF_GROUP);
    return new Capacity(CapacityMarket.RESERVATION, undefined, options.resourceGroupArn, options.instanceCount);
  }

  /** An EC2 Capacity Block for ML: one instance type, one Availability Zone, no placement group. */
  static capacityBlock(options: CapacityBlock): Capacity {
    checkOptions("Capacity.capacityBlock", options, OF_BLOCK);
    return new Capacity(
      CapacityMarket.CAPACITY_BLOCK,
      options.reservationId,
      undefined,
      options.instanceCount,
      options.endsAt,
    );
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isCapacity(x: any): x is Capacity {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** How the instances are bought. */
    readonly market: CapacityMarket,
    /** The reservation or block, where there is one. */
    readonly reservationId?: string,
    /** The resource group of reservations, where there is one. */
    readonly resourceGroupArn?: string,
    /** Instances reserved, where that was given. */
    readonly instanceCount?: number,
    /** End of the Capacity Block, where that was given. */
    readonly endsAt?: string,
  ) {
    mark(this, MARKER);
  }

  /** How sure it is: the value of the label `node-tier`. */
  get tier(): NodeTier {
    return this._purchasePlan.tier;
  }

  /**
   * What each node is bought as.
   * @internal
   */
  get _purchasePlan(): PurchasePlan {
    switch (this.market) {
      case CapacityMarket.ON_DEMAND:
        return PurchasePlan.onDemand();
      case CapacityMarket.SPOT:
        return PurchasePlan.spot();
      default:
        return PurchasePlan.reserved();
    }
  }
}
