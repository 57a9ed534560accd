import { EksCluster } from "@cdktf/provider-aws/lib/eks-cluster";
import { StorageClassV1 } from "@cdktf/provider-kubernetes/lib/storage-class-v1";
import { Annotations, Aspects, ITerraformDependable, TerraformProvider } from "cdktf";
import { Construct, IConstruct } from "constructs";
import { isMarked, mark } from "../internal/choices";
import { ofSameStack } from "../internal/dependables";
import { checkId } from "../internal/ids";
import { Problems } from "../internal/problems";
import { requireAwsProvider } from "../internal/providers";
import { checkResourceOptions, refuseNodeDependencies, ResourceOptions } from "../internal/resource-options";
import { guardStack } from "../internal/stack-guard";
import { addressWarnings } from "./address-estimate";
import { ClusterSubnet, IGpuCluster } from "./cluster";
import { ClusterBase } from "./cluster-base";
import { CALLER_IS_ADMIN } from "./created/admins";
import { CreatedCluster, createCluster } from "./created/build";
import { checkCluster, checkForm } from "./created/checks";
import { EndpointAccess } from "./endpoint-access";
import { GpuClusterProps, PodAddressing } from "./gpu-cluster-props";
import { GpuClusterAttributes, ImportedCluster } from "./imported-cluster";
import { GpuClusterName, NamedCluster } from "./named-cluster";
import { checkRegion, ownProvider } from "./region-check";
import { SYSTEM_NODE_LABELS } from "./system-node-labels";

const MARKER = Symbol.for("cdktf-elastic-gpu/GpuCluster");

/**
 * An EKS cluster for GPU pools, from nothing: network, control plane, EKS add-ons, and CPU nodes for controllers.
 *
 * Controllers and the pools themselves are constructs of their own. `ClusterProviders` leads Terraform's kubernetes and
 * helm providers to it, and with the first of them the cluster gets its default storage class.
 */
export class GpuCluster extends ClusterBase {
  /**
   * A cluster that exists already, described by what its owner knows about it.
   *
   * Nothing is looked up and no resource is made, so synthesis needs neither credentials nor a network.
   *
   * @throws with every attribute that cannot be right, at once.
   */
  static fromAttributes(scope: Construct, id: string, attributes: GpuClusterAttributes): IGpuCluster {
    return new ImportedCluster(scope, id, attributes);
  }

  /**
   * A cluster that exists already, by its name: Terraform reads the rest of it when it plans.
   *
   * @throws with everything that cannot be right, at once.
   */
  static fromName(scope: Construct, id: string, cluster: GpuClusterName): IGpuCluster {
    return new NamedCluster(scope, id, cluster);
  }

  /** Whether a value is a cluster that was made by this class, in whichever copy of the package. */
  static isGpuCluster(x: any): x is GpuCluster {
    return isMarked(x, MARKER);
  }

  /** The EKS cluster, for what the properties do not offer. */
  readonly resource: EksCluster;
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly endpoint?: string;
  readonly certificateAuthority?: string;
  readonly serviceCidr?: string;
  readonly clusterSecurityGroupId: string;
  readonly vpcId: string;
  readonly registry?: string;
  /** From where the API server is reached. */
  readonly endpointAccess: EndpointAccess;
  private readonly created: CreatedCluster;
  private readonly givenName: string;
  private isConnected = false;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: GpuClusterProps) {
    super(scope, id);
    mark(this, MARKER);
    const problems = new Problems(this);
    checkId(this, problems);
    checkForm(props, problems);
    checkResourceOptions(this, props, problems);
    problems.throwIfAny();
    checkCluster(props, problems);
    problems.throwIfAny();

    const options: ResourceOptions = { provider: props.provider, dependsOn: props.dependsOn };
    this.created = createCluster(this, props, options);
    this.resource = this.created.resource;
    this.clusterName = this.resource.name;
    this.kubernetesVersion = props.kubernetesVersion;
    this.endpoint = this.resource.endpoint;
    this.certificateAuthority = this.resource.certificateAuthority.get(0).data;
    this.serviceCidr = props.serviceCidr ?? this.resource.kubernetesNetworkConfig.serviceIpv4Cidr;
    this.clusterSecurityGroupId = this.resource.vpcConfig.clusterSecurityGroupId;
    this.vpcId = this.created.network.vpcId;
    this.registry = props.registry;
    this.endpointAccess = props.endpointAccess ?? EndpointAccess.privateOnly();
    this.givenName = props.clusterName;

    if (props.admins === undefined) {
      Annotations.of(this).addWarning(CALLER_IS_ADMIN);
    }
    this.warnOfAddresses(props.podAddressing ?? PodAddressing.SECONDARY_ADDRESSES);
    const zones = this.subnets.map((subnet) => subnet.availabilityZone);
    checkRegion(
      this,
      props.availabilityZones ? "availabilityZones" : "network.subnets",
      zones,
      ownProvider(props.provider),
    );
    guardStack(this);
    requireAwsProvider(this, props.provider);
    refuseNodeDependencies(this);
  }

  get subnets(): ClusterSubnet[] {
    return [...this.created.network.subnets];
  }

  get systemNodeSelector(): { [key: string]: string } {
    return { ...SYSTEM_NODE_LABELS };
  }

  /** @internal */
  get _ready(): ITerraformDependable[] {
    return [...this.created.ready];
  }

  /** @internal */
  override get _beforeNodes(): ITerraformDependable[] {
    return [...this.created.beforeNodes];
  }

  /** @internal */
  override get _knownName(): string | undefined {
    return this.givenName;
  }

  /** @internal */
  _connect(scope: Construct, kubernetes: TerraformProvider): void {
    if (!this.endpointAccess.isPublic) {
      Annotations.of(scope).addWarning(
        `${this.node.path}: endpointAccess: the API server is reached from the VPC only, so that Terraform must run there ` +
          "or in a network that is connected with it. Elsewhere, give your addresses to EndpointAccess.publicFrom()",
      );
    }
    if (this.isConnected) {
      return;
    }
    this.isConnected = true;
    new StorageClassV1(scope, "StorageClass", {
      provider: kubernetes,
      metadata: {
        name: "gp3",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
      storageProvisioner: "ebs.csi.aws.com",
      parameters: { type: "gp3", encrypted: "true" },
      reclaimPolicy: "Delete",
      // The volume is made where its pod goes, since it cannot leave its zone.
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
      dependsOn: ofSameStack(scope, this._ready),
    });
  }

  /** At synth, when all pools are known. */
  private warnOfAddresses(addressing: PodAddressing): void {
    Aspects.of(this).add({
      visit: (node: IConstruct) => {
        if (node === this) {
          addressWarnings(this.pools, this.created.network, addressing).forEach((warning) =>
            Annotations.of(this).addWarning(warning),
          );
        }
      },
    });
  }
}
