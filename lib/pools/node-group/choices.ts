import { DrainBudget, NodeTier, PurchasePlan } from "../../cluster";
import { Capacity } from "../capacity";
import { ElasticGpuNodePoolProps } from "../elastic-gpu-node-pool-props";
import { SpotAllocationStrategy } from "../spot-allocation-strategy";
import { NamedAfter } from "./name";

/** What a group is planned from: the properties that pools have, and what a construct decides by itself. */
export interface GroupChoices extends ElasticGpuNodePoolProps {
  /** Left out: follows from `capacity`. */
  readonly purchasePlan?: PurchasePlan;
  /** Left out: follows from `purchasePlan`. */
  readonly tier?: NodeTier;
  /** Left out: `price-capacity-optimized`. */
  readonly spotAllocationStrategy?: SpotAllocationStrategy;
  /** Whether Auto Scaling replaces a Spot instance that EC2 expects to take soon. Left out: it does not. */
  readonly capacityRebalance?: boolean;
  /** Reservations that the On-Demand part is launched into as far as they reach. Left out: none. */
  readonly baseCapacity?: Capacity;
  /** Sizes of which CloudWatch gets a metric each minute. Left out: none. */
  readonly enabledMetrics?: string[];
  /** Labels that the construct sets beyond those of every pool. Left out: none. */
  readonly ownLabels?: { [key: string]: string };
  /** Images that nodes pull at boot. Left out: none. */
  readonly images?: string[];
  /** Left out: nothing is known of how long pods have to leave. */
  readonly drain?: DrainBudget;
  /** The pool's name, where `name` was made from it. Left out: the user chose `name`, or nobody did. */
  readonly nameMadeFrom?: string;
  /** What else is named after `name`, beside what every group has. Left out: nothing. */
  readonly namedAfter?: NamedAfter[];
  /** Whether schedules may not go beyond `maxNodes`, since other things were worked out by it. Left out: they may. */
  readonly maxNodesIsFinal?: boolean;
}
