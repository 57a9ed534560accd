import { NodeTaint } from "../../cluster";
import { Problems } from "../../internal/problems";
import { TAG_LIMITS } from "../../internal/tags";
import { isKnown } from "../../internal/tokens";
import { ScaleDown } from "../scale-down";
import { ephemeralStorageGib, StorageChoices } from "./storage";
import { NodeShape } from "./shape";

const PREFIX = "k8s.io/cluster-autoscaler/node-template/";

/** MiB that the EFA driver sets aside a page for: pages of 2 MiB. */
const HUGEPAGE_MIB = 2;

export interface TemplateFacts {
  readonly shape: NodeShape;
  readonly labels: { [key: string]: string };
  readonly taints: NodeTaint[];
  readonly zones: string[];
  readonly storage: StorageChoices;
  readonly scaleDown?: ScaleDown;
}

/**
 * What the Cluster Autoscaler must read off an empty group to know the nodes that it would get.
 *
 * It derives vCPUs, memory and the count of GPUs from the instance type by itself, the last for any vendor as
 * `nvidia.com/gpu`; the rest it can only know from these tags of the Auto Scaling group.
 */
export function templateTags(facts: TemplateFacts): { [key: string]: string } {
  const { shape, labels, taints, zones, scaleDown } = facts;
  const tags: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(labels)) {
    tags[`${PREFIX}label/${key}`] = value;
  }
  if (zones.length === 1) {
    tags[`${PREFIX}label/topology.kubernetes.io/zone`] = zones[0];
  }
  for (const taint of taints) {
    tags[`${PREFIX}taint/${taint.key}`] = `${taint.value}:${taint.effect}`;
  }
  for (const [name, quantity] of Object.entries(nodeResources(shape, facts.storage))) {
    tags[`${PREFIX}resources/${name}`] = quantity;
  }
  for (const [option, value] of Object.entries(scaleDownOptions(scaleDown))) {
    tags[`${PREFIX}autoscaling-options/${option}`] = value;
  }
  return tags;
}

function nodeResources(shape: NodeShape, storage: StorageChoices): { [name: string]: string } {
  const type = shape.types[0];
  const efaDevices = shape.interfaces.filter((device) => device.interfaceType !== "interface").length;
  const ephemeral = ephemeralStorageGib(shape.types, storage);
  return {
    [type.resourceName]: String(shape.sharing._advertisedCount(type)),
    ...(type.neuronCoreCount > 0 && { "aws.amazon.com/neuroncore": String(type.neuronCoreCount) }),
    ...(type.resourceName !== "nvidia.com/gpu" && type.neuronCoreCount === 0 && { "nvidia.com/gpu": "0" }),
    ...(efaDevices > 0 && {
      "vpc.amazonaws.com/efa": String(efaDevices),
      "hugepages-2Mi": `${type.hugepages2MibWithEfa * HUGEPAGE_MIB}Mi`,
    }),
    ...(ephemeral !== undefined && { "ephemeral-storage": `${ephemeral}Gi` }),
  };
}

function scaleDownOptions(scaleDown: ScaleDown = {}): { [option: string]: string } {
  const { unneededMinutes, unreadyMinutes, gpuUtilizationThreshold } = scaleDown;
  return {
    ...(unneededMinutes !== undefined && { scaledownunneededtime: `${unneededMinutes}m0s` }),
    ...(unreadyMinutes !== undefined && { scaledownunreadytime: `${unreadyMinutes}m0s` }),
    ...(gpuUtilizationThreshold !== undefined && { scaledowngpuutilizationthreshold: String(gpuUtilizationThreshold) }),
  };
}

export function checkScaleDown(scaleDown: ScaleDown | undefined, problems: Problems): void {
  for (const [property, value] of Object.entries(scaleDown ?? {})) {
    const inside =
      property === "gpuUtilizationThreshold"
        ? typeof value === "number" && value >= 0 && value <= 1
        : Number.isSafeInteger(value) && value >= 1;
    if (value === undefined || inside) {
      continue;
    }
    const rule =
      property === "gpuUtilizationThreshold"
        ? "must be a number from 0 to 1"
        : "must be a whole number of minutes of at least 1";
    problems.add(
      `scaleDown.${property}`,
      rule,
      value,
      "It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own",
    );
  }
}

/**
 * Auto Scaling takes as many tags as other services, and a template has one for each label and taint. `others` are the
 * tags that EKS, or the pool, adds for discovery.
 */
export function checkTemplateTags(tags: { [key: string]: string }, others: number, problems: Problems): void {
  const count = Object.keys(tags).length + others;
  if (count > TAG_LIMITS.count) {
    problems.add(
      "labels",
      `and taints make one tag each on the Auto Scaling group, which takes ${TAG_LIMITS.count}, with ${others} for tags and discovery`,
      count,
      "Use fewer labels, taints and tags",
    );
  }
  for (const key of Object.keys(tags)) {
    if (isKnown(key) && key.length > TAG_LIMITS.key) {
      problems.add(
        "labels",
        `and taints become tags with keys of at most ${TAG_LIMITS.key} characters`,
        `${key.length} for ${key}`,
        `Shorten the key by ${key.length - TAG_LIMITS.key} characters`,
      );
    }
  }
}
