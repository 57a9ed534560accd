import { DeploymentV1, DeploymentV1SpecTemplateSpecContainer } from "@cdktf/provider-kubernetes/lib/deployment-v1";
import { PriorityClassV1 } from "@cdktf/provider-kubernetes/lib/priority-class-v1";
import { ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct } from "constructs";
import { GpuSharingStrategy } from "../accelerators";
import { IGpuCluster, INodePool, NodeTaint } from "../cluster";
import { pauseImage } from "../cluster/pause-image";
import { PLACEHOLDER_PRIORITY } from "../cluster/placeholder-priority";
import { ofSameStack } from "../internal/dependables";
import { physicalName } from "../internal/names";
import { requireProviders } from "../internal/providers";
import { Headroom } from "./headroom";
import { LIFECYCLE_LABEL } from "./node-group/market";

/** It exists in each cluster, and nobody sets quotas in it. */
const NAMESPACE = "kube-system";

/** Names of objects and values of labels (Kubernetes, Object Names and IDs). */
const NAME = 63;
const PREFIX = "headroom-";

export interface PlaceholderFacts {
  readonly cluster: IGpuCluster;
  readonly headroom: Headroom;
  /** The pool whose nodes are held. */
  readonly pool: INodePool;
  /** Labels that its nodes have and no others. */
  readonly nodeSelector: { [key: string]: string };
  /** Taints of all its nodes. */
  readonly taints: NodeTaint[];
  readonly kubernetesProvider?: TerraformProvider;
  readonly dependsOn?: ITerraformDependable[];
}

/**
 * Pods that each ask for all accelerators of a node, do nothing, and leave at once when another pod wants them.
 *
 * They prefer On-Demand nodes: room that a reclaim takes along is none.
 */
export function placeholders(scope: Construct, facts: PlaceholderFacts): void {
  const { cluster, headroom, pool, nodeSelector, taints, kubernetesProvider } = facts;
  requireProviders(scope, ["kubernetes"], [kubernetesProvider]);
  const options = {
    provider: kubernetesProvider,
    dependsOn: [...ofSameStack(scope, cluster._ready), ...(facts.dependsOn ?? [])],
  };
  // The path comes second: it may begin with system-, which Kubernetes keeps for priority classes of its own.
  const name = `${PREFIX}${physicalName(scope, NAME - PREFIX.length, cluster._knownName ?? "")}`.toLowerCase();
  const priority = new PriorityClassV1(scope, "PlaceholderPriority", {
    ...options,
    metadata: { name },
    description: "Placeholders that hold nodes and yield to every other pod",
    value: PLACEHOLDER_PRIORITY,
    preemptionPolicy: "Never",
  });
  const matchLabels = { "app.kubernetes.io/name": "headroom", "app.kubernetes.io/instance": name };
  new DeploymentV1(scope, "Placeholders", {
    ...options,
    metadata: { name, namespace: NAMESPACE, labels: matchLabels },
    // Placeholders wait for nodes that EC2 may not have; an apply does not.
    waitForRollout: false,
    spec: {
      replicas: String(headroom.nodeCount),
      selector: { matchLabels },
      template: {
        metadata: {
          labels: matchLabels,
          annotations: { "cluster-autoscaler.kubernetes.io/safe-to-evict": "true" },
        },
        spec: {
          priorityClassName: priority.metadata.name,
          terminationGracePeriodSeconds: 0,
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          nodeSelector,
          toleration: taints.map(({ key, value, effect }) => ({ key, operator: "Equal", value, effect })),
          affinity: {
            nodeAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                {
                  weight: 100,
                  preference: {
                    matchExpressions: [{ key: LIFECYCLE_LABEL, operator: "In", values: ["on-demand"] }],
                  },
                },
              ],
            },
          },
          securityContext: { runAsNonRoot: true, runAsUser: "65535", seccompProfile: { type: "RuntimeDefault" } },
          container: containers(pool, pauseImage(cluster)),
        },
      },
    },
  });
}

/**
 * Containers that together ask for all accelerators of a node.
 *
 * NVIDIA's device plugin admits no container with several shares of GPUs, so that each share has one of its own. Time-slicing
 * by default does, but the library's configuration does not (NvidiaDevicePlugin); MPS never does.
 */
function containers(pool: INodePool, image: string): DeploymentV1SpecTemplateSpecContainer[] {
  const { acceleratorResource, acceleratorsPerNode, sharing } = pool;
  const isShared = [GpuSharingStrategy.TIME_SLICING, GpuSharingStrategy.MPS].includes(sharing.strategy);
  const container = (name: string, accelerators: number): DeploymentV1SpecTemplateSpecContainer => {
    const resources = { [acceleratorResource]: String(accelerators), cpu: "10m", memory: "16Mi" };
    return {
      name,
      image,
      resources: { requests: resources, limits: resources },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    };
  };
  return isShared
    ? Array.from({ length: acceleratorsPerNode }, (_, index) => container(`placeholder-${index + 1}`, 1))
    : [container("placeholder", acceleratorsPerNode)];
}
