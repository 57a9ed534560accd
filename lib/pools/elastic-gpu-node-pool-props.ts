import { EfaLayout } from "../accelerators";
import { Capacity } from "./capacity";
import { ClusterPlacement } from "./cluster-placement";
import { MultiTypePoolProps } from "./multi-type-pool-props";
import { NodeRepair } from "./node-repair";
import { UpdatePolicy } from "./update-policy";

/** Who runs the group of nodes. */
export enum NodeGroupType {
  /** An EKS managed node group: EKS drains, updates and replaces nodes. */
  MANAGED = "managed",
  /** An Auto Scaling group of your own: nothing drains nodes but what you install. */
  SELF_MANAGED = "self-managed",
}

/** What an ElasticGpuNodePool is made of. */
export interface ElasticGpuNodePoolProps extends MultiTypePoolProps {
  /** Left out: a managed node group. */
  readonly nodeGroupType?: NodeGroupType;
  /** Where instances come from. Left out: On-Demand. */
  readonly capacity?: Capacity;
  /** EFA interfaces, for nodes that work together. Left out: none. With it, the pool is in one Availability Zone. */
  readonly efa?: EfaLayout;
  /** Whether nodes are placed close together. Left out: no placement group. */
  readonly placement?: ClusterPlacement;
  /** How running nodes follow a change. Left out: one at a time (managed), new nodes only (self-managed). */
  readonly updatePolicy?: UpdatePolicy;
  /** Whether EKS repairs unhealthy nodes; managed only. Left out: EKS's default, which is that it does not. */
  readonly nodeRepair?: NodeRepair;
}
