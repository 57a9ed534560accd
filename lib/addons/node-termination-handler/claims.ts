import { IConstruct } from "constructs";
import { IGpuCluster } from "../../cluster";
import { clusterIdentity, regionOfCluster } from "../../cluster/identity";
import { once } from "../../internal/once";
import { Problems, show } from "../../internal/problems";
import { identityOf } from "../../internal/tokens";
import { NodeTerminationHandlerProps } from "./node-termination-handler-props";
import { deadLetterName } from "./queue";

const CLAIMS = Symbol.for("cdktf-elastic-gpu/TerminationHandlers");

/** What handlers of all stacks took, of which there is one. */
interface Claims {
  /** By the identity of the cluster. */
  readonly clusters: Map<string, { readonly handler: IConstruct; readonly cluster: IGpuCluster }>;
  /** By region and name. */
  readonly queues: Map<string, { readonly handler: IConstruct; readonly isForDeadLetters: boolean }>;
}

function claimsOf(scope: IConstruct): Claims {
  return once(scope.node.root, CLAIMS, () => ({ clusters: new Map(), queues: new Map() }));
}

/** Refuses a second handler of a cluster that was imported twice, and queues that a handler in its region has. */
export function checkClaims(scope: IConstruct, props: NodeTerminationHandlerProps, problems: Problems): void {
  const { cluster, queueName } = props;
  const { clusters, queues } = claimsOf(scope);
  const same = clusters.get(clusterIdentity(cluster));
  // Of one construct the cluster itself knows its add-ons.
  if (same !== undefined && same.cluster !== cluster) {
    problems.addText(
      "cluster",
      `must have one termination handler, got: ${cluster.node.path}, which is the cluster ${same.cluster.node.path} of ${same.handler.node.path} once more. ` +
        "Remove one of the handlers, and give the pools that it does not know to the other in pools",
    );
  }
  if (queueName !== undefined) {
    checkQueues(cluster, queueName, queues, problems);
  }
}

function checkQueues(cluster: IGpuCluster, queueName: string, queues: Claims["queues"], problems: Problems): void {
  const remedy = "Choose another, or leave it out for a name from the construct path";
  const holder = queues.get(queueKey(cluster, queueName));
  const holderOfOther = queues.get(queueKey(cluster, deadLetterName(queueName)));
  if (holder !== undefined) {
    const its = holder.isForDeadLetters ? "the dead-letter queue of " : "";
    problems.add(
      "queueName",
      `must not be that of ${its}${holder.handler.node.path} in the same region: the handlers would take each other's messages, and drop them`,
      queueName,
      remedy,
    );
  } else if (holderOfOther !== undefined) {
    problems.addText(
      "queueName",
      `must leave ${show(deadLetterName(queueName))} free for its dead-letter queue, got: ${show(queueName)}, while the queue of ${holderOfOther.handler.node.path} in the same region has that name. ${remedy}`,
    );
  }
}

export function claim(scope: IConstruct, { cluster, queueName }: NodeTerminationHandlerProps): void {
  const { clusters, queues } = claimsOf(scope);
  clusters.set(clusterIdentity(cluster), { handler: scope, cluster });
  if (queueName !== undefined) {
    queues.set(queueKey(cluster, queueName), { handler: scope, isForDeadLetters: false });
    queues.set(queueKey(cluster, deadLetterName(queueName)), { handler: scope, isForDeadLetters: true });
  }
}

function queueKey(cluster: IGpuCluster, queueName: string): string {
  return `${regionOfCluster(cluster)}\n${identityOf(queueName)}`;
}
