/** The CPU nodes that controllers run on. */
export interface SystemNodes {
  /**
   * Instance types of one architecture, without accelerators, tried in this order. Left out: `m7i.large`, with 2 vCPUs and
   * 8 GiB, about USD 74 a month each (us-east-1).
   */
  readonly instanceTypes?: string[];
  /** Least nodes, at least 1. Left out: 2, in two zones, so that controllers outlive a node. */
  readonly minNodes?: number;
  /** Most nodes. Left out: two more than the least; the Cluster Autoscaler adds them for pods that find no room. */
  readonly maxNodes?: number;
}
