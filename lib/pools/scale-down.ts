/**
 * When the Cluster Autoscaler takes nodes of one pool away. Each property left out follows the autoscaler's own flag.
 *
 * They are tags of the Auto Scaling group (`k8s.io/cluster-autoscaler/node-template/autoscaling-options/…`).
 */
export interface ScaleDown {
  /** Minutes that a node must have been unneeded. The autoscaler's default is 10. */
  readonly unneededMinutes?: number;
  /** Minutes that an unready node must have been unneeded. The autoscaler's default is 20. */
  readonly unreadyMinutes?: number;
  /** Share of the accelerators asked for, 0 to 1, below which a node is unneeded. The autoscaler's default is 0.5. */
  readonly gpuUtilizationThreshold?: number;
}
