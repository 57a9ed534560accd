import { AutoscalingGroupTagA } from "@cdktf/provider-aws/lib/autoscaling-group-tag";
import { EksNodeGroup, EksNodeGroupNodeRepairConfig } from "@cdktf/provider-aws/lib/eks-node-group";
import { ITerraformDependable } from "cdktf";
import { Construct } from "constructs";
import { IGpuCluster, NodeTaint, PurchasePlan } from "../../cluster";
import { physicalNamePrefix, shortHash } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";
import { Capacity, CapacityMarket } from "../capacity";
import { NodeRepair } from "../node-repair";
import { UpdatePolicy } from "../update-policy";
import { Bounds } from "./bounds";
import { managedGroupPattern } from "./group-pattern";
import { LaunchTemplateVersion } from "./launch-template";
import { NodeShape } from "./shape";

/** Limit of the provider for `node_group_name_prefix`: EKS takes names of 63, and Terraform adds 26 characters. */
const NAME_PREFIX = 37;

export interface GroupFacts {
  readonly cluster: IGpuCluster;
  /** Of the nodes. */
  readonly kubernetesVersion: string;
  /** The user's name for the pool, where there is one. */
  readonly name?: string;
  readonly shape: NodeShape;
  readonly capacity: Capacity;
  readonly purchasePlan: PurchasePlan;
  readonly bounds: Bounds;
  readonly subnetIds: string[];
  readonly template: LaunchTemplateVersion;
  readonly updatePolicy?: UpdatePolicy;
  readonly tags: { [key: string]: string };
  readonly templateTags: { [key: string]: string };
  /** What must exist before a node starts, and go after the last one is gone. */
  readonly before: ITerraformDependable[];
}

export interface ManagedGroupFacts extends GroupFacts {
  readonly labels: { [key: string]: string };
  readonly taints: NodeTaint[];
  readonly roleArn: string;
  readonly nodeRepair?: NodeRepair;
}

export interface ManagedGroup {
  readonly group: EksNodeGroup;
  readonly autoscalingGroupName: string;
  readonly autoscalingGroupPattern: string;
}

/** An EKS managed node group, with the autoscaler's tags on its Auto Scaling group. */
export function managedGroup(scope: Construct, facts: ManagedGroupFacts, options: ResourceOptions): ManagedGroup {
  const { cluster, name, shape, capacity, bounds, template } = facts;
  const prefix = physicalNamePrefix(scope, NAME_PREFIX);
  const group = new EksNodeGroup(scope, "Resource", {
    ...options,
    clusterName: cluster.clusterName,
    // Most changes of a node group replace it. A new name each time lets the new one start before the old one drains.
    ...(name === undefined ? { nodeGroupNamePrefix: prefix } : { nodeGroupName: name }),
    nodeRoleArn: facts.roleArn,
    subnetIds: facts.subnetIds,
    capacityType: CAPACITY_TYPES[capacity.market],
    // In a Capacity Block the type stands in the launch template, and EKS takes it in one place only.
    instanceTypes:
      capacity.market === CapacityMarket.CAPACITY_BLOCK ? undefined : shape.types.map((type) => type.instanceType),
    ...image(facts),
    scalingConfig: { minSize: bounds.minNodes, maxSize: bounds.maxNodes, desiredSize: bounds.desiredNodes },
    launchTemplate: template,
    labels: facts.labels,
    taint: facts.taints.map((taint) => ({ key: taint.key, value: taint.value, effect: taint._eksEffect })),
    updateConfig: updateConfig(facts.updatePolicy),
    nodeRepairConfig: repairConfig(facts.nodeRepair),
    tags: facts.tags,
    dependsOn: [...(options.dependsOn ?? []), ...facts.before],
    lifecycle: {
      ...(name === undefined && { createBeforeDestroy: true }),
      ignoreChanges: ["scaling_config[0].desired_size"],
    },
  });
  const autoscalingGroupName = group.resources.get(0).autoscalingGroups.get(0).name;
  tagAutoscalingGroup(scope, autoscalingGroupName, { ...facts.tags, ...facts.templateTags }, options);
  return { group, autoscalingGroupName, autoscalingGroupPattern: managedGroupPattern(name, prefix) };
}

const CAPACITY_TYPES = {
  [CapacityMarket.ON_DEMAND]: "ON_DEMAND",
  [CapacityMarket.RESERVATION]: "ON_DEMAND",
  [CapacityMarket.SPOT]: "SPOT",
  [CapacityMarket.CAPACITY_BLOCK]: "CAPACITY_BLOCK",
};

/** With an image of the user's own, EKS takes neither a type of image nor a version. */
function image({ kubernetesVersion, shape }: ManagedGroupFacts): {
  amiType?: string;
  version?: string;
  releaseVersion?: string;
} {
  const { image, types } = shape;
  return image.imageId === undefined
    ? {
        amiType: image._amiType(types[0].architecture),
        version: kubernetesVersion,
        releaseVersion: image.releaseVersion,
      }
    : {};
}

function updateConfig(policy: UpdatePolicy = UpdatePolicy.maxUnavailable(1)): {
  maxUnavailable?: number;
  maxUnavailablePercentage?: number;
} {
  return { maxUnavailable: policy.unavailableNodes, maxUnavailablePercentage: policy.unavailablePercentage };
}

function repairConfig(repair: NodeRepair | undefined): EksNodeGroupNodeRepairConfig | undefined {
  return (
    repair && {
      enabled: repair.isEnabled,
      maxParallelNodesRepairedCount: repair.maxParallelNodes,
      maxUnhealthyNodeThresholdCount: repair.maxUnhealthyNodes,
    }
  );
}

/**
 * One resource a tag: tags of a node group do not reach its Auto Scaling group, and a `for_each` over a name that is known
 * after apply cannot be planned. Their addresses follow the keys, so that none moves when others come and go.
 */
function tagAutoscalingGroup(
  scope: Construct,
  autoscalingGroupName: string,
  tags: { [key: string]: string },
  options: ResourceOptions,
): void {
  for (const [key, value] of Object.entries(tags)) {
    new AutoscalingGroupTagA(scope, `Tag-${tagId(key)}`, {
      ...options,
      autoscalingGroupName,
      tag: { key, value, propagateAtLaunch: false },
    });
  }
}

/** The few keys that all pools have, with their ids. */
const tagIds = new Map<string, string>();

/** The last parts of the key for a reader, and a hash, since keys differ in signs that ids do not take. */
function tagId(key: string): string {
  const known = tagIds.get(key);
  if (known !== undefined) {
    return known;
  }
  const parts = key.split("/").slice(-2).join("-");
  const id = `${parts.replace(/[^A-Za-z0-9-]+/g, "-")}-${shortHash(key)}`;
  tagIds.set(key, id);
  return id;
}
