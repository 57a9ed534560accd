import { AcceleratorType, GpuSharing, GpuSharingStrategy } from "../../../accelerators";
import { bottlerocketMigKey } from "../../../accelerators/mig-profiles";
import { IGpuCluster, NodeTaint } from "../../../cluster";
import { LocalStorage } from "../../local-storage";
import { isDocument } from "./document-checks";

/** What a pool says to Bottlerocket, on its own account. */
export interface BottlerocketFacts {
  /** Given where nodes must be told how to join: self-managed groups and custom images. EKS tells the others. */
  readonly cluster?: IGpuCluster;
  readonly labels: { [key: string]: string };
  readonly taints: NodeTaint[];
  readonly maxPods?: number;
  readonly localStorage?: LocalStorage;
  readonly sharing: GpuSharing;
  readonly type: AcceleratorType;
}

/** The settings, without the leading `settings`; empty where there is nothing to say. */
export function bottlerocketSettings(facts: BottlerocketFacts): { [key: string]: any } {
  const { cluster, labels, taints, maxPods, localStorage } = facts;
  const kubernetes = {
    ...(cluster && {
      "cluster-name": cluster.clusterName,
      "api-server": cluster.endpoint,
      "cluster-certificate": cluster.certificateAuthority,
      "node-labels": labels,
      "node-taints": Object.fromEntries(taints.map((taint) => [taint.key, [`${taint.value}:${taint.effect}`]])),
    }),
    ...(maxPods !== undefined && { "max-pods": maxPods }),
  };
  const devicePlugin = nvidiaDevicePlugin(facts);
  return {
    ...(Object.keys(kubernetes).length > 0 && { kubernetes }),
    ...(devicePlugin && { "kubelet-device-plugins": { nvidia: devicePlugin } }),
    ...(localStorage && { "bootstrap-commands": { "ephemeral-storage": EPHEMERAL_STORAGE } }),
  };
}

/** Bottlerocket's own way to one array of all instance store disks for containers, at every boot. */
const EPHEMERAL_STORAGE = {
  commands: [
    ["apiclient", "ephemeral-storage", "init"],
    ["apiclient", "ephemeral-storage", "bind", "--dirs", "/var/lib/containerd", "/var/lib/kubelet", "/var/log/pods"],
  ],
  essential: true,
  mode: "always",
};

/** Bottlerocket runs the device plugin itself, so that sharing is its setting and not the DaemonSet's. */
function nvidiaDevicePlugin({ sharing, type }: BottlerocketFacts): { [key: string]: any } | undefined {
  switch (sharing.strategy) {
    case GpuSharingStrategy.TIME_SLICING:
      return {
        "device-sharing-strategy": "time-slicing",
        "time-slicing": {
          replicas: sharing.replicas,
          "rename-by-default": false,
          "fail-requests-greater-than-one": true,
        },
      };
    case GpuSharingStrategy.MPS:
      return { "device-sharing-strategy": "mps", mps: { replicas: sharing.replicas } };
    case GpuSharingStrategy.MIG:
      return {
        "device-partitioning-strategy": "mig",
        mig: { profile: { [bottlerocketMigKey(type) ?? type.model]: sharing.migProfile } },
      };
    default:
      return undefined;
  }
}

/** One document of several, the later ones over the earlier: Bottlerocket takes a single one and no table twice. */
export function mergeSettings(documents: { [key: string]: any }[]): { [key: string]: any } {
  return documents.reduce((merged, document) => over(merged, document), {});
}

function over(base: { [key: string]: any }, top: { [key: string]: any }): { [key: string]: any } {
  const merged = { ...base };
  for (const [key, value] of Object.entries(top)) {
    merged[key] = isDocument(merged[key]) && isDocument(value) ? over(merged[key], value) : value;
  }
  return merged;
}
