import { PurchasePlan } from "../../cluster";
import { Capacity, CapacityMarket } from "../capacity";

/** The label by which nodes say how they were bought. */
export const LIFECYCLE_LABEL = "node-lifecycle";

/**
 * How every node of a self-managed group is bought, in the words of EC2's instance metadata (`instance-life-cycle`), or
 * undefined where they differ: then each node finds out by itself.
 */
export function marketOf({ market }: Capacity, { onDemandBase, spotPercentage }: PurchasePlan): string | undefined {
  if (market === CapacityMarket.CAPACITY_BLOCK) {
    return "capacity-block";
  }
  if (spotPercentage === 0) {
    return "on-demand";
  }
  return spotPercentage === 100 && onDemandBase === 0 ? "spot" : undefined;
}
