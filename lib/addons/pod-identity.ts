import { EksPodIdentityAssociation } from "@cdktf/provider-aws/lib/eks-pod-identity-association";
import { IamRole } from "@cdktf/provider-aws/lib/iam-role";
import { IamRolePolicy } from "@cdktf/provider-aws/lib/iam-role-policy";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { realmOf } from "../cluster/identity";
import { physicalName } from "../internal/names";
import { policyDocument } from "../internal/policy-document";
import { Problems } from "../internal/problems";
import { requireAwsProvider } from "../internal/providers";
import { ResourceOptions } from "../internal/resource-options";
import { assumedByPods, IAM_ROLE_NAME } from "../internal/roles";
import { checkTagKeys, checkTagMap } from "../internal/tags";
import { NAMESPACE } from "./helm-addon";
import { AwsAddonProps } from "./helm-addon-props";

/** One permission of a controller. */
export interface Statement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: string[];
  readonly Resource: string | string[];
  readonly Condition?: { [operator: string]: { [key: string]: string | string[] } };
}

/** Which pods get a role, and what it permits. */
export interface Identity {
  readonly serviceAccount: string;
  /** Who has it, for people who look at roles. */
  readonly description: string;
  readonly statements: Statement[];
}

export interface PodIdentity {
  readonly roleName: string;
  /** What pods need to get credentials with permissions; the agent gives them at the pod's start, and not later. */
  readonly before: TerraformResource[];
}

/** The properties of add-ons that call AWS, beyond those of all. */
export const AWS_PROPERTIES = { provider: true, tags: true } as const;

/** Checks those. */
export function checkAws({ tags = {} }: AwsAddonProps, problems: Problems): void {
  checkTagMap(tags, "cluster", problems);
  checkTagKeys(Object.keys(tags), problems);
}

/** Gives the pods of one service account a role through EKS Pod Identity. */
export function podIdentity(scope: Construct, props: AwsAddonProps, identity: Identity): PodIdentity {
  const { cluster, provider, dependsOn, tags } = props;
  const { serviceAccount, description, statements } = identity;
  requireAwsProvider(scope, provider);
  const options: ResourceOptions = { provider, dependsOn };
  const { clusterName } = cluster;
  const realm = realmOf(cluster);
  const role = new IamRole(scope, "Role", {
    ...options,
    name: physicalName(scope, IAM_ROLE_NAME, realm),
    description,
    assumeRolePolicy: assumedByPods(clusterName, NAMESPACE, serviceAccount),
    tags,
  });
  const permissions = new IamRolePolicy(scope, "Policy", {
    ...options,
    role: role.name,
    name: "controller",
    policy: policyDocument(statements),
  });
  const association = new EksPodIdentityAssociation(scope, "PodIdentity", {
    ...options,
    clusterName,
    namespace: NAMESPACE,
    serviceAccount,
    roleArn: role.arn,
    tags,
  });
  return { roleName: role.name, before: [permissions, association] };
}
