import { ITerraformDependable, TerraformProvider } from "cdktf";
import { GpuSharing, NodeImage } from "../accelerators";
import { IGpuCluster, NodeTaint, TaintEffect } from "../cluster";
import { CostAllocation } from "./cost-allocation";
import { LocalStorage } from "./local-storage";
import { NodeRole } from "./node-role";
import { RootVolume } from "./root-volume";
import { ScaleDown } from "./scale-down";
import { UserData } from "./user-data";
import { Workload } from "./workload";

/** What every pool of nodes is made of. */
export interface NodePoolProps {
  /** The cluster that the nodes join. */
  readonly cluster: IGpuCluster;
  /**
   * Minor version of Kubernetes on the nodes, up to three behind the cluster's and never ahead of it, for pools that are
   * to be upgraded after the control plane. Images of your own bring theirs. Left out: the cluster's.
   */
  readonly kubernetesVersion?: string;
  /** Most nodes, at least 1. */
  readonly maxNodes: number;
  /** Least nodes. Left out: 0, and an idle pool costs nothing. */
  readonly minNodes?: number;
  /** Nodes to start with; the autoscaler decides from then on, and later changes have no effect. Left out: `minNodes`. */
  readonly desiredNodes?: number;
  /** What the nodes are for: the label `workload-type`. Left out: no such label. */
  readonly workload?: Workload;
  /**
   * Effect of a taint `workload-type` with the workload's name, which every pod and DaemonSet has to tolerate.
   *
   * Left out: no such taint.
   */
  readonly workloadTaint?: TaintEffect;
  /** Further labels. Left out: those that the pool sets by itself. */
  readonly labels?: { [key: string]: string };
  /**
   * Further taints. One with the key of the accelerator's resource replaces the pool's own, which is
   * `nvidia.com/gpu=present:NoSchedule` (for Neuron `aws.amazon.com/neuron`). Left out: the pool's own alone.
   */
  readonly taints?: NodeTaint[];
  /** Left out: EKS's AL2023 for the accelerator's vendor, in the latest release at creation. */
  readonly image?: NodeImage;
  /** How pods share a GPU. Left out: they do not. */
  readonly sharing?: GpuSharing;
  /** Security groups beyond the cluster's own. Left out: none. */
  readonly securityGroupIds?: string[];
  /** Whether nodes get a public address. Left out: the subnet decides; with several network interfaces they never do. */
  readonly associatePublicIpAddress?: boolean;
  /** Left out: 100 GiB of gp3, encrypted. */
  readonly rootVolume?: RootVolume;
  /** What becomes of the NVMe instance store. Left out: it is not used. */
  readonly localStorage?: LocalStorage;
  /** Parts for the node to read at boot, after the pool's own. Left out: none. */
  readonly userData?: UserData[];
  /** Left out: a role of the pool's own with what nodes need. */
  readonly nodeRole?: NodeRole;
  /** When the Cluster Autoscaler takes nodes away. Left out: as its flags say. */
  readonly scaleDown?: ScaleDown;
  /** vCPUs an accelerator below which a type is refused. Left out: fewer than 4 are a warning. */
  readonly minVcpusPerGpu?: number;
  /**
   * Hops that an answer of the metadata service may take, 1 to 64. Left out: 1, which keeps pods from the node's role;
   * give them rights through EKS Pod Identity. Session tokens (IMDSv2) are always required.
   */
  readonly imdsHopLimit?: number;
  /** Whom the costs belong to: tags on everything. Left out: no such tags. */
  readonly costAllocation?: CostAllocation;
  /** Tags of every resource, instance, volume and network interface. Left out: those that the pool sets by itself. */
  readonly tags?: { [key: string]: string };
  /**
   * Name of the node group; role and instance profile are named after it. A managed group with a fixed name is first
   * removed and then made anew where a change replaces it. Left out: a name from the construct path.
   */
  readonly name?: string;
  /** The AWS provider of every resource. Left out: the stack's only one without an alias. */
  readonly provider?: TerraformProvider;
  /** What must exist before any resource of the pool. Left out: nothing but what the pool refers to. */
  readonly dependsOn?: ITerraformDependable[];
}
