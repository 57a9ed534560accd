import { EksAccessEntry } from "@cdktf/provider-aws/lib/eks-access-entry";
import { IamInstanceProfile } from "@cdktf/provider-aws/lib/iam-instance-profile";
import { IamRole } from "@cdktf/provider-aws/lib/iam-role";
import { IamRolePolicyAttachment } from "@cdktf/provider-aws/lib/iam-role-policy-attachment";
import { TerraformResource, TerraformStack } from "cdktf";
import { Construct } from "constructs";
import { IGpuCluster } from "../../cluster";
import { checkLists } from "../../internal/choices";
import { physicalName, shortHash } from "../../internal/names";
import { partitionOf } from "../../internal/partition";
import { onStack } from "../../internal/per-stack";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { identityOf, isKnown } from "../../internal/tokens";
import { NodeAccess, NodeRole } from "../node-role";

/** IAM's limits (IAM and STS quotas). */
const ROLE_NAME = 64;
const INSTANCE_PROFILE_NAME = 128;

/** What a node needs (EKS User Guide, Amazon EKS node IAM role): to join, to pull images, to give pods addresses. */
const NODE_POLICIES = ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "AmazonEKS_CNI_Policy"];

const ASSUMED_BY_EC2 = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
});

/** A role that nodes have, with what must be there before a node starts and after the last one is gone. */
export interface RoleOfNodes {
  readonly arn: string;
  readonly name: string;
  readonly policies: TerraformResource[];
}

export interface RoleNames {
  /** The user's name for the pool, where there is one. */
  readonly name?: string;
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags: { [key: string]: string };
}

export function roleOfNodes(
  scope: Construct,
  role: NodeRole,
  { name, realm, tags }: RoleNames,
  options: ResourceOptions,
): RoleOfNodes {
  if (role.roleArn !== undefined) {
    return { arn: role.roleArn, name: nameOf(role), policies: [] };
  }
  const own = new IamRole(scope, "Role", {
    ...options,
    name: name === undefined ? physicalName(scope, ROLE_NAME, realm, "node") : `${name}-node`,
    description: "Nodes of one GPU pool",
    assumeRolePolicy: ASSUMED_BY_EC2,
    tags,
  });
  const partition = partitionOf(scope, options.provider);
  const roleName = own.name;
  const attach = (id: string, policyArn: string): TerraformResource =>
    new IamRolePolicyAttachment(scope, id, { ...options, role: roleName, policyArn });
  return {
    arn: own.arn,
    name: roleName,
    policies: [
      ...NODE_POLICIES.map((policy) => attach(`Policy-${policy}`, `arn:${partition}:iam::aws:policy/${policy}`)),
      ...role.managedPolicyArns.map((arn, index) => attach(`Policy-${isKnown(arn) ? shortHash(arn) : index}`, arn)),
    ],
  };
}

/** A literal ARN ends with the role's name, after its path. */
function nameOf({ roleArn = "", roleName }: NodeRole): string {
  return roleName ?? roleArn.slice(roleArn.lastIndexOf("/") + 1);
}

export function instanceProfile(
  scope: Construct,
  role: RoleOfNodes,
  { name, realm, tags }: RoleNames,
  options: ResourceOptions,
): IamInstanceProfile {
  return new IamInstanceProfile(scope, "InstanceProfile", {
    ...options,
    name: name === undefined ? physicalName(scope, INSTANCE_PROFILE_NAME, realm, "node") : `${name}-node`,
    role: role.name,
    tags,
  });
}

/**
 * Lets self-managed nodes join. EKS takes one access entry for a role, so that pools of a stack that share a role share
 * the entry that the first of them makes.
 */
export function accessEntry(
  scope: Construct,
  cluster: IGpuCluster,
  arn: string,
  tags: { [key: string]: string },
  options: ResourceOptions,
): TerraformResource {
  const { entries, managed } = rolesOf(scope);
  const key = roleKey(cluster, arn);
  const existing = entries.get(key);
  if (existing) {
    return existing;
  }
  const entry = new EksAccessEntry(scope, "AccessEntry", {
    ...options,
    clusterName: cluster.clusterName,
    principalArn: arn,
    type: "EC2_LINUX",
    tags,
  });
  entries.set(key, entry);
  scope.node.addValidation({
    validate: () =>
      managed.has(key)
        ? [
            `${scope.node.path}: nodeRole: must not make an access entry for a role that the managed node group ${managed.get(key)} has, ` +
              `because EKS makes that one itself. Give NodeRole.existing() the access HAS_ACCESS_ENTRY`,
          ]
        : [],
  });
  return entry;
}

/** Remembers that EKS makes the access entry of a role. */
export function noteManagedRole(scope: Construct, cluster: IGpuCluster, arn: string): void {
  rolesOf(scope).managed.set(roleKey(cluster, arn), scope.node.path);
}

/** Who answers for the access entries of a stack's node roles. */
interface RolesOfStack {
  /** Made by pools. */
  readonly entries: Map<string, TerraformResource>;
  /** Made by EKS, for the node group at the path. */
  readonly managed: Map<string, string>;
}

const ROLES = Symbol.for("cdktf-elastic-gpu/NodeRoles");

function rolesOf(scope: Construct): RolesOfStack {
  return onStack(TerraformStack.of(scope), ROLES, () => ({ entries: new Map(), managed: new Map() }));
}

function roleKey(cluster: IGpuCluster, arn: string): string {
  return `${cluster.node.path}\n${identityOf(arn)}`;
}

export function checkRole(role: NodeRole, managed: boolean, problems: Problems): void {
  const { roleArn, roleName, access, managedPolicyArns } = role;
  if (roleArn !== undefined && isKnown(roleArn) && !/^arn:[^:]+:iam::\d{12}:role\/.+$/.test(roleArn)) {
    problems.add("nodeRole.roleArn", "must be the ARN of a role", roleArn, "Give arn:aws:iam::<account>:role/<name>");
  }
  if (roleArn !== undefined && !isKnown(roleArn) && roleName === undefined && !managed) {
    problems.addText(
      "nodeRole.roleName",
      "must be given where roleArn is a token, because the instance profile of a self-managed group needs it, got: undefined. Pass the role's name",
    );
  }
  if (managed && roleArn !== undefined && access === NodeAccess.HAS_ACCESS_ENTRY) {
    problems.addText(
      "nodeRole.access",
      "must be left out for a managed node group, whose access entry EKS makes. Leave it out",
    );
  }
  const property = "nodeRole.managedPolicyArns";
  const before = problems.count;
  checkLists({ [property]: managedPolicyArns }, [property], problems);
  if (problems.count > before) {
    return;
  }
  managedPolicyArns.forEach((arn, index) => {
    if (isKnown(arn) && !/^arn:[^:]+:iam::(aws|\d{12}):policy\/.+$/.test(arn)) {
      problems.add(
        `${property}[${index}]`,
        "must be the ARN of a managed policy",
        arn,
        "Give arn:aws:iam::aws:policy/<name> or one of your account",
      );
    }
  });
}
