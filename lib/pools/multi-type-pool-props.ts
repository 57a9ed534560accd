import { AcceleratorType } from "../accelerators";
import { NodePoolProps } from "./node-pool-props";

/** What every pool is made of that may have several types and zones. */
export interface MultiTypePoolProps extends NodePoolProps {
  /**
   * EC2 instance types, the smallest first, all with the same accelerators (model, count and memory) and architecture,
   * since the Cluster Autoscaler takes every node to be like the first. On-Demand capacity is tried in this order.
   */
  readonly instanceTypes: string[];
  /** Facts of types in `instanceTypes` that are newer than the catalogue. Left out: all are in it. */
  readonly customTypes?: AcceleratorType[];
  /** Availability Zones, of those of the cluster's subnets. Left out: all of them. */
  readonly availabilityZones?: string[];
  /** Subnets of the cluster, one in each zone. Left out: the cluster's, which must then have one in each zone. */
  readonly subnetIds?: string[];
}
