import { IamRole } from "@cdktf/provider-aws/lib/iam-role";
import { IamRolePolicyAttachment } from "@cdktf/provider-aws/lib/iam-role-policy-attachment";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { shortHash } from "./names";
import { partitionOf } from "./partition";
import { ResourceOptions } from "./resource-options";
import { assumedBy } from "./roles";
import { isKnown } from "./tokens";

/** What a node needs (EKS User Guide, Amazon EKS node IAM role): to join, to pull images, to give pods addresses. */
export const NODE_POLICIES = [
  "AmazonEKSWorkerNodePolicy",
  "AmazonEC2ContainerRegistryPullOnly",
  "AmazonEKS_CNI_Policy",
];

/** A role that nodes have, with what must be there before a node starts and after the last one is gone. */
export interface RoleOfNodes {
  readonly arn: string;
  readonly name: string;
  readonly policies: TerraformResource[];
}

export interface NodeRoleFacts {
  readonly name: string;
  readonly description: string;
  /** Policies beyond what every node needs. */
  readonly managedPolicyArns: string[];
  readonly tags: { [key: string]: string };
}

/** A role for nodes, with the policies that EKS nodes need. */
export function ownNodeRole(scope: Construct, facts: NodeRoleFacts, options: ResourceOptions): RoleOfNodes {
  const { name, description, managedPolicyArns, tags } = facts;
  const own = new IamRole(scope, "Role", {
    ...options,
    name,
    description,
    assumeRolePolicy: assumedBy("ec2.amazonaws.com"),
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
      ...managedPolicyArns.map((arn, index) => attach(`Policy-${isKnown(arn) ? shortHash(arn) : index}`, arn)),
    ],
  };
}
