import { SecurityGroup } from "@cdktf/provider-aws/lib/security-group";
import { VpcEndpoint } from "@cdktf/provider-aws/lib/vpc-endpoint";
import { VpcSecurityGroupIngressRule } from "@cdktf/provider-aws/lib/vpc-security-group-ingress-rule";
import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { physicalName } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";

/** The service's limit (EC2 API, CreateSecurityGroup). */
const SECURITY_GROUP_NAME = 255;

/**
 * What nodes, add-ons and controllers of a cluster without the internet talk to (EKS User Guide, Deploy private clusters
 * with limited internet access): instances and interfaces, images, tokens, cluster and Pod Identity, logs, groups,
 * load balancers, interruption queues, keys.
 */
export const NEEDED_WITHOUT_INTERNET = [
  "ec2",
  "ecr.api",
  "ecr.dkr",
  "sts",
  "eks",
  "eks-auth",
  "logs",
  "autoscaling",
  "elasticloadbalancing",
  "sqs",
  "kms",
];

export interface EndpointFacts {
  readonly region: string;
  readonly services: string[];
  readonly vpcId: string;
  readonly vpcCidr: string;
  readonly subnetIds: string[];
  readonly routeTableIds: string[];
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tagsFor: (name: string) => { [key: string]: string };
}

/**
 * The gateway endpoint of S3, where images' layers are, and interface endpoints, which the VPC reaches by HTTPS and by
 * nothing else.
 */
export function endpoints(scope: Construct, facts: EndpointFacts, options: ResourceOptions): TerraformResource[] {
  const { region, services, vpcId, tagsFor } = facts;
  const s3 = new VpcEndpoint(scope, "Endpoint-s3", {
    ...options,
    vpcId,
    serviceName: `com.amazonaws.${region}.s3`,
    vpcEndpointType: "Gateway",
    routeTableIds: facts.routeTableIds,
    tags: tagsFor("s3"),
  });
  if (services.length === 0) {
    return [s3];
  }
  const group = new SecurityGroup(scope, "EndpointSecurityGroup", {
    ...options,
    // EC2 refuses names that begin with sg-, as a path may.
    name: `endpoints-${physicalName(scope, SECURITY_GROUP_NAME - 10, facts.realm)}`,
    description: "HTTPS from the VPC to its interface endpoints",
    vpcId,
    tags: tagsFor("endpoints"),
  });
  const https = new VpcSecurityGroupIngressRule(scope, "EndpointIngress", {
    ...options,
    securityGroupId: group.id,
    description: "HTTPS from the VPC",
    cidrIpv4: facts.vpcCidr,
    ipProtocol: "tcp",
    fromPort: 443,
    toPort: 443,
    tags: tagsFor("endpoints"),
  });
  const securityGroupIds = [group.id];
  const made = services.map(
    (service) =>
      new VpcEndpoint(scope, `Endpoint-${service.replaceAll(".", "-")}`, {
        ...options,
        vpcId,
        serviceName: `com.amazonaws.${region}.${service}`,
        vpcEndpointType: "Interface",
        subnetIds: facts.subnetIds,
        securityGroupIds,
        privateDnsEnabled: true,
        tags: tagsFor(service),
      }),
  );
  return [s3, https, ...made];
}
