import { checkMaps, isRecord } from "../internal/choices";
import { Problems, show } from "../internal/problems";
import { checkText, checkTextTokens } from "../internal/texts";
import { identityOf, isKnown } from "../internal/tokens";
import { ClusterSubnet } from "./cluster";
import { isZoneName } from "./zones";

interface TextRule {
  readonly property: string;
  readonly pattern: RegExp;
  readonly rule: string;
  readonly remedy: string;
  readonly optional?: boolean;
}

/** Forms after the EKS and EC2 API references; the certificate is only held against PEM, the usual mistake. */
const TEXT_RULES: TextRule[] = [
  {
    property: "clusterName",
    pattern: /^[0-9A-Za-z][A-Za-z0-9_-]{0,99}$/,
    rule: "must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit",
    remedy: "Give the name that `aws eks list-clusters` prints",
  },
  {
    property: "kubernetesVersion",
    pattern: /^1\.\d{2}$/,
    rule: "must be a minor version of Kubernetes such as 1.34",
    remedy: "Give the cluster's version without a patch number, as text",
  },
  {
    property: "endpoint",
    pattern: /^https:\/\/[^\s/]+$/,
    rule: "must be the https URL of the API server",
    remedy: "Give what `aws eks describe-cluster` prints as endpoint",
    optional: true,
  },
  {
    property: "certificateAuthority",
    pattern: /^(?!-----BEGIN)\S+$/,
    rule: "must be the certificate in base64, on one line, as EKS gives it",
    remedy: "Give certificateAuthority.data of `aws eks describe-cluster`, not the PEM text",
    optional: true,
  },
  {
    property: "serviceCidr",
    pattern: /^[0-9a-fA-F.:]+\/\d{1,3}$/,
    rule: "must be an address range such as 10.100.0.0/16",
    remedy: "Give kubernetesNetworkConfig.serviceIpv4Cidr of `aws eks describe-cluster`",
    optional: true,
  },
  {
    property: "clusterSecurityGroupId",
    pattern: /^sg-[0-9a-z]+$/,
    rule: "must be the ID of a security group (sg-…)",
    remedy: "Give resourcesVpcConfig.clusterSecurityGroupId of `aws eks describe-cluster`",
  },
  {
    property: "vpcId",
    pattern: /^vpc-[0-9a-z]+$/,
    rule: "must be the ID of a VPC (vpc-…)",
    remedy: "Give resourcesVpcConfig.vpcId of `aws eks describe-cluster`",
  },
  {
    property: "registry",
    pattern: /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/,
    rule: "must be the name of a registry with a path, without a scheme and without a slash at its end",
    remedy: "Such as 123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror",
    optional: true,
  },
];

/** Checks the form of those of the texts that are named. */
export function checkTexts(texts: object, properties: string[], problems: Problems): void {
  for (const { property, pattern, rule, remedy, optional } of TEXT_RULES.filter((each) =>
    properties.includes(each.property),
  )) {
    const value: unknown = (texts as { [property: string]: unknown })[property];
    if ((optional && value === undefined) || !checkTextTokens(property, value, problems)) {
      continue;
    }
    if (typeof value !== "string" || (isKnown(value) && !pattern.test(value))) {
      problems.add(property, rule, value, remedy);
    }
  }
}

/** Checks subnets that pools may use, which the user calls `name`. */
export function checkSubnets(name: string, subnets: ClusterSubnet[] | undefined, problems: Problems): void {
  if (!Array.isArray(subnets) || subnets.length === 0) {
    problems.add(name, "must name at least one subnet", subnets, "List the private subnets that pools may use");
    return;
  }
  const before = problems.count;
  // Spread, since forEach passes over the holes of a list.
  [...subnets].forEach((subnet: ClusterSubnet | undefined, index) => {
    const property = `${name}[${index}]`;
    if (!isRecord(subnet)) {
      const example = 'Such as { subnetId: "subnet-0123456789abcdef0", availabilityZone: "us-east-1a" }';
      problems.add(property, "must be a subnet with its zone", subnet, example);
      return;
    }
    const { subnetId, availabilityZone } = subnet;
    if (
      checkTextTokens(`${property}.subnetId`, subnetId, problems) &&
      (typeof subnetId !== "string" || (isKnown(subnetId) && !/^subnet-[0-9a-z]+$/.test(subnetId)))
    ) {
      problems.add(
        `${property}.subnetId`,
        "must be the ID of a subnet (subnet-…)",
        subnetId,
        "Give the ID, not the ARN or the name",
      );
    }
    if (availabilityZone !== undefined && !isKnown(availabilityZone)) {
      problems.addText(
        `${property}.availabilityZone`,
        "must be a literal text, because it decides which subnets a pool has, got: a token. Write the zone's name, such as us-east-1a",
      );
    } else if (!isZoneName(availabilityZone ?? "")) {
      problems.add(
        `${property}.availabilityZone`,
        "must be the name of an Availability Zone such as us-east-1a",
        availabilityZone,
        "Give the zone's name, not its ID (use1-az1)",
      );
    }
  });
  if (problems.count > before) {
    return;
  }
  const ids = subnets.map((subnet) => identityOf(subnet.subnetId));
  const repeated = subnets.find((_, index) => ids.indexOf(ids[index]) !== index);
  if (repeated) {
    problems.add(name, "must name each subnet once", repeated.subnetId, "Remove the repetition");
  }
}

/** Refuses what is no cluster, known by what is called of it: clusters come from several classes. */
export function checkClusterGiven(cluster: unknown, problems: Problems): void {
  if (typeof (cluster as { _register?: unknown } | undefined | null)?._register !== "function") {
    const rule = "must be made by new GpuCluster(), GpuCluster.fromAttributes() or GpuCluster.fromName()";
    problems.add("cluster", rule, cluster, "Pass the cluster itself");
  }
}

/** Checks labels by which nodes are selected. */
export function checkSelector(
  attributes: { systemNodeSelector?: { [key: string]: string } },
  problems: Problems,
): void {
  checkMaps(attributes, ["systemNodeSelector"], problems);
  const { systemNodeSelector: selector } = attributes;
  for (const [key, value] of isRecord(selector) ? Object.entries(selector) : []) {
    checkText(`systemNodeSelector[${show(key)}]`, value, problems);
  }
}
