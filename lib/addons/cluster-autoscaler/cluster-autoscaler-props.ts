import { INodePool } from "../../cluster";
import { AwsAddonProps } from "../helm-addon-props";

/** Groups that the Cluster Autoscaler prefers alike. */
export interface AutoscalerPriority {
  /** Of groups that could run a pod, those with the highest number are taken. */
  readonly priority: number;
  /** Regular expressions for the names of Auto Scaling groups, such as the `autoscalingGroupPattern` of a pool. */
  readonly groups: string[];
}

/** What a ClusterAutoscaler is made of. */
export interface ClusterAutoscalerProps extends AwsAddonProps {
  /**
   * Pools that are not declared on `cluster`, such as those of other stacks. It finds all groups by their tags; from the pools
   * it takes priorities and times.
   *
   * Left out: the cluster's own alone.
   */
  readonly pools?: INodePool[];
  /**
   * Release of the Cluster Autoscaler, such as `1.34.5`. It simulates the scheduler of its own minor version, so that this must
   * be the cluster's.
   *
   * Left out: the release of the cluster's minor version that was tested with this version of the library.
   */
  readonly autoscalerVersion?: string;
  /**
   * Minutes after which an instance that has not joined is taken for lost and terminated, at least 15. It holds for all
   * groups: give the longest cold start of any, until the node is ready, and some more.
   *
   * Left out: 15.
   */
  readonly maxNodeProvisionMinutes?: number;
  /**
   * Seconds that pods have to end when their node is taken away, whatever their own grace period says: give the longest of
   * any pod.
   *
   * Left out: 600.
   */
  readonly gracefulTerminationSeconds?: number;
  /**
   * Which groups are preferred. All groups that no expression matches come last.
   *
   * Left out: by the tiers of the pools, that is reservations, then Spot, then On-Demand, then what stands in for Spot.
   */
  readonly priorities?: AutoscalerPriority[];
  /**
   * Whether a ServiceMonitor is made, for which the Prometheus Operator must be there. The metrics are served in any case, on port
   * 8085.
   *
   * Left out: none is made.
   */
  readonly serviceMonitor?: boolean;
}
