import { PlacementGroup } from "@cdktf/provider-aws/lib/placement-group";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { displayName, NAME_LIMITS, physicalName } from "../../internal/names";
import { TAG_LIMITS } from "../../internal/tags";
import { CapacityMarket } from "../capacity";
import { ClusterPlacement } from "../cluster-placement";
import { blockEndCron } from "./capacity-checks";
import { NodeFoundation, nodeFoundation } from "./foundation";
import { selfManagedGroupPattern } from "./group-pattern";
import { launchTemplate, LaunchTemplateVersion } from "./launch-template";
import { GroupFacts, managedGroup } from "./managed-group";
import { claimName } from "./name";
import { NodeGroupPlan } from "./plan";
import { ScheduledActions } from "./scheduled-actions";
import { selfManagedGroup } from "./self-managed-group";

/** The service's limit (EC2 API, CreatePlacementGroup); the provider checks nothing. */
const PLACEMENT_GROUP_NAME = 255;

/** What was made. */
export interface NodeGroup {
  readonly resource: TerraformResource;
  /** Made when it is asked for, which is seldom: each attribute of a resource that is read costs time. */
  readonly nodeGroupName: () => string;
  readonly autoscalingGroupName: string;
  readonly autoscalingGroupPattern: string;
  readonly nodeRoleArn: string;
  readonly launchTemplateId: string;
  readonly schedules: ScheduledActions;
}

/**
 * Makes the resources of a plan. Whatever can be wrong was found while planning.
 *
 * `foundation` is given for a further group of the same pool.
 */
export function buildNodeGroup(scope: Construct, plan: NodeGroupPlan, foundation?: NodeFoundation): NodeGroup {
  const { choices, managed } = plan;
  claimName(scope, choices);
  const shared = foundation ?? nodeFoundation(scope, plan);
  const template = templateOf(scope, plan, shared);
  const group: GroupFacts = {
    cluster: choices.cluster,
    kubernetesVersion: plan.kubernetesVersion,
    name: choices.name,
    shape: plan.shape,
    capacity: plan.capacity,
    purchasePlan: plan.purchasePlan,
    bounds: plan.bounds,
    subnetIds: plan.subnets.map((subnet) => subnet.subnetId),
    template,
    updatePolicy: choices.updatePolicy,
    tags: plan.tags,
    templateTags: plan.templateTags,
    before: shared.before,
  };
  const made = managed ? makeManaged(scope, plan, group, shared) : makeSelfManaged(scope, plan, group, shared);
  return { ...made, nodeRoleArn: shared.roleArn, launchTemplateId: template.id };
}

type MadeGroup = Omit<NodeGroup, "nodeRoleArn" | "launchTemplateId">;

function makeManaged(
  scope: Construct,
  { choices, labels, taints, bounds, capacity }: NodeGroupPlan,
  group: GroupFacts,
  { roleArn, options }: NodeFoundation,
): MadeGroup {
  const facts = { ...group, labels, taints, roleArn, nodeRepair: choices.nodeRepair };
  const { group: resource, ...named } = managedGroup(scope, facts, options);
  const owned = ["scaling_config[0].min_size", "scaling_config[0].max_size"];
  const limits = { ...bounds, instanceCount: capacity.instanceCount };
  const schedules = new ScheduledActions(scope, named.autoscalingGroupName, resource, owned, limits, options);
  return { ...named, resource, nodeGroupName: () => resource.nodeGroupName, schedules };
}

function makeSelfManaged(
  scope: Construct,
  { bounds, capacity, choices }: NodeGroupPlan,
  group: GroupFacts,
  { names, options }: NodeFoundation,
): MadeGroup {
  const facts = { ...group, realm: names.realm, choices };
  const resource = selfManagedGroup(scope, facts, options);
  const autoscalingGroupName = resource.name;
  const owned = ["min_size", "max_size"];
  const limits = { ...bounds, instanceCount: capacity.instanceCount, isFinal: choices.maxNodesIsFinal };
  const schedules = new ScheduledActions(scope, autoscalingGroupName, resource, owned, limits, options);
  if (capacity.endsAt !== undefined) {
    schedules.add({ cron: blockEndCron(capacity.endsAt), timezone: "UTC", minNodes: 0, maxNodes: 0, desiredNodes: 0 });
  }
  return {
    resource,
    nodeGroupName: () => autoscalingGroupName,
    autoscalingGroupName,
    autoscalingGroupPattern: selfManagedGroupPattern(resource.nameInput ?? autoscalingGroupName),
    schedules,
  };
}

function templateOf(scope: Construct, plan: NodeGroupPlan, shared: NodeFoundation): LaunchTemplateVersion {
  const { choices, managed, shape, capacity, tags } = plan;
  const oneType = capacity.market === CapacityMarket.CAPACITY_BLOCK || (!managed && shape.types.length === 1);
  return launchTemplate(
    scope,
    {
      name: choices.name ?? physicalName(scope, NAME_LIMITS.launchTemplate, shared.names.realm),
      image: shape.image,
      imageId: shared.imageId,
      instanceType: oneType ? shape.types[0].instanceType : undefined,
      instanceProfileArn: shared.instanceProfileArn,
      capacity,
      interfaces: shape.interfaces,
      securityGroupIds: shared.securityGroupIds,
      publicAddress: choices.associatePublicIpAddress,
      placementGroup: placementGroup(scope, choices.placement, shared),
      rootVolume: choices.rootVolume ?? {},
      keyArn: shared.keyArn,
      imdsHopLimit: choices.imdsHopLimit ?? 1,
      userData: plan.userData,
      tags,
      instanceTags: { Name: displayName(scope, TAG_LIMITS.value), ...tags },
    },
    shared.options,
  );
}

function placementGroup(
  scope: Construct,
  placement: ClusterPlacement | undefined,
  { names, options }: NodeFoundation,
): string | undefined {
  if (!placement?.isOwn) {
    return placement?.groupName;
  }
  return new PlacementGroup(scope, "PlacementGroup", {
    ...options,
    name: physicalName(scope, PLACEMENT_GROUP_NAME, names.realm),
    strategy: "cluster",
    tags: names.tags,
  }).name;
}
