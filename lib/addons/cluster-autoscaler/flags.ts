import { Token } from "cdktf";
import { INodePool } from "../../cluster";
import { PLACEHOLDER_PRIORITY } from "../../cluster/placeholder-priority";
import { isKnown } from "../../internal/tokens";
import { Values } from "../values";
import { poolsByTier } from "./priorities";

/**
 * Labels by which nodes of like groups differ: the launch template, its image, where the node is, and as what it was bought,
 * which differs within a group of several. The autoscaler's own list has those of the zone, the host and the node group
 * (processors/nodegroupset).
 *
 * `node-tier` must never be among them: it alone keeps Spot and On-Demand groups of one type from being balanced.
 */
export const IGNORED_LABELS = [
  "eks.amazonaws.com/nodegroup-image",
  "eks.amazonaws.com/sourceLaunchTemplateId",
  "eks.amazonaws.com/sourceLaunchTemplateVersion",
  "topology.k8s.aws/zone-id",
  "topology.k8s.aws/network-node-layer-1",
  "topology.k8s.aws/network-node-layer-2",
  "topology.k8s.aws/network-node-layer-3",
  "node-lifecycle",
];

/** Least of `--max-node-provision-time`, and its default: images of some gigabytes take most of it. */
export const LEAST_PROVISION_MINUTES = 15;

/** Default of `--max-graceful-termination-sec`. */
export const GRACEFUL_TERMINATION_SECONDS = 600;

/** Defaults of `--max-node-group-backoff-duration` and `--node-group-backoff-reset-timeout`. */
const MOST_BACKOFF_MINUTES = 30;
const BACKOFF_RESET_MINUTES = 180;

export interface FlagFacts {
  readonly pools: INodePool[];
  readonly provisionMinutes: number;
  readonly terminationSeconds: number;
}

/** The flags that differ from the autoscaler's own, or that the library relies on. */
export function flags({ pools, provisionMinutes, terminationSeconds }: FlagFacts): Values {
  return {
    // Among groups of one priority the one that leaves the least CPU idle, then the least memory.
    expander: "priority,least-waste",
    // Groups of one tier and type in several zones grow alike, where each zone has its own.
    "balance-similar-node-groups": "true",
    ...Object.fromEntries(IGNORED_LABELS.map((label, index) => [`balancing-ignore-label_${index + 1}`, label])),

    // An instance that has not joined by then is terminated and its group backed off; a slow start is no failed one.
    "max-node-provision-time": `${provisionMinutes}m`,
    ...backoff(pools, provisionMinutes),

    // As long as it takes to be sure that no pod comes; a GPU node costs more for each minute, and as much to start anew.
    // Pools set their own with scaleDown.
    "scale-down-unneeded-time": "10m",
    // On nodes with GPUs requests for GPUs alone count. At half of them the pods are moved where they fit elsewhere.
    "scale-down-gpu-utilization-threshold": "0.5",
    // Training and inference pods share memory through an emptyDir, which by default would keep their node for ever.
    "skip-nodes-with-local-storage": "false",
    // After this a node is terminated with whatever still runs, so that it must cover the longest grace period.
    "max-graceful-termination-sec": isKnown(terminationSeconds)
      ? String(terminationSeconds)
      : Token.asString(terminationSeconds),
    // Placeholder pods hold room: they are worth a node, and yield to all others.
    "expendable-pods-priority-cutoff": String(PLACEHOLDER_PRIORITY),

    // Sizes and bounds group by group.
    "emit-per-nodegroup-metrics": "true",
  };
}

/**
 * How long a group is left alone after a launch failed.
 *
 * Where several groups share a tier, they fail one after the other, each for as long as an instance may take to join. If the
 * first were taken for healthy before the last has failed, the next tier would never be tried. So the first back-off is
 * longer than all groups of the largest such tier take together. The last tier has none to make way for.
 */
export function backoffMinutes(pools: INodePool[], provisionMinutes: number): number | undefined {
  const sizes = poolsByTier(pools)
    .slice(0, -1)
    .map((ofTier) => ofTier.length);
  return sizes.length === 0 ? undefined : Math.max(...sizes) * provisionMinutes + 1;
}

function backoff(pools: INodePool[], provisionMinutes: number): Values {
  const initial = backoffMinutes(pools, provisionMinutes);
  if (initial === undefined) {
    return {};
  }
  const most = Math.max(MOST_BACKOFF_MINUTES, 2 * initial);
  return {
    "initial-node-group-backoff-duration": `${initial}m`,
    // Each further failure doubles it, up to this, and after this long without one it begins anew.
    "max-node-group-backoff-duration": `${most}m`,
    "node-group-backoff-reset-timeout": `${Math.max(BACKOFF_RESET_MINUTES, 2 * most)}m`,
  };
}
