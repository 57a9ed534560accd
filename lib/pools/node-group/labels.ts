import { GpuSharing, GpuSharingStrategy } from "../../accelerators";
import { NodeTaint, NodeTier, TaintEffect } from "../../cluster";
import { Problems, show } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { Workload } from "../workload";
import { LIFECYCLE_LABEL } from "./market";
import { NodeShape } from "./shape";

/** Most taints of a managed node group (EKS API reference, CreateNodegroup). The same bound is kept for the others. */
const MOST_TAINTS = 50;

/** Labels that kubelets may set although their prefix belongs to Kubernetes (Kubernetes, NodeRestriction). */
const SET_BY_KUBERNETES = [
  "kubernetes.io/arch",
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "beta.kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
];

/** Labels that a pool sets where they are true, with what makes them so. On other nodes they would mislead controllers. */
const SET_BY_CHOICES: { [key: string]: string } = {
  "workload-type": "Use workload",
  "nvidia.com/device-plugin.config": "Use sharing",
  "nvidia.com/mps.capable": "Use sharing",
  "vpc.amazonaws.com/efa.present": "Use efa",
  "nvidia.com/gpu.present": "Leave it out",
  [LIFECYCLE_LABEL]: "Leave it out",
  "k8s.amazonaws.com/accelerator": "Leave it out",
};

/** What decides the labels that a pool sets by itself. */
export interface OwnLabels {
  readonly shape: NodeShape;
  readonly tier: NodeTier;
  readonly workload?: Workload;
  /** How every node is bought. Left out: EKS says so itself, or nodes are bought in several ways. */
  readonly market?: string;
}

/** The labels that a pool sets by itself, by which pods, DaemonSets and the autoscaler know its nodes. */
export function ownLabels({ shape, tier, workload, market }: OwnLabels): { [key: string]: string } {
  const first = shape.types[0];
  return {
    "node-tier": tier,
    ...(market !== undefined && { [LIFECYCLE_LABEL]: market }),
    ...(workload && { "workload-type": workload.name }),
    ...(first.resourceName === "nvidia.com/gpu" && nvidiaLabels(shape)),
    ...(first.acceleratorLabel && { "k8s.amazonaws.com/accelerator": first.acceleratorLabel }),
    ...(shape.interfaces.length > 0 && { "vpc.amazonaws.com/efa.present": "true" }),
  };
}

function nvidiaLabels({ bottlerocket, sharing }: NodeShape): { [key: string]: string } {
  return {
    "nvidia.com/gpu.present": "true",
    // By this, NVIDIA's operator and the NvidiaDevicePlugin stay away from nodes that bring a plugin of their own.
    ...(bottlerocket ? { "nvidia.com/gpu.deploy.device-plugin": "false" } : devicePluginLabels(sharing)),
  };
}

/** By these the NVIDIA device plugin picks, node by node, one of several configurations, and its MPS daemon its nodes. */
function devicePluginLabels(sharing: GpuSharing): { [key: string]: string } {
  switch (sharing.strategy) {
    case GpuSharingStrategy.TIME_SLICING:
      return { "nvidia.com/device-plugin.config": `time-slicing-${sharing.replicas}` };
    case GpuSharingStrategy.MPS:
      return { "nvidia.com/device-plugin.config": `mps-${sharing.replicas}`, "nvidia.com/mps.capable": "true" };
    case GpuSharingStrategy.MIG:
      return { "nvidia.com/device-plugin.config": "mig-single" };
    default:
      return {};
  }
}

export function checkLabels(
  labels: { [key: string]: string },
  own: { [key: string]: string },
  managed: boolean,
  problems: Problems,
): void {
  for (const [key, value] of Object.entries(labels)) {
    const property = `labels[${show(key)}]`;
    checkKey(property, key, managed ? 63 : undefined, problems);
    checkLabelValue(property, value, problems);
    checkNamespace(property, key, problems);
    if (managed && value === "") {
      problems.addText(
        property,
        "must have a value, since EKS refuses empty ones on managed node groups. Give it one, such as true",
      );
    }
    if (Object.hasOwn(own, key) && own[key] !== value) {
      problems.add(
        property,
        `is set by the pool, to ${show(own[key])}`,
        value,
        "Leave it out, or use a key of your own",
      );
    } else if (!Object.hasOwn(own, key) && Object.hasOwn(SET_BY_CHOICES, key)) {
      problems.add(property, "is set by the pool where it is true of its nodes", value, SET_BY_CHOICES[key]);
    }
  }
}

