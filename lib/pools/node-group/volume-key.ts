import { DataAwsCallerIdentity } from "@cdktf/provider-aws/lib/data-aws-caller-identity";
import { KmsGrant } from "@cdktf/provider-aws/lib/kms-grant";
import { KmsKey } from "@cdktf/provider-aws/lib/kms-key";
import { Fn, TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { partitionOf } from "../../internal/partition";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { isKnown } from "../../internal/tokens";
import { VolumeEncryption } from "../root-volume";

/** What EC2 Auto Scaling does with a key (EC2 Auto Scaling User Guide, KMS key policy for use with encrypted volumes). */
const USE = [
  "Encrypt",
  "Decrypt",
  "ReEncryptFrom",
  "ReEncryptTo",
  "GenerateDataKey",
  "GenerateDataKeyWithoutPlaintext",
  "DescribeKey",
];

/** The key of a pool's volumes, and what must exist before an instance starts. */
export interface VolumeKey {
  readonly keyArn?: string;
  readonly grants: TerraformResource[];
}

/**
 * A customer managed key, with Auto Scaling allowed to use it.
 *
 * The right is given to the service-linked role by its name, not by reference: key, cluster and group would otherwise wait
 * for each other.
 */
export function volumeKey(
  scope: Construct,
  encryption: VolumeEncryption | undefined,
  tags: { [key: string]: string },
  options: ResourceOptions,
): VolumeKey {
  if (encryption === undefined || (!encryption.isOwnKey && encryption.keyArn === undefined)) {
    return { grants: [] };
  }
  const partition = partitionOf(scope, options.provider);
  const account = new DataAwsCallerIdentity(scope, "Account", { provider: options.provider }).accountId;
  const autoScaling = `arn:${partition}:iam::${account}:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling`;
  if (encryption.keyArn !== undefined) {
    const grant = new KmsGrant(scope, "VolumeKeyGrant", {
      ...options,
      keyId: encryption.keyArn,
      granteePrincipal: autoScaling,
      operations: [...USE, "CreateGrant"],
    });
    return { keyArn: encryption.keyArn, grants: [grant] };
  }
  const key = new KmsKey(scope, "VolumeKey", {
    ...options,
    description: `Volumes of the GPU pool ${scope.node.path}`,
    enableKeyRotation: true,
    policy: Fn.jsonencode(keyPolicy(`arn:${partition}:iam::${account}:root`, autoScaling)),
    tags,
  });
  return { keyArn: key.arn, grants: [] };
}

function keyPolicy(root: string, autoScaling: string): object {
  return {
    Version: "2012-10-17",
    Statement: [
      { Sid: "Account", Effect: "Allow", Principal: { AWS: root }, Action: "kms:*", Resource: "*" },
      {
        Sid: "AutoScalingUses",
        Effect: "Allow",
        Principal: { AWS: autoScaling },
        Action: ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:DescribeKey"],
        Resource: "*",
      },
      {
        Sid: "AutoScalingAttachesVolumes",
        Effect: "Allow",
        Principal: { AWS: autoScaling },
        Action: "kms:CreateGrant",
        Resource: "*",
        Condition: { Bool: { "kms:GrantIsForAWSResource": "true" } },
      },
    ],
  };
}

export function checkVolumeKey(encryption: VolumeEncryption | undefined, problems: Problems): void {
  const arn = encryption?.keyArn;
  if (arn !== undefined && isKnown(arn) && !/^arn:[^:]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/.test(arn)) {
    problems.add(
      "rootVolume.encryption",
      "must be the ARN of a key",
      arn,
      "Give arn:aws:kms:<region>:<account>:key/<id>, not the ID or an alias",
    );
  }
}
