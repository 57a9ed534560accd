import { IGpuCluster, NodeTaint } from "../../../cluster";
import { LocalStorage } from "../../local-storage";

/** What a pool says to nodeadm, on its own account. */
export interface NodeConfigFacts {
  /** Given where nodes must be told how to join: self-managed groups and custom images. EKS tells the others. */
  readonly cluster?: IGpuCluster;
  readonly labels: { [key: string]: string };
  readonly taints: NodeTaint[];
  readonly maxPods?: number;
  readonly localStorage?: LocalStorage;
}

/**
 * The `spec` of the NodeConfig, or undefined where there is nothing to say.
 *
 * In a managed node group with EKS's image EKS prepends a NodeConfig with the cluster, labels and taints, so that the
 * pool says only what EKS does not.
 */
export function nodeConfigSpec({
  cluster,
  labels,
  taints,
  maxPods,
  localStorage,
}: NodeConfigFacts): object | undefined {
  const kubelet = {
    ...(maxPods !== undefined && { config: { maxPods } }),
    ...(cluster && { flags: kubeletFlags(labels, taints) }),
  };
  const spec = {
    ...(cluster && {
      cluster: {
        name: cluster.clusterName,
        apiServerEndpoint: cluster.endpoint,
        certificateAuthority: cluster.certificateAuthority,
        cidr: cluster.serviceCidr,
      },
    }),
    ...(Object.keys(kubelet).length > 0 && { kubelet }),
    ...(localStorage && { instance: { localStorage: { strategy: localStorage.strategy } } }),
  };
  return Object.keys(spec).length > 0 ? spec : undefined;
}

function kubeletFlags(labels: { [key: string]: string }, taints: NodeTaint[]): string[] {
  const nodeLabels = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const registered = taints.map((taint) => `${taint.key}=${taint.value}:${taint.effect}`);
  return [`--node-labels=${nodeLabels.join(",")}`, `--register-with-taints=${registered.join(",")}`];
}

/** JSON, which is YAML too: nodeadm reads it, and a long token or label is never folded. */
export function nodeConfigDocument(spec: object): string {
  return `${JSON.stringify({ apiVersion: "node.eks.aws/v1alpha1", kind: "NodeConfig", spec }, undefined, 2)}\n`;
}
