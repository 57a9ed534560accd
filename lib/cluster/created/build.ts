import { EksCluster } from "@cdktf/provider-aws/lib/eks-cluster";
import { ITerraformDependable } from "cdktf";
import { Construct } from "constructs";
import { ResourceOptions } from "../../internal/resource-options";
import { ClusterNetwork } from "../cluster-network";
import { GpuClusterProps, PodAddressing } from "../gpu-cluster-props";
import { parseCidr } from "../network/cidr";
import { existingNetwork, Network, ownNetwork } from "../network/network";
import { SYSTEM_NODE_LABELS } from "../system-node-labels";
import { regionOf } from "../zones";
import { admins } from "./admins";
import { controlPlane } from "./control-plane";
import { addonsOfEveryNode, addonsOnSystemNodes, EksAddonFacts } from "./eks-addons";
import { cidrOf } from "./network-checks";
import { systemNodeGroup } from "./system-node-group";

/** What was made. */
export interface CreatedCluster {
  readonly resource: EksCluster;
  readonly network: Network;
  /** What must exist before a node starts, and go after the last one is gone. */
  readonly beforeNodes: ITerraformDependable[];
  /** What must exist before an object is made in the cluster, and go after the last one. */
  readonly ready: ITerraformDependable[];
}

/**
 * Makes the resources of a cluster, whose properties were checked: the network, the control plane, what runs on every
 * node, the system nodes, and what runs on those.
 */
export function createCluster(scope: Construct, props: GpuClusterProps, options: ResourceOptions): CreatedCluster {
  const tags = props.tags ?? {};
  const { network: choice = ClusterNetwork.own(), availabilityZones = [] } = props;
  const region = regionOf((choice._existing?.subnets[0].availabilityZone ?? availabilityZones[0])!);
  const realm = `${props.clusterName}\n${region}`;
  const network = choice._existing
    ? existingNetwork(choice._existing)
    : ownNetwork(
        new Construct(scope, "Network"),
        {
          network: choice,
          cidr: parseCidr(cidrOf(choice))!,
          zones: availabilityZones,
          name: props.clusterName,
          realm,
          tags,
        },
        options,
      );
  const resource = controlPlane(scope, { props, network, region, realm, tags }, options);
  const access = admins(scope, resource, props.admins, tags, options);
  const addons: EksAddonFacts = {
    cluster: resource,
    kubernetesVersion: props.kubernetesVersion,
    versions: props.addonVersions ?? {},
    choices: {
      podAddressing: props.podAddressing ?? PodAddressing.SECONDARY_ADDRESSES,
      systemNodeSelector: SYSTEM_NODE_LABELS,
    },
    realm,
    tags,
  };
  const everywhere = addonsOfEveryNode(scope, addons, options);
  const beforeNodes = [...network.ways, ...everywhere];
  const nodes = systemNodeGroup(
    scope,
    {
      cluster: resource,
      kubernetesVersion: props.kubernetesVersion,
      nodes: props.systemNodes ?? {},
      subnetIds: network.subnets.map((subnet) => subnet.subnetId),
      before: beforeNodes,
      realm,
      tags,
    },
    options,
  );
  const onNodes = addonsOnSystemNodes(scope, addons, [nodes], options);
  return { resource, network, beforeNodes, ready: [...access, ...beforeNodes, nodes, ...onNodes] };
}
