import { DataAwsEksCluster } from "@cdktf/provider-aws/lib/data-aws-eks-cluster";
import { Op, TerraformProvider } from "cdktf";
import { Construct } from "constructs";
import { requireAwsProvider } from "../internal/providers";
import { isKnown } from "../internal/tokens";
import { ClusterSubnet } from "./cluster";
import { ExistingCluster } from "./existing-cluster";
import { ownProvider } from "./region-check";

/** A cluster that exists, by its name. */
export interface GpuClusterName {
  /** Name of the EKS cluster, 1 to 100 characters. */
  readonly clusterName: string;
  /**
   * Minor version of the control plane, such as `1.34`. It decides images and is held against what pools want, so that it
   * must be known before AWS is asked. A plan fails where the cluster has another.
   */
  readonly kubernetesVersion: string;
  /** Subnets that pools may use, at least one; their zones must be known before AWS is asked. */
  readonly subnets: ClusterSubnet[];
  /** As for `GpuCluster.fromAttributes`. Left out: each add-on comes from its own public registry. */
  readonly registry?: string;
  /** Labels of the nodes that controllers belong on. Left out: any node whose taints they tolerate. */
  readonly systemNodeSelector?: { [key: string]: string };
  /** The AWS provider that the cluster is read with. Left out: the stack's only one without an alias. */
  readonly provider?: TerraformProvider;
}

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<GpuClusterName>]: true } = {
  clusterName: true,
  kubernetesVersion: true,
  subnets: true,
  registry: true,
  systemNodeSelector: true,
  provider: true,
};

/** A cluster of which Terraform reads what the program does not say. */
export class NamedCluster extends ExistingCluster {
  readonly endpoint?: string;
  readonly certificateAuthority?: string;
  readonly serviceCidr?: string;
  readonly clusterSecurityGroupId: string;
  readonly vpcId: string;

  constructor(scope: Construct, id: string, names: GpuClusterName) {
    // At synth: names that are no object are refused before anything is read off them.
    super(scope, id, names, PROPERTIES, (all) => ownProvider(names.provider)(all));
    const data = new DataAwsEksCluster(this, "Resource", { provider: names.provider, name: names.clusterName });
    if (isKnown(names.kubernetesVersion)) {
      data.lifecycle = {
        postcondition: [
          {
            condition: Op.eq(data.version, names.kubernetesVersion),
            errorMessage: `${this.node.path}: kubernetesVersion is ${names.kubernetesVersion}, and the cluster has another. Give the version that aws eks describe-cluster prints.`,
          },
        ],
      };
    }
    this.endpoint = data.endpoint;
    this.certificateAuthority = data.certificateAuthority.get(0).data;
    this.serviceCidr = data.kubernetesNetworkConfig.get(0).serviceIpv4Cidr;
    this.clusterSecurityGroupId = data.vpcConfig.get(0).clusterSecurityGroupId;
    this.vpcId = data.vpcConfig.get(0).vpcId;
    requireAwsProvider(this, names.provider);
  }
}
