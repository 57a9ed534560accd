/** By what an Auto Scaling group chooses among the Spot pools of its types and zones (EC2 Auto Scaling API, InstancesDistribution). */
export enum SpotAllocationStrategy {
  /** The cheapest of the pools that are least likely to be reclaimed: AWS's own advice. */
  PRICE_CAPACITY_OPTIMIZED = "price-capacity-optimized",
  /** The pools that are least likely to be reclaimed, whatever they cost. */
  CAPACITY_OPTIMIZED = "capacity-optimized",
  /** The same, with types that stand earlier in the list preferred as far as capacity allows. */
  CAPACITY_OPTIMIZED_PRIORITIZED = "capacity-optimized-prioritized",
}
