import { EfaInterface } from "../../accelerators";
import { LaunchTemplateNetworkInterfaces } from "@cdktf/provider-aws/lib/launch-template";
import { SecurityGroup } from "@cdktf/provider-aws/lib/security-group";
import { VpcSecurityGroupEgressRule } from "@cdktf/provider-aws/lib/vpc-security-group-egress-rule";
import { VpcSecurityGroupIngressRule } from "@cdktf/provider-aws/lib/vpc-security-group-ingress-rule";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { IGpuCluster } from "../../cluster";
import { physicalName } from "../../internal/names";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { identityOf, isKnown } from "../../internal/tokens";

/** The service's limit (EC2 API, CreateSecurityGroup). */
const SECURITY_GROUP_NAME = 255;

/** The most that the quota "Security groups per network interface" can be raised to (Amazon VPC quotas). */
const MOST_SECURITY_GROUPS = 16;

/** Security groups of a node, and what must exist before a node starts. */
export interface NodeSecurity {
  readonly securityGroupIds: string[];
  readonly rules: TerraformResource[];
}

/**
 * The cluster's security group, the user's, and with EFA one of the pool's own that is open to itself.
 *
 * EFA traffic is matched only by rules that name a security group, in both directions: an egress rule to every address
 * does not let it out. The group is not tagged as the cluster's, since load balancer controllers expect one that is.
 */
export function nodeSecurity(
  scope: Construct,
  cluster: IGpuCluster,
  added: string[],
  efa: boolean,
  realm: string,
  tags: { [key: string]: string },
  options: ResourceOptions,
): NodeSecurity {
  const given = distinct([cluster.clusterSecurityGroupId, ...added]);
  if (!efa) {
    return { securityGroupIds: given, rules: [] };
  }
  const group = new SecurityGroup(scope, "EfaSecurityGroup", {
    ...options,
    // EC2 refuses names that begin with sg-, as a path may.
    name: `efa-${physicalName(scope, SECURITY_GROUP_NAME - 4, realm)}`,
    description: "EFA traffic between the nodes of one pool",
    vpcId: cluster.vpcId,
    tags,
  });
  const toItself = {
    ...options,
    securityGroupId: group.id,
    referencedSecurityGroupId: group.id,
    ipProtocol: "-1",
    tags,
  };
  const rules = [
    new VpcSecurityGroupIngressRule(scope, "EfaIngress", { ...toItself, description: "EFA from nodes of the pool" }),
    new VpcSecurityGroupEgressRule(scope, "EfaEgress", { ...toItself, description: "EFA to nodes of the pool" }),
  ];
  return { securityGroupIds: [...given, group.id], rules };
}

function distinct(ids: string[]): string[] {
  return [...new Map(ids.map((id) => [identityOf(id), id])).values()];
}

/**
 * The network interfaces of a launch template, or undefined where EC2 is to add the only one by itself.
 *
 * Addresses are never public where there are several, which EC2 refuses. An `efa-only` interface takes no such setting.
 */
export function networkInterfaces(
  interfaces: EfaInterface[],
  securityGroupIds: string[],
  publicAddress: boolean | undefined,
): LaunchTemplateNetworkInterfaces[] | undefined {
  if (interfaces.length === 0) {
    return publicAddress === undefined
      ? undefined
      : [
          {
            deviceIndex: 0,
            associatePublicIpAddress: String(publicAddress),
            deleteOnTermination: "true",
            securityGroups: securityGroupIds,
          },
        ];
  }
  return interfaces.map(({ networkCardIndex, deviceIndex, interfaceType }) => ({
    networkCardIndex,
    deviceIndex,
    interfaceType,
    deleteOnTermination: "true",
    securityGroups: securityGroupIds,
    ...(networkCardIndex === 0 && deviceIndex === 0 && { associatePublicIpAddress: "false" }),
  }));
}

export function checkNetwork(
  cluster: IGpuCluster,
  securityGroupIds: string[],
  publicAddress: boolean | undefined,
  interfaces: EfaInterface[],
  zones: string[],
  problems: Problems,
): void {
  if (publicAddress && interfaces.length > 1) {
    problems.add(
      "associatePublicIpAddress",
      "must not be true for nodes with several network interfaces, which EC2 refuses to launch",
      `true with ${interfaces.length} interfaces`,
      "Leave it out, and use private subnets with NAT or VPC endpoints",
    );
  }
  if (interfaces.length > 0 && zones.length > 1) {
    problems.add(
      "efa",
      "must be used in one Availability Zone, because EFA traffic does not leave it",
      zones.join(", "),
      "Choose one with availabilityZones",
    );
  }
  const groups =
    distinct([cluster.clusterSecurityGroupId, ...securityGroupIds]).length + Math.min(interfaces.length, 1);
  if (groups > MOST_SECURITY_GROUPS) {
    problems.add(
      "securityGroupIds",
      `must be at most ${MOST_SECURITY_GROUPS} on an interface, with the cluster's and the one that EFA adds`,
      groups,
      "Gather rules in fewer groups",
    );
  }
  for (const id of securityGroupIds.filter((id) => isKnown(id) && !/^sg-[0-9a-z]+$/.test(id))) {
    problems.add(
      "securityGroupIds",
      "must be IDs of security groups (sg-…)",
      id,
      "Give the ID, not the name or the ARN",
    );
  }
}
