import { CloudwatchLogGroup } from "@cdktf/provider-aws/lib/cloudwatch-log-group";
import { DataAwsCallerIdentity } from "@cdktf/provider-aws/lib/data-aws-caller-identity";
import { EksCluster } from "@cdktf/provider-aws/lib/eks-cluster";
import { IamRole } from "@cdktf/provider-aws/lib/iam-role";
import { IamRolePolicyAttachment } from "@cdktf/provider-aws/lib/iam-role-policy-attachment";
import { KmsKey } from "@cdktf/provider-aws/lib/kms-key";
import { Fn } from "cdktf";
import { Construct } from "constructs";
import { physicalName } from "../../internal/names";
import { partitionOf } from "../../internal/partition";
import { ResourceOptions } from "../../internal/resource-options";
import { assumedBy, IAM_ROLE_NAME } from "../../internal/roles";
import { ControlPlaneLog } from "../control-plane-logging";
import { EndpointAccess } from "../endpoint-access";
import { GpuClusterProps } from "../gpu-cluster-props";
import { Network } from "../network/network";

const DEFAULT_RETENTION_DAYS = 90;

export interface ControlPlaneFacts {
  readonly props: GpuClusterProps;
  readonly network: Network;
  readonly region: string;
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags: { [key: string]: string };
}

/** The EKS cluster itself, with its role, its key and its logs. */
export function controlPlane(scope: Construct, facts: ControlPlaneFacts, options: ResourceOptions): EksCluster {
  const { props, network, tags } = facts;
  const access = props.endpointAccess ?? EndpointAccess.privateOnly();
  const logTypes = props.logging?.types ?? Object.values(ControlPlaneLog);
  const role = clusterRole(scope, facts, options);
  const key = clusterKey(scope, facts, options);
  const logGroup = logTypes.length > 0 ? [controlPlaneLogs(scope, facts, key, options)] : [];
  return new EksCluster(scope, "Resource", {
    ...options,
    name: props.clusterName,
    version: props.kubernetesVersion,
    roleArn: role.arn,
    accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false },
    // The add-ons are Terraform's from the first; EKS would install its own beside them.
    bootstrapSelfManagedAddons: false,
    vpcConfig: {
      subnetIds: network.controlPlaneSubnetIds,
      endpointPrivateAccess: true,
      endpointPublicAccess: access.isPublic,
      publicAccessCidrs: access.isPublic ? access.publicCidrs : undefined,
    },
    kubernetesNetworkConfig: props.serviceCidr === undefined ? undefined : { serviceIpv4Cidr: props.serviceCidr },
    encryptionConfig: { resources: ["secrets"], provider: { keyArn: key.arn } },
    enabledClusterLogTypes: logTypes.length > 0 ? logTypes : undefined,
    deletionProtection: props.deletionProtection,
    tags,
    // The log group, because EKS would make one that keeps logs for ever.
    dependsOn: [...(options.dependsOn ?? []), role.policy, ...logGroup],
  });
}

interface ClusterRole {
  readonly arn: string;
  readonly policy: IamRolePolicyAttachment;
}

function clusterRole(scope: Construct, { realm, tags }: ControlPlaneFacts, options: ResourceOptions): ClusterRole {
  const role = new IamRole(scope, "Role", {
    ...options,
    name: physicalName(scope, IAM_ROLE_NAME, realm, "cluster"),
    description: "Control plane of one EKS cluster",
    assumeRolePolicy: assumedBy("eks.amazonaws.com"),
    tags,
  });
  const policy = new IamRolePolicyAttachment(scope, "Policy-AmazonEKSClusterPolicy", {
    ...options,
    role: role.name,
    policyArn: `arn:${partitionOf(scope, options.provider)}:iam::aws:policy/AmazonEKSClusterPolicy`,
  });
  return { arn: role.arn, policy };
}

/** One key for secrets and logs. EKS lets itself use it by grants, which whoever creates the cluster must be allowed to make. */
function clusterKey(scope: Construct, { props, region, tags }: ControlPlaneFacts, options: ResourceOptions): KmsKey {
  const partition = partitionOf(scope, options.provider);
  const account = new DataAwsCallerIdentity(scope, "Account", { provider: options.provider }).accountId;
  const logGroup = `arn:${partition}:logs:${region}:${account}:log-group:${logGroupName(props.clusterName)}`;
  return new KmsKey(scope, "Key", {
    ...options,
    description: `Secrets and control plane logs of the EKS cluster ${props.clusterName}`,
    enableKeyRotation: true,
    policy: Fn.jsonencode({
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "Account",
          Effect: "Allow",
          Principal: { AWS: `arn:${partition}:iam::${account}:root` },
          Action: "kms:*",
          Resource: "*",
        },
        {
          Sid: "Logs",
          Effect: "Allow",
          Principal: { Service: `logs.${region}.${region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com"}` },
          Action: ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
          Resource: "*",
          Condition: { ArnEquals: { "kms:EncryptionContext:aws:logs:arn": logGroup } },
        },
      ],
    }),
    tags,
  });
}

function controlPlaneLogs(
  scope: Construct,
  { props, tags }: ControlPlaneFacts,
  key: KmsKey,
  options: ResourceOptions,
): CloudwatchLogGroup {
  return new CloudwatchLogGroup(scope, "Logs", {
    ...options,
    name: logGroupName(props.clusterName),
    retentionInDays: props.logging?.retentionDays ?? DEFAULT_RETENTION_DAYS,
    kmsKeyId: key.arn,
    tags,
  });
}

/** The name that EKS writes to. */
function logGroupName(clusterName: string): string {
  return `/aws/eks/${clusterName}/cluster`;
}
