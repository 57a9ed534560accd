import { ITerraformDependable, TerraformProvider } from "cdktf";
import { ClusterNetwork } from "./cluster-network";
import { ControlPlaneLogging } from "./control-plane-logging";
import { EksAddonVersions } from "./eks-addon-versions";
import { EndpointAccess } from "./endpoint-access";
import { SystemNodes } from "./system-nodes";

/** Where the VPC CNI takes the addresses of pods from. */
export enum PodAddressing {
  /** Addresses of network interfaces, each with all that it can have: 100 a node for the largest types. */
  SECONDARY_ADDRESSES = "secondary addresses",
  /**
   * Blocks of 16 addresses (prefix delegation): about 33 a node with few pods, as GPU nodes have. The subnets need free
   * blocks, which those that are shared with other things may lack.
   */
  PREFIXES = "prefixes",
}

/** What a GpuCluster is made of. */
export interface GpuClusterProps {
  /** Name of the EKS cluster, 1 to 100 letters, digits, hyphens and underscores. A change replaces everything. */
  readonly clusterName: string;
  /**
   * Minor version of Kubernetes, such as `1.34`: one of those that EKS offers. Raised by one, it upgrades control plane,
   * add-ons, system nodes and the pools that have no version of their own, in this order.
   */
  readonly kubernetesVersion: string;
  /**
   * Availability Zones of the cluster's own network, two to seven. Required unless `network` is an existing one, whose
   * subnets say it. Control planes cannot be in the zones with the IDs use1-az3, usw1-az2 and cac1-az3 (EKS User Guide,
   * VPC and subnet requirements).
   */
  readonly availabilityZones?: string[];
  /** Left out: an own VPC of 10.0.0.0/16 with a NAT gateway in each zone. */
  readonly network?: ClusterNetwork;
  /** Left out: the API server is reached from the VPC only, and Terraform must run where it is. */
  readonly endpointAccess?: EndpointAccess;
  /**
   * ARNs of the IAM roles (or users) that administer the cluster, and with which Terraform runs. Left out: whoever applies.
   * That changes when somebody else does, so that pipelines should name their role.
   */
  readonly admins?: string[];
  /** Address range of services, /12 to /24 of a private range, outside of the VPC. Left out: EKS takes 10.100.0.0/16 or 172.20.0.0/16. */
  readonly serviceCidr?: string;
  /** Left out: all five logs, for 90 days. */
  readonly logging?: ControlPlaneLogging;
  /**
   * Whether EKS refuses to delete the cluster. Needs an AWS provider of 2025-08 or later (6.25 has it, 5.100 not). Left out:
   * EKS's default, which is that it does not.
   */
  readonly deletionProtection?: boolean;
  /** Left out: EKS's defaults for the Kubernetes version. */
  readonly addonVersions?: EksAddonVersions;
  /** Left out: addresses of network interfaces. */
  readonly podAddressing?: PodAddressing;
  /** Left out: two to four nodes of m7i.large. */
  readonly systemNodes?: SystemNodes;
  /**
   * Prefix of a registry with mirrors of the add-ons' images and charts, such as
   * `123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror`. Required where nodes have no way to the internet. Left out: each
   * add-on comes from its own public registry.
   */
  readonly registry?: string;
  /** Tags of every resource. Left out: only those that the cluster sets by itself. */
  readonly tags?: { [key: string]: string };
  /** The AWS provider of every resource. Left out: the stack's only one without an alias. */
  readonly provider?: TerraformProvider;
  /** What must exist before any resource of the cluster. Left out: nothing. */
  readonly dependsOn?: ITerraformDependable[];
}
