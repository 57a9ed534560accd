import { IGpuCluster, INodePool } from "../../cluster";
import { handlerTag } from "../../cluster/termination-tags";
import { regionOfCluster } from "../../cluster/identity";
import { spreadOverHosts } from "../scheduling";
import { OwnedValue, Values } from "../values";
import { longestDrainSeconds, queueTimes, workersFor } from "./times";

export const SERVICE_ACCOUNT = "aws-node-termination-handler";

const OF_THE_TAG = "Remove it: by the tag of the pools it knows this cluster's nodes from all others of the account";

export const OWNED: OwnedValue[] = [
  { path: ["enableSqsTerminationDraining"], remedy: "Remove it: the queue is there for that" },
  { path: ["queueURL"], remedy: "Remove it: the role's rights and the rules are for its own queue" },
  { path: ["sqsMsgVisibilityTimeoutSec"], remedy: "Remove it: when a message is given up depends on it" },
  { path: ["checkTagBeforeDraining"], remedy: OF_THE_TAG },
  { path: ["managedTag"], remedy: OF_THE_TAG },
  { path: ["serviceAccount", "name"], remedy: "Remove it: the role is that account's" },
];

export interface HandlerFacts {
  readonly cluster: IGpuCluster;
  readonly pools: INodePool[];
  readonly queueUrl: string;
  readonly releaseName: string;
  readonly serviceMonitor?: boolean;
}

export function handlerValues({ cluster, pools, queueUrl, releaseName, serviceMonitor }: HandlerFacts): Values {
  const drainSeconds = longestDrainSeconds(pools);
  return {
    enableSqsTerminationDraining: true,
    queueURL: queueUrl,
    sqsMsgVisibilityTimeoutSec: queueTimes(drainSeconds).visibilitySeconds,
    // The metadata service does not answer pods on nodes with a hop limit of 1.
    awsRegion: regionOfCluster(cluster),
    checkTagBeforeDraining: true,
    managedTag: handlerTag(cluster.clusterName),
    // The name of a node is not always its instance's private DNS name.
    useProviderId: true,
    // An instance that never became a node, or is none any more, has nothing to drain: its lifecycle action is completed and
    // the message deleted. Otherwise the hook would hold it for its whole heartbeat, and each node that went would end as a
    // dead letter.
    deleteSqsMsgIfNodeNotFound: true,
    // Pods know best how long they need; the drain as a whole is given up after the longest that any pool plans for.
    podTerminationGracePeriod: -1,
    nodeTerminationGracePeriod: drainSeconds,
    workers: workersFor(pools),
    enablePrometheusServer: true,
    ...(serviceMonitor && { serviceMonitor: { create: true } }),
    serviceAccount: { create: true, name: SERVICE_ACCOUNT },
    // Both take messages: nodes are drained even while one of them moves.
    replicas: 2,
    podDisruptionBudget: { maxUnavailable: 1 },
    ...spreadOverHosts(releaseName),
    nodeSelector: cluster.systemNodeSelector,
    priorityClassName: "system-cluster-critical",
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "256Mi" } },
    podSecurityContext: { seccompProfile: { type: "RuntimeDefault" } },
    securityContext: { capabilities: { drop: ["ALL"] } },
  };
}
