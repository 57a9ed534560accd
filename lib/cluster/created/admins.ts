import { DataAwsCallerIdentity } from "@cdktf/provider-aws/lib/data-aws-caller-identity";
import { DataAwsIamSessionContext } from "@cdktf/provider-aws/lib/data-aws-iam-session-context";
import { EksAccessEntry } from "@cdktf/provider-aws/lib/eks-access-entry";
import { EksAccessPolicyAssociation } from "@cdktf/provider-aws/lib/eks-access-policy-association";
import { EksCluster } from "@cdktf/provider-aws/lib/eks-cluster";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { shortHash } from "../../internal/names";
import { partitionOf } from "../../internal/partition";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { checkTextTokens } from "../../internal/texts";
import { identityOf, isKnown } from "../../internal/tokens";

export const CALLER_IS_ADMIN =
  "admins: left out, so that whoever applies administers the cluster, in place of whoever applied before. " +
  "A pipeline must name its role, and the people's, in admins";

/** Makes administrators of the roles, or of the role behind the caller's session. Returns what gives them their rights. */
export function admins(
  scope: Construct,
  cluster: EksCluster,
  arns: string[] | undefined,
  tags: { [key: string]: string },
  options: ResourceOptions,
): TerraformResource[] {
  const clusterName = cluster.name;
  const policyArn = `arn:${partitionOf(scope, options.provider)}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy`;
  const admin = (id: string, principalArn: string): TerraformResource => {
    const entry = new EksAccessEntry(scope, `Admin-${id}`, {
      ...options,
      clusterName,
      principalArn,
      type: "STANDARD",
      tags,
    });
    return new EksAccessPolicyAssociation(scope, `AdminPolicy-${id}`, {
      ...options,
      clusterName,
      principalArn: entry.principalArn,
      policyArn,
      accessScope: { type: "cluster" },
    });
  };
  return arns === undefined
    ? [admin("caller", callersRole(scope, options))]
    : arns.map((arn, index) => admin(isKnown(arn) ? shortHash(arn) : String(index), arn));
}

/** A session has an ARN of its own, which no access entry takes; the role behind it has another. */
function callersRole(scope: Construct, { provider }: ResourceOptions): string {
  const { arn } = new DataAwsCallerIdentity(scope, "Caller", { provider });
  return new DataAwsIamSessionContext(scope, "CallersRole", { provider, arn }).issuerArn;
}

export function checkAdmins(arns: string[] | undefined, problems: Problems): void {
  if (arns === undefined) {
    return;
  }
  if (arns.length === 0) {
    problems.add(
      "admins",
      "must name at least one role, because nobody could reach the cluster",
      arns,
      "Name the roles, or leave it out for whoever applies",
    );
  }
  arns.forEach((arn, index) => {
    const property = `admins[${index}]`;
    if (typeof arn === "string" && /^arn:[^:]+:sts:/.test(arn)) {
      problems.add(
        property,
        "must be the ARN of a role, not of a session with it",
        arn,
        "Give arn:aws:iam::<account>:role/<name>, with the role's path",
      );
    } else if (!checkTextTokens(property, arn, problems)) {
      return;
    } else if (typeof arn !== "string" || (isKnown(arn) && !/^arn:[^:]+:iam::\d{12}:(role|user)\/\S+$/.test(arn))) {
      problems.add(property, "must be the ARN of a role", arn, "Give arn:aws:iam::<account>:role/<name>");
    }
  });
  const ids = arns.map((arn) => (typeof arn === "string" ? identityOf(arn) : arn));
  const repeated = arns.find((_, index) => ids.indexOf(ids[index]) !== index);
  if (repeated !== undefined) {
    problems.add("admins", "must name each role once", repeated, "Remove the repetition");
  }
}
