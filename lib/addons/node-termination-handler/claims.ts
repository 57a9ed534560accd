import { IConstruct } from "constructs";
import { IGpuCluster } from "../../cluster";
import { clusterIdentity } from "../../cluster/identity";
import { regionOf } from "../../cluster/zones";
import { once } from "../../internal/once";
import { Problems } from "../../internal/problems";
import { identityOf } from "../../internal/tokens";
import { NodeTerminationHandlerProps } from "./node-termination-handler-props";

const CLAIMS = Symbol.for("cdktf-elastic-gpu/TerminationHandlers");

/** What handlers of all stacks took, of which there is one. */
interface Claims {
  /** By the identity of the cluster. */
  readonly clusters: Map<string, { readonly handler: IConstruct; readonly cluster: IGpuCluster }>;
  /** By region and name. */
  readonly queueNames: Map<string, IConstruct>;
}

function claimsOf(scope: IConstruct): Claims {
  return once(scope.node.root, CLAIMS, () => ({ clusters: new Map(), queueNames: new Map() }));
}

/** Refuses a second handler of a cluster that was imported twice, and a queue name that a handler in its region has. */
export function checkClaims(scope: IConstruct, props: NodeTerminationHandlerProps, problems: Problems): void {
  const { cluster, queueName } = props;
  const { clusters, queueNames } = claimsOf(scope);
  const same = clusters.get(clusterIdentity(cluster));
  // Of one construct the cluster itself knows its add-ons.
  if (same !== undefined && same.cluster !== cluster) {
    problems.addText(
      "cluster",
      `must have one termination handler, got: ${cluster.node.path}, which is the cluster ${same.cluster.node.path} of ${same.handler.node.path} once more. ` +
        "Remove one of the handlers, and give the pools that it does not know to the other in pools",
    );
  }
  const holder = queueName === undefined ? undefined : queueNames.get(queueKey(cluster, queueName));
  if (holder !== undefined) {
    problems.add(
      "queueName",
      `must not be that of ${holder.node.path} in the same region: the handlers would take each other's messages, and drop them`,
      queueName,
      "Choose another, or leave it out for a name from the construct path",
    );
  }
}

export function claim(scope: IConstruct, { cluster, queueName }: NodeTerminationHandlerProps): void {
  const { clusters, queueNames } = claimsOf(scope);
  clusters.set(clusterIdentity(cluster), { handler: scope, cluster });
  if (queueName !== undefined) {
    queueNames.set(queueKey(cluster, queueName), scope);
  }
}

function queueKey(cluster: IGpuCluster, queueName: string): string {
  return `${regionOf(cluster.subnets[0].availabilityZone)}\n${identityOf(queueName)}`;
}
