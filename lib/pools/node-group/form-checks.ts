import { Construct } from "constructs";
import { AcceleratorType, EfaLayout, GpuSharing, NodeImage } from "../../accelerators";
import { NodeTaint, TaintEffect } from "../../cluster";
import { checkClusterGiven } from "../../cluster/cluster-checks";
import { checkChoice, checkFlag, checkLists, checkMaps, checkMembers, checkProperties } from "../../internal/choices";
import { Problems } from "../../internal/problems";
import { checkResourceOptions } from "../../internal/resource-options";
import { Capacity } from "../capacity";
import { ClusterPlacement } from "../cluster-placement";
import { CostAllocation } from "../cost-allocation";
import { ElasticGpuNodePoolProps, NodeGroupType } from "../elastic-gpu-node-pool-props";
import { LocalStorage } from "../local-storage";
import { MultiTypePoolProps } from "../multi-type-pool-props";
import { NodePoolProps } from "../node-pool-props";
import { NodeRepair } from "../node-repair";
import { NodeRole } from "../node-role";
import { RootVolume, VolumeEncryption } from "../root-volume";
import { ScaleDown } from "../scale-down";
import { UpdatePolicy } from "../update-policy";
import { Workload } from "../workload";
import { checkMaxNodes } from "./bounds";
import { checkTypeNames } from "./shape";
import { checkTexts } from "./text-checks";

/** The properties that every pool has. The type makes sure that none is missing. */
export const POOL_PROPERTIES: { [property in keyof Required<NodePoolProps>]: true } = {
  cluster: true,
  kubernetesVersion: true,
  maxNodes: true,
  minNodes: true,
  desiredNodes: true,
  workload: true,
  workloadTaint: true,
  labels: true,
  taints: true,
  image: true,
  sharing: true,
  securityGroupIds: true,
  associatePublicIpAddress: true,
  rootVolume: true,
  localStorage: true,
  userData: true,
  nodeRole: true,
  scaleDown: true,
  minVcpusPerGpu: true,
  imdsHopLimit: true,
  costAllocation: true,
  tags: true,
  name: true,
  provider: true,
  dependsOn: true,
};

/** The same of pools that may have several types and zones. */
export const MULTI_TYPE_PROPERTIES: { [property in keyof Required<MultiTypePoolProps>]: true } = {
  ...POOL_PROPERTIES,
  instanceTypes: true,
  customTypes: true,
  availabilityZones: true,
  subnetIds: true,
};

const OF_VOLUME: { [property in keyof Required<RootVolume>]: true } = {
  sizeGib: true,
  volumeType: true,
  iops: true,
  throughputMibps: true,
  encryption: true,
};
const OF_SCALE_DOWN: { [property in keyof Required<ScaleDown>]: true } = {
  unneededMinutes: true,
  unreadyMinutes: true,
  gpuUtilizationThreshold: true,
};
const OF_COSTS: { [property in keyof Required<CostAllocation>]: true } = {
  team: true,
  workload: true,
  environment: true,
};

/** Refuses values of the wrong form, about which nothing else can be asked. */
export function checkForm(scope: Construct, props: ElasticGpuNodePoolProps, problems: Problems): void {
  checkClusterGiven(props.cluster, problems);
  checkTypeNames(props.instanceTypes, problems);
  if (props.maxNodes === undefined) {
    checkMaxNodes(props.maxNodes, problems);
  }
  checkProperties(props.rootVolume, OF_VOLUME, problems, "rootVolume.");
  checkProperties(props.scaleDown, OF_SCALE_DOWN, problems, "scaleDown.");
  checkProperties(props.costAllocation, OF_COSTS, problems, "costAllocation.");
  checkLists(props, ["subnetIds", "securityGroupIds", "taints", "customTypes", "userData"], problems);
  checkMaps(props, ["labels", "tags"], problems);
  checkChoices(props, problems);
  checkTexts(props, problems);
  const isPublic = props.associatePublicIpAddress;
  checkFlag("associatePublicIpAddress", isPublic, "Leave it out and the subnet decides", problems);
  checkResourceOptions(scope, props, problems);
}

function checkChoices(props: ElasticGpuNodePoolProps, problems: Problems): void {
  checkChoice(
    "capacity",
    props.capacity,
    Capacity.isCapacity,
    "Capacity.onDemand(), .spot(), .reservation(), .reservationGroup() or .capacityBlock()",
    problems,
  );
  checkChoice(
    "workload",
    props.workload,
    Workload.isWorkload,
    "Workload.training(), .inference(), .development() or .named()",
    problems,
  );
  checkChoice(
    "image",
    props.image,
    NodeImage.isNodeImage,
    "NodeImage.al2023Nvidia(), .al2023Neuron(), .al2023Standard(), .bottlerocketNvidia() or .custom()",
    problems,
  );
  checkChoice(
    "sharing",
    props.sharing,
    GpuSharing.isGpuSharing,
    "GpuSharing.none(), .timeSlicing(), .mps() or .mig()",
    problems,
  );
  checkChoice(
    "efa",
    props.efa,
    EfaLayout.isEfaLayout,
    "EfaLayout.ipOptimised(), .bandwidthOptimised() or .none()",
    problems,
  );
  checkChoice(
    "placement",
    props.placement,
    ClusterPlacement.isClusterPlacement,
    "ClusterPlacement.own(), .existing() or .none(); the strategies partition and spread keep nodes apart and are not offered",
    problems,
  );
  checkChoice("nodeRole", props.nodeRole, NodeRole.isNodeRole, "NodeRole.own() or .existing()", problems);
  checkChoice(
    "updatePolicy",
    props.updatePolicy,
    UpdatePolicy.isUpdatePolicy,
    "UpdatePolicy.maxUnavailable(), .maxUnavailablePercentage(), .newNodesOnly() or .instanceRefresh()",
    problems,
  );
  checkChoice("nodeRepair", props.nodeRepair, NodeRepair.isNodeRepair, "NodeRepair.enabled() or .disabled()", problems);
  checkChoice(
    "rootVolume.encryption",
    props.rootVolume?.encryption,
    VolumeEncryption.isVolumeEncryption,
    "VolumeEncryption.awsManagedKey(), .customerKey() or .ownKey()",
    problems,
  );
  checkChoice(
    "localStorage",
    props.localStorage,
    LocalStorage.isLocalStorage,
    "LocalStorage.raid0(), .raid10() or .mount()",
    problems,
  );
  checkMembers(
    "taints",
    props.taints,
    NodeTaint.isNodeTaint,
    "NodeTaint.noSchedule(), .preferNoSchedule() or .noExecute()",
    problems,
  );
  checkMembers(
    "customTypes",
    props.customTypes,
    AcceleratorType.isAcceleratorType,
    "AcceleratorType.custom()",
    problems,
  );
  checkMember("nodeGroupType", props.nodeGroupType, Object.values(NodeGroupType), problems);
  checkMember("workloadTaint", props.workloadTaint, Object.values(TaintEffect), problems);
}

function checkMember(property: string, value: string | undefined, members: string[], problems: Problems): void {
  if (value !== undefined && !members.includes(value)) {
    problems.add(property, `must be one of ${members.join(", ")}`, value, "Choose one of them");
  }
}
