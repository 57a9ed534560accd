import { checkOptions, MakerOptions } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";
import { ClusterSubnet } from "./cluster";
import { NatGateways } from "./nat-gateways";

/** A VPC of the cluster's own, with a way to the internet. */
export interface OwnNetwork {
  /**
   * Address range of the VPC, /16 to /23 for two or three zones, to /21 for more. Each zone gets a quarter of it for nodes
   * and pods, an eighth with more than three zones. Left out: 10.0.0.0/16. A change replaces everything.
   */
  readonly cidr?: string;
  /** Left out: one in each zone. */
  readonly natGateways?: NatGateways;
  /**
   * AWS services with an interface endpoint in the VPC, as AWS names them: `ecr.api`, `sts`. Traffic to them then costs
   * less than through NAT, and each costs about USD 7 a month and zone (us-east-1). Left out: none; S3 always has its
   * gateway endpoint, which is free.
   */
  readonly interfaceEndpoints?: string[];
}

/** A VPC of the cluster's own, without a way to the internet. */
export interface IsolatedNetwork {
  /** As for a network with a way to the internet. Left out: 10.0.0.0/16. */
  readonly cidr?: string;
  /**
   * Services that get an interface endpoint beside those that every cluster needs, such as `fsx`. Left out: none beside
   * `ec2`, `ecr.api`, `ecr.dkr`, `sts`, `eks`, `eks-auth`, `logs`, `autoscaling`, `elasticloadbalancing`, `sqs`
   * and `kms`, which together cost about USD 80 a month and zone (us-east-1).
   */
  readonly interfaceEndpoints?: string[];
}

/** A VPC that exists. */
export interface ExistingNetwork {
  /** ID of the VPC; may be a token. */
  readonly vpcId: string;
  /** Subnets that nodes may use, in at least two zones; private ones with a way to the internet or to the endpoints that nodes need. */
  readonly subnets: ClusterSubnet[];
  /**
   * IDs of the subnets, in two zones or more, that the control plane has its network interfaces in. Left out: those of `subnets`.
   * EKS wants at least 6 free addresses in each.
   */
  readonly controlPlaneSubnetIds?: string[];
}

const OF_OWN: MakerOptions<OwnNetwork> = { cidr: "optional", natGateways: "optional", interfaceEndpoints: "optional" };
const OF_ISOLATED: MakerOptions<IsolatedNetwork> = { cidr: "optional", interfaceEndpoints: "optional" };
const OF_EXISTING: MakerOptions<ExistingNetwork> = {
  vpcId: "required",
  subnets: "required",
  controlPlaneSubnetIds: "optional",
};

const MARKER = Symbol.for("cdktf-elastic-gpu/ClusterNetwork");

/** The VPC that a cluster is made in. */
export class ClusterNetwork {
  /** A VPC of the cluster's own: private subnets for nodes, public ones for load balancers and NAT gateways. */
  static own(options: OwnNetwork = {}): ClusterNetwork {
    checkOptions("ClusterNetwork.own", options, OF_OWN);
    return new ClusterNetwork(options, options.natGateways ?? NatGateways.onePerZone(), true);
  }

  /**
   * A VPC of the cluster's own without a way to the internet: no internet gateway, no NAT, an endpoint for each service
   * that a cluster needs. The cluster needs a `registry` that is reached through them.
   */
  static isolated(options: IsolatedNetwork = {}): ClusterNetwork {
    checkOptions("ClusterNetwork.isolated", options, OF_ISOLATED);
    return new ClusterNetwork(options, NatGateways.none(), false);
  }

  /** A VPC that exists, to which nothing is added. */
  static existing(options: ExistingNetwork): ClusterNetwork {
    checkOptions("ClusterNetwork.existing", options, OF_EXISTING);
    return new ClusterNetwork({}, NatGateways.none(), false, options);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isClusterNetwork(x: any): x is ClusterNetwork {
    return isMarked(x, MARKER);
  }

  /** Address range of an own VPC, where it was given. */
  readonly cidr?: string;
  /** @internal */
  readonly _endpoints: string[];

  private constructor(
    own: IsolatedNetwork,
    /** @internal */
    readonly _natGateways: NatGateways,
    /** Whether load balancers can be reached from the internet. @internal */
    readonly _isPublic: boolean,
    /** @internal */
    readonly _existing?: ExistingNetwork,
  ) {
    mark(this, MARKER);
    this.cidr = own.cidr;
    this._endpoints = own.interfaceEndpoints ?? [];
  }
}
