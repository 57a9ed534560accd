import { Construct } from "constructs";
import { checkId } from "../internal/ids";
import { Problems } from "../internal/problems";
import { identityOf, isKnown } from "../internal/tokens";
import { ClusterSubnet, IGpuCluster } from "./cluster";
import { INodePool } from "./node-pool";

/** What is known of a cluster that was made elsewhere. Texts may be tokens, such as attributes of another resource. */
export interface GpuClusterAttributes {
  /** Name of the EKS cluster, 1 to 100 characters. */
  readonly clusterName: string;
  /** Minor version of the control plane, such as `1.34`. Managed node groups are held at it. */
  readonly kubernetesVersion: string;
  /**
   * URL of the API server.
   *
   * Left out: pools whose nodes must be told how to join (self-managed groups, custom AMIs) are refused.
   */
  readonly endpoint?: string;
  /** Certificate authority of the API server as EKS gives it: the PEM in base64. Left out: as for `endpoint`. */
  readonly certificateAuthority?: string;
  /** Address range of Kubernetes services, such as `10.100.0.0/16`. Left out: as for `endpoint`. */
  readonly serviceCidr?: string;
  /** The security group that EKS made for the cluster (`eks-cluster-sg-…`). */
  readonly clusterSecurityGroupId: string;
  /** VPC of the cluster. */
  readonly vpcId: string;
  /** Subnets that pools may use, at least one; private ones with a way to the internet or to the VPC endpoints that nodes need. */
  readonly subnets: ClusterSubnet[];
}

export class ImportedCluster extends Construct implements IGpuCluster {
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly endpoint?: string;
  readonly certificateAuthority?: string;
  readonly serviceCidr?: string;
  readonly clusterSecurityGroupId: string;
  readonly vpcId: string;
  private readonly ownSubnets: ClusterSubnet[];
  private readonly ownPools: INodePool[] = [];

  constructor(scope: Construct, id: string, attributes: GpuClusterAttributes) {
    super(scope, id);
    const problems = new Problems(this);
    checkId(this, problems);
    checkTexts(attributes, problems);
    checkSubnets(attributes.subnets, problems);
    problems.throwIfAny();

    this.clusterName = attributes.clusterName;
    this.kubernetesVersion = attributes.kubernetesVersion;
    this.endpoint = attributes.endpoint;
    this.certificateAuthority = attributes.certificateAuthority;
    this.serviceCidr = attributes.serviceCidr;
    this.clusterSecurityGroupId = attributes.clusterSecurityGroupId;
    this.vpcId = attributes.vpcId;
    this.ownSubnets = [...attributes.subnets];
  }

  get subnets(): ClusterSubnet[] {
    return [...this.ownSubnets];
  }

  get pools(): INodePool[] {
    return [...this.ownPools];
  }

  /** @internal */
  _register(pool: INodePool): void {
    this.ownPools.push(pool);
  }
}

interface TextRule {
  readonly property: keyof GpuClusterAttributes;
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
];

function checkTexts(attributes: GpuClusterAttributes, problems: Problems): void {
  for (const { property, pattern, rule, remedy, optional } of TEXT_RULES) {
    const value: unknown = attributes[property];
    if ((optional && value === undefined) || (value !== undefined && !isKnown(value))) {
      continue;
    }
    if (typeof value !== "string" || !pattern.test(value)) {
      problems.add(property, rule, value, remedy);
    }
  }
}

function checkSubnets(subnets: ClusterSubnet[] | undefined, problems: Problems): void {
  if (!Array.isArray(subnets) || subnets.length === 0) {
    problems.add("subnets", "must name at least one subnet", subnets, "List the private subnets that pools may use");
    return;
  }
  subnets.forEach(({ subnetId, availabilityZone }, index) => {
    const property = `subnets[${index}]`;
    if (typeof subnetId !== "string" || (isKnown(subnetId) && !/^subnet-[0-9a-z]+$/.test(subnetId))) {
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
    } else if (!/^[a-z]{2,}(-[a-z]+)+-\d+([a-z]|(-[a-z0-9]+)+-\d+[a-z]?)$/.test(availabilityZone ?? "")) {
      problems.add(
        `${property}.availabilityZone`,
        "must be the name of an Availability Zone such as us-east-1a",
        availabilityZone,
        "Give the zone's name, not its ID (use1-az1)",
      );
    }
  });
  const ids = subnets.map((subnet) => identityOf(subnet.subnetId));
  const repeated = subnets.find((_, index) => ids.indexOf(ids[index]) !== index);
  if (repeated) {
    problems.add("subnets", "must name each subnet once", repeated.subnetId, "Remove the repetition");
  }
}
