import { ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct, IConstruct } from "constructs";
import { Addon } from "./addon";
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
  /** The add-ons that constructs install so far, or that the cluster was said to have. */
  readonly addons: Addon[];
  /**
   * Prefix of the registry that add-ons take their images and charts from, such as
   * `123456789012.dkr.ecr.eu-central-1.amazonaws.com/mirror`. Undefined: each from its own public one.
   */
  readonly registry?: string;
  /** Labels of the nodes that controllers belong on. Empty: any node whose taints they tolerate. */
  readonly systemNodeSelector: { [key: string]: string };

  /**
   * Says that something else installs an add-on, so that pools which need it do not warn.
   *
   * @throws where a construct installs it.
   */
  alreadyHas(addon: Addon): void;

  /**
   * What must exist before an object or a release is made in the cluster, and go after the last of them.
   * @internal
   */
  readonly _ready: ITerraformDependable[];

  /**
   * What must exist before a node starts, and go after the last one is gone: its way to AWS, and what every node runs.
   * @internal
   */
  readonly _beforeNodes: ITerraformDependable[];

  /**
   * The name as far as it is known at synth, also where `clusterName` is a reference: names of other things differ by it.
   * @internal
   */
  readonly _knownName?: string;

  /**
   * Called with each Kubernetes provider that is made for the cluster; what the cluster wants in Kubernetes is made
   * under the scope.
   * @internal
   */
  _connect(scope: Construct, kubernetes: TerraformProvider): void;

  /**
   * Called by each pool as it is made.
   * @internal
   */
  _register(pool: INodePool): void;

  /**
   * Called by each construct that installs an add-on, with the pools that it was given besides those of the cluster.
   * @internal
   */
  _install(addon: Addon, installer: IConstruct, pools: INodePool[]): void;
}
