import { IConstruct } from "constructs";
import { INodePool } from "./node-pool";

/** A subnet that nodes may be placed in. */
export interface ClusterSubnet {
  /** ID of the subnet; may be a token. */
  readonly subnetId: string;
  /** Name of its Availability Zone, such as `us-east-1a`. Must be known at synth: it decides how many subnets a pool has. */
  readonly availabilityZone: string;
}

/** An EKS cluster that pools and add-ons attach to. */
export interface IGpuCluster extends IConstruct {
  /** Name of the EKS cluster. */
  readonly clusterName: string;
  /** Minor version of the control plane, such as `1.34`. */
  readonly kubernetesVersion: string;
  /** URL of the API server. Undefined where it was not given; only self-managed groups and custom AMIs need it. */
  readonly endpoint?: string;
  /** Certificate authority of the API server, base64. Undefined where it was not given. */
  readonly certificateAuthority?: string;
  /** Address range of Kubernetes services. Undefined where it was not given. */
  readonly serviceCidr?: string;
  /** The security group that EKS made for the cluster: every node has it. */
  readonly clusterSecurityGroupId: string;
  /** VPC of the cluster. */
  readonly vpcId: string;
  /** Subnets that pools may use. */
  readonly subnets: ClusterSubnet[];
  /** The pools declared on this cluster so far, in order of declaration. */
  readonly pools: INodePool[];

  /**
   * Called by each pool as it is made.
   * @internal
   */
  _register(pool: INodePool): void;
}
