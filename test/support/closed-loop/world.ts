export type AutoscalerHealth = "working" | "without second tier" | "off";

/** What happens around the pool, by the second, and how long things take there. */
export interface World {
  /** Most Spot instances that EC2 gives. Where it gives fewer than there are, the others get their notice. */
  readonly spot: (now: number) => number;
  /**
   * Spot instances that EC2 expects to take soon: the group asks for another one each first (capacity rebalancing). Left out:
   * none.
   */
  readonly atRisk?: (now: number) => number;
  /** Pods that ought to run, each on a node of its own. */
  readonly pods: (now: number) => number;
  /** Least nodes of the mixed group, as a schedule sets them. Left out: the group's own. */
  readonly minNodes?: (now: number) => number;
  /** Whether the autoscaler runs, and whether it can raise the group that it prefers less. */
  readonly autoscaler: (now: number) => AutoscalerHealth;
  /** From the launch until the node is ready and has the image. */
  readonly bootSeconds: number;
  /** Between two attempts of a group to launch what it lacks. */
  readonly retrySeconds: number;
  /** Whether a launch that fails is one activity for each instance, or one in all. */
  readonly failureForEach: boolean;
  /** Until a notice, or the end of an instance, has its pods drained. */
  readonly detectionSeconds: number;
  /** From the notice, or the begin of its end, until a node with pods is gone. */
  readonly drainSeconds: number;
  /** Until a data point can be read. */
  readonly metricDelaySeconds: number;
}
