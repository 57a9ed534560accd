import { DataAwsSsmParameter } from "@cdktf/provider-aws/lib/data-aws-ssm-parameter";
import { PlacementGroup } from "@cdktf/provider-aws/lib/placement-group";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { ofSameStack } from "../../internal/dependables";
import { displayName, physicalName } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";
import { TAG_LIMITS } from "../../internal/tags";
import { CapacityMarket } from "../capacity";
import { ClusterPlacement } from "../cluster-placement";
import { NodeAccess } from "../node-role";
import { accessEntry, noteManagedRole } from "./access-entry";
import { blockEndCron } from "./capacity-checks";
import { selfManagedGroupPattern } from "./group-pattern";
import { launchTemplate } from "./launch-template";
import { GroupFacts, managedGroup } from "./managed-group";
import { claimName } from "./name";
import { nodeSecurity } from "./network";
import { NodeGroupPlan } from "./plan";
import { instanceProfile, RoleNames, roleOfNodes } from "./role";
import { ScheduledActions } from "./scheduled-actions";
import { selfManagedGroup } from "./self-managed-group";
import { volumeKey } from "./volume-key";

/** The provider's limit, which is below the service's 128. */
const LAUNCH_TEMPLATE_NAME = 125;
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

/** Makes the resources of a plan. Whatever can be wrong was found while planning. */
export function buildNodeGroup(scope: Construct, plan: NodeGroupPlan): NodeGroup {
  const { props, managed, shape, capacity, tags } = plan;
  claimName(scope, props.cluster, props.name);
  const options: ResourceOptions = { provider: props.provider, dependsOn: props.dependsOn };
  const names: RoleNames = { name: props.name, realm: realmOf(plan), tags };
  const role = roleOfNodes(scope, plan.role, managed, names, options);
  const security = nodeSecurity(
    scope,
    props.cluster,
    props.securityGroupIds ?? [],
    shape.interfaces.length > 0,
    names.realm,
    tags,
    options,
  );
  const key = volumeKey(scope, props.rootVolume?.encryption, tags, options);
  const single = shape.types.length === 1;
  const template = launchTemplate(
    scope,
    {
      name: props.name ?? physicalName(scope, LAUNCH_TEMPLATE_NAME, names.realm),
      image: shape.image,
      imageId: imageId(scope, plan, options),
      instanceType:
        capacity.market === CapacityMarket.CAPACITY_BLOCK || (!managed && single)
          ? shape.types[0].instanceType
          : undefined,
      instanceProfileArn: managed ? undefined : instanceProfile(scope, role, names, options).arn,
      capacity,
      interfaces: shape.interfaces,
      securityGroupIds: security.securityGroupIds,
      publicAddress: props.associatePublicIpAddress,
      placementGroup: placementGroup(scope, props.placement, names, options),
      rootVolume: props.rootVolume ?? {},
      keyArn: key.keyArn,
      imdsHopLimit: props.imdsHopLimit ?? 1,
      userData: plan.userData,
      tags,
      instanceTags: { Name: displayName(scope, TAG_LIMITS.value), ...tags },
    },
    options,
  );
  const group: GroupFacts = {
    cluster: props.cluster,
    kubernetesVersion: plan.kubernetesVersion,
    name: props.name,
    shape,
    capacity,
    bounds: plan.bounds,
    subnetIds: plan.subnets.map((subnet) => subnet.subnetId),
    template,
    updatePolicy: props.updatePolicy,
    tags,
    templateTags: plan.templateTags,
    before: [...ofSameStack(scope, props.cluster._beforeNodes), ...role.policies, ...security.rules, ...key.grants],
  };
  const built = { nodeRoleArn: role.arn, launchTemplateId: template.id };
  const limits = { ...plan.bounds, instanceCount: capacity.instanceCount };
  if (managed) {
    noteManagedRole(scope, props.cluster, role.arn);
    const { labels, taints } = plan;
    const { group: resource, ...named } = managedGroup(
      scope,
      { ...group, labels, taints, roleArn: role.arn, nodeRepair: props.nodeRepair },
      options,
    );
    const owned = ["scaling_config[0].min_size", "scaling_config[0].max_size"];
    const schedules = new ScheduledActions(scope, named.autoscalingGroupName, resource, owned, limits, options);
    return { ...built, ...named, resource, nodeGroupName: () => resource.nodeGroupName, schedules };
  }
  const entry =
    plan.role.access === NodeAccess.CREATE_ACCESS_ENTRY
      ? accessEntry(scope, props.cluster, { arn: role.arn, isOwn: plan.role.roleArn === undefined }, tags, options)
      : [];
  const before = [...group.before, ...entry];
  const resource = selfManagedGroup(scope, { ...group, before, realm: names.realm }, options);
  const autoscalingGroupName = resource.name;
  const owned = ["min_size", "max_size"];
  const schedules = new ScheduledActions(scope, autoscalingGroupName, resource, owned, limits, options);
  if (capacity.endsAt !== undefined) {
    schedules.add({ cron: blockEndCron(capacity.endsAt), timezone: "UTC", minNodes: 0, maxNodes: 0, desiredNodes: 0 });
  }
  return {
    ...built,
    resource,
    nodeGroupName: () => autoscalingGroupName,
    autoscalingGroupName,
    autoscalingGroupPattern: selfManagedGroupPattern(resource.nameInput ?? autoscalingGroupName),
    schedules,
  };
}

/** Names of one path are told apart by cluster and region: IAM knows one set of names for all regions. */
function realmOf({ props, subnets }: NodeGroupPlan): string {
  return `${props.cluster._knownName ?? ""}\n${subnets[0].availabilityZone.replace(/[a-z]$/, "")}`;
}

/** EKS chooses the image of a managed node group; the others read the parameter in which AWS publishes it. */
function imageId(
  scope: Construct,
  { managed, shape, kubernetesVersion }: NodeGroupPlan,
  options: ResourceOptions,
): string | undefined {
  const { image, types } = shape;
  if (image.imageId !== undefined || managed) {
    return image.imageId;
  }
  const name = image._ssmParameter(types[0].architecture, kubernetesVersion);
  // The plain value: a plan shows a new image, where the ordinary attribute would be hidden as sensitive.
  return new DataAwsSsmParameter(scope, "Image", { provider: options.provider, name }).insecureValue;
}

function placementGroup(
  scope: Construct,
  placement: ClusterPlacement | undefined,
  { realm, tags }: RoleNames,
  options: ResourceOptions,
): string | undefined {
  if (!placement?.isOwn) {
    return placement?.groupName;
  }
  return new PlacementGroup(scope, "PlacementGroup", {
    ...options,
    name: physicalName(scope, PLACEMENT_GROUP_NAME, realm),
    strategy: "cluster",
    tags,
  }).name;
}
