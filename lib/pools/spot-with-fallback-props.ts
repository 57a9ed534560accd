import { TerraformProvider } from "cdktf";
import { DrainBudget } from "../cluster";
import { Capacity } from "./capacity";
import { Headroom } from "./headroom";
import { MultiTypePoolProps } from "./multi-type-pool-props";
import { SpotAllocationStrategy } from "./spot-allocation-strategy";
import { SpotReturn } from "./spot-return";
import { UpdatePolicy } from "./update-policy";

/** When On-Demand nodes stand in for Spot, how many, and when they go. */
export interface SpotFallback {
  /**
   * Percentage of the Spot nodes asked for below which On-Demand nodes stand in, a whole number from 1 to 100.
   *
   * Left out: 60.
   */
  readonly thresholdPercentage?: number;
  /** Minutes in a row that it must be so, 1 to 1440: the sizes of groups are measured once a minute. Left out: 3. */
  readonly evaluationMinutes?: number;
  /** Least nodes that stand in, whether Spot can be had or not. Left out: 0. */
  readonly minNodes?: number;
  /** Most nodes that stand in, not fewer than the Spot nodes at the pool's `maxNodes` and at least 1. Left out: as many. */
  readonly maxNodes?: number;
  /** How they give way to Spot again. Left out: one node every 15 minutes. */
  readonly returnToSpot?: SpotReturn;
}

/**
 * What a SpotWithFallback is made of. `maxNodes`, `minNodes` and `desiredNodes` are the mixed group's, and no schedule raises
 * `maxNodes`.
 */
export interface SpotWithFallbackProps extends MultiTypePoolProps {
  /** The first nodes, which are never Spot. Left out: 2, or `maxNodes` where that is less. */
  readonly onDemandBase?: number;
  /** How much of what is above the base is Spot, 0 to 100. Left out: 80. */
  readonly spotPercentage?: number;
  /** Left out: at most at the On-Demand price, the cheapest of the pools that are least likely to be reclaimed. */
  readonly spotAllocationStrategy?: SpotAllocationStrategy;
  /**
   * Reservations for the On-Demand part of the mixed group: it is launched into them as far as they reach, and outside of
   * them beyond that. Left out: none but those that are open to every instance.
   */
  readonly baseCapacity?: Capacity;
  /** When On-Demand nodes stand in. Left out: below 60 % for 3 minutes, and one goes every 15 minutes. */
  readonly fallback?: SpotFallback;
  /** Room for pods of reclaimed nodes. Its placeholders are objects in the cluster. Left out: none. */
  readonly headroom?: Headroom;
  /** How long pods have to leave a node, within the two minutes of a Spot notice. Left out: `DrainBudget.inference()`. */
  readonly drain?: DrainBudget;
  /**
   * Images that nodes pull at boot, each with its registry and a tag or digest, so that pods which come later start at
   * once, in no order. AL2023 alone. Left out: none.
   */
  readonly images?: string[];
  /** ARN of an SNS topic that hears of shortages. Left out: one of the pool's own, encrypted, `notificationTopicArn`. */
  readonly notificationTopicArn?: string;
  /** How running nodes follow a change. Left out: new nodes only. */
  readonly updatePolicy?: UpdatePolicy;
  /** The provider of the placeholders. Left out: the stack's kubernetes provider without an alias. */
  readonly kubernetesProvider?: TerraformProvider;
}