/** Refuses labels by which controllers would be sent to GPU nodes. */
export function checkNotSystem(
  labels: { [key: string]: string },
  systemNodeSelector: { [key: string]: string },
  problems: Problems,
): void {
  const selected = Object.entries(systemNodeSelector);
  if (selected.length > 0 && selected.every(([key, value]) => labels[key] === value)) {
    problems.add(
      "labels",
      "must not be those of the nodes that controllers belong on (systemNodeSelector), which GPU nodes must not host",
      selected.map(([key, value]) => `${key}=${value}`).join(", "),
      "Use other labels",
    );
  }
}

/** The taints of a pool: one on all accelerated nodes so that nothing else lands there, and what the user adds. */
export function poolTaints(
  shape: NodeShape,
  added: NodeTaint[],
  workload: Workload | undefined,
  effect: TaintEffect | undefined,
): NodeTaint[] {
  const key = shape.types[0].resourceName;
  const standard = added.some((taint) => taint.key === key) ? [] : [NodeTaint.noSchedule(key, "present")];
  const ofWorkload = workload && effect ? [taintOf("workload-type", workload.name, effect)] : [];
  return [...standard, ...ofWorkload, ...added];
}

function taintOf(key: string, value: string, effect: TaintEffect): NodeTaint {
  switch (effect) {
    case TaintEffect.NO_EXECUTE:
      return NodeTaint.noExecute(key, value);
    case TaintEffect.PREFER_NO_SCHEDULE:
      return NodeTaint.preferNoSchedule(key, value);
    default:
      return NodeTaint.noSchedule(key, value);
  }
}

export function checkTaints(taints: NodeTaint[], managed: boolean, problems: Problems): void {
  if (taints.length > MOST_TAINTS) {
    problems.add(
      "taints",
      `must be at most ${MOST_TAINTS}, with those of the pool counted`,
      taints.length,
      "Remove some: pods have to tolerate each",
    );
  }
  const seen = new Set<string>();
  for (const { key, value } of taints) {
    const property = `taints[${show(key)}]`;
    checkKey(property, key, managed ? 63 : undefined, problems);
    checkLabelValue(property, value, problems);
    if (seen.has(key)) {
      problems.addText(
        property,
        "must be given once, because the autoscaler's tag of a key holds one value and one effect, got: two. Remove one of them",
      );
    }
    seen.add(key);
  }
}

/** A qualified name (Kubernetes, Labels and Selectors); EKS takes 63 characters in all, on managed node groups. */
function checkKey(property: string, key: string, limit: number | undefined, problems: Problems): void {
  if (!isKnown(key)) {
    problems.addText(
      property,
      "must be a literal key, because tags and addresses are made from it, got: a token. Write it out",
    );
    return;
  }
  const [name, prefix, ...rest] = key.split("/").reverse();
  const nameRight = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(name);
  const prefixRight =
    prefix === undefined ||
    (prefix.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/.test(prefix));
  if (rest.length > 0 || !nameRight || !prefixRight) {
    problems.add(
      property,
      "must be a Kubernetes key: an optional DNS name and a slash, then at most 63 letters, digits, hyphens, underscores and dots that start and end with a letter or a digit",
      key,
      "Correct the key",
    );
  } else if (limit !== undefined && key.length > limit) {
    problems.add(
      property,
      `must have at most ${limit} characters in a managed node group`,
      `${key.length} characters`,
      "Shorten the key",
    );
  }
}

export function checkLabelValue(property: string, value: unknown, problems: Problems): void {
  if (typeof value !== "string") {
    problems.add(property, "must be text", value, 'Put it in quotes, such as "true"');
  } else if (isKnown(value) && !/^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/.test(value)) {
    problems.add(
      property,
      "must have a value of at most 63 letters, digits, hyphens, underscores and dots that starts and ends with a letter or a digit",
      value,
      value.length > 63 ? `Shorten it: it has ${value.length} characters` : "Correct the value",
    );
  }
}

function checkNamespace(property: string, key: string, problems: Problems): void {
  const prefix = key.includes("/") ? key.slice(0, key.lastIndexOf("/")) : "";
  const within = (domain: string): boolean => prefix === domain || prefix.endsWith(`.${domain}`);
  if (SET_BY_KUBERNETES.includes(key)) {
    problems.addText(property, "is set by Kubernetes itself on every node. Leave it out");
  } else if (
    (within("kubernetes.io") || within("k8s.io")) &&
    !within("kubelet.kubernetes.io") &&
    !within("node.kubernetes.io")
  ) {
    problems.addText(
      property,
      `has the prefix ${prefix}/, which nodes may not give themselves: they could not join. Use a prefix of your own, such as example.com/`,
    );
  } else if (prefix === "eks.amazonaws.com") {
    problems.addText(
      property,
      "has the prefix eks.amazonaws.com/, which is reserved for EKS. Use a prefix of your own",
    );
  }
}
