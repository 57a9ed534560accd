import { IamInstanceProfile } from "@cdktf/provider-aws/lib/iam-instance-profile";
import { Construct } from "constructs";
import { checkLists } from "../../internal/choices";
import { physicalName } from "../../internal/names";
import { NODE_POLICIES, ownNodeRole, RoleOfNodes } from "../../internal/node-role";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { IAM_ROLE_NAME } from "../../internal/roles";
import { isKnown } from "../../internal/tokens";
import { NodeAccess, NodeRole } from "../node-role";

/** IAM's limits (IAM and STS quotas). A role has 10 policies, unless the account asks for up to 20. */
const INSTANCE_PROFILE_NAME = 128;
const MOST_POLICIES = 20;

export interface RoleNames {
  /** The user's name for the pool, where there is one. */
  readonly name?: string;
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags: { [key: string]: string };
}

/**
 * What a role's name ends with. The kinds of group have different roles, in name and address, because the access entry that
 * EKS makes for the one is in the way of the other's while a pool changes from kind to kind.
 */
export const ROLE_SUFFIX = { managed: "node", selfManaged: "self-managed-node" };

export function roleOfNodes(
  scope: Construct,
  role: NodeRole,
  managed: boolean,
  { name, realm, tags }: RoleNames,
  options: ResourceOptions,
): RoleOfNodes {
  if (role.roleArn !== undefined) {
    return { arn: role.roleArn, name: nameOf(role), policies: [] };
  }
  const suffix = managed ? ROLE_SUFFIX.managed : ROLE_SUFFIX.selfManaged;
  return ownNodeRole(
    managed ? scope : new Construct(scope, "SelfManaged"),
    {
      name: name === undefined ? physicalName(scope, IAM_ROLE_NAME, realm, suffix) : `${name}-${suffix}`,
      description: "Nodes of one GPU pool",
      managedPolicyArns: role.managedPolicyArns,
      tags,
    },
    options,
  );
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
  if (problems.count === before) {
    checkPolicies(property, managedPolicyArns, problems);
  }
}

function checkPolicies(property: string, arns: string[], problems: Problems): void {
  arns.forEach((arn, index) => {
    const standard = NODE_POLICIES.find((policy) => arn.endsWith(`:iam::aws:policy/${policy}`));
    if (isKnown(arn) && !/^arn:[^:]+:iam::(aws|\d{12}):policy\/.+$/.test(arn)) {
      problems.add(
        `${property}[${index}]`,
        "must be the ARN of a managed policy",
        arn,
        "Give arn:aws:iam::aws:policy/<name> or one of your account",
      );
    } else if (standard !== undefined) {
      problems.add(`${property}[${index}]`, "must not be a policy that every node role has", standard, "Remove it");
    } else if (arns.indexOf(arn) !== index) {
      problems.add(`${property}[${index}]`, "must be given once", arn, "Remove the repetition");
    }
  });
  if (arns.length + NODE_POLICIES.length > MOST_POLICIES) {
    problems.add(
      property,
      `must be at most ${MOST_POLICIES - NODE_POLICIES.length}, since a role takes ${MOST_POLICIES} with those that nodes need`,
      arns.length,
      "Put several permissions into one policy",
    );
  }
}
