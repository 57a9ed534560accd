import { Construct } from "constructs";
import { ClusterSubnet } from "./cluster";
import { ExistingCluster } from "./existing-cluster";

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
  /**
   * Prefix of a registry with mirrors of the add-ons' images and charts, for clusters without a way to the public ones.
   *
   * Left out: each add-on comes from its own public registry.
   */
  readonly registry?: string;
  /** Labels of the nodes that controllers belong on. Left out: any node whose taints they tolerate. */
  readonly systemNodeSelector?: { [key: string]: string };
}

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<GpuClusterAttributes>]: true } = {
  clusterName: true,
  kubernetesVersion: true,
  endpoint: true,
  certificateAuthority: true,
  serviceCidr: true,
  clusterSecurityGroupId: true,
  vpcId: true,
  subnets: true,
  registry: true,
  systemNodeSelector: true,
};

export class ImportedCluster extends ExistingCluster {
  readonly endpoint?: string;
  readonly certificateAuthority?: string;
  readonly serviceCidr?: string;
  readonly clusterSecurityGroupId: string;
  readonly vpcId: string;

  constructor(scope: Construct, id: string, attributes: GpuClusterAttributes) {
    super(scope, id, attributes, PROPERTIES, (all) => all);
    this.endpoint = attributes.endpoint;
    this.certificateAuthority = attributes.certificateAuthority;
    this.serviceCidr = attributes.serviceCidr;
    this.clusterSecurityGroupId = attributes.clusterSecurityGroupId;
    this.vpcId = attributes.vpcId;
  }
}
