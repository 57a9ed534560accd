import { DataAwsSsmParameter } from "@cdktf/provider-aws/lib/data-aws-ssm-parameter";
import { ITerraformDependable } from "cdktf";
import { Construct } from "constructs";
import { ofSameStack } from "../../internal/dependables";
import { ResourceOptions } from "../../internal/resource-options";
import { NodeAccess } from "../node-role";
import { accessEntry, noteManagedRole } from "./access-entry";
import { nodeSecurity } from "./network";
import { NodeGroupPlan } from "./plan";
import { instanceProfile, RoleNames, roleOfNodes } from "./role";
import { volumeKey } from "./volume-key";

/** What the nodes of one pool share, however many groups it has. */
export interface NodeFoundation {
  readonly names: RoleNames;
  readonly options: ResourceOptions;
  readonly roleArn: string;
  readonly securityGroupIds: string[];
  readonly keyArn?: string;
  /** Given where EKS does not choose the image. */
  readonly imageId?: string;
  /** Given for self-managed groups. */
  readonly instanceProfileArn?: string;
  /** What must exist before a node starts, and go after the last one is gone. */
  readonly before: ITerraformDependable[];
}

export function nodeFoundation(scope: Construct, plan: NodeGroupPlan): NodeFoundation {
  const { choices, managed, shape, tags } = plan;
  const { cluster } = choices;
  const options: ResourceOptions = { provider: choices.provider, dependsOn: choices.dependsOn };
  const names: RoleNames = { name: choices.name, realm: realmOf(plan), tags };
  const role = roleOfNodes(scope, plan.role, managed, names, options);
  const added = choices.securityGroupIds ?? [];
  const security = nodeSecurity(scope, cluster, added, shape.interfaces.length > 0, names.realm, tags, options);
  const key = volumeKey(scope, choices.rootVolume?.encryption, tags, options);
  const common = {
    names,
    options,
    roleArn: role.arn,
    securityGroupIds: security.securityGroupIds,
    keyArn: key.keyArn,
    imageId: imageId(scope, plan, options),
  };
  const before = [...ofSameStack(scope, cluster._beforeNodes), ...role.policies, ...security.rules, ...key.grants];
  if (managed) {
    noteManagedRole(scope, cluster, role.arn);
    return { ...common, before };
  }
  const entry =
    plan.role.access === NodeAccess.CREATE_ACCESS_ENTRY
      ? accessEntry(scope, cluster, { arn: role.arn, isOwn: plan.role.roleArn === undefined }, tags, options)
      : [];
  const instanceProfileArn = instanceProfile(scope, role, names, options).arn;
  return { ...common, instanceProfileArn, before: [...before, ...entry] };
}

/** Names of one path are told apart by cluster and region: IAM knows one set of names for all regions. */
function realmOf({ choices, subnets }: NodeGroupPlan): string {
  return `${choices.cluster._knownName ?? ""}\n${subnets[0].availabilityZone.replace(/[a-z]$/, "")}`;
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
