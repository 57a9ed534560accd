import { AcceleratorType, EfaLayout, GpuSharing, NodeImage } from "../../accelerators";
import { NodeTaint, TaintEffect } from "../../cluster";
import { checkChoice, checkLists, checkMaps, checkProperties } from "../../internal/choices";
import { Problems } from "../../internal/problems";
import { Capacity } from "../capacity";
import { ClusterPlacement } from "../cluster-placement";
import { ElasticGpuNodePoolProps, NodeGroupType } from "../elastic-gpu-node-pool-props";
import { CostAllocation } from "../cost-allocation";
import { NodeRepair } from "../node-repair";
import { NodeRole } from "../node-role";
import { RootVolume } from "../root-volume";
import { ScaleDown } from "../scale-down";
import { UpdatePolicy } from "../update-policy";
import { Workload } from "../workload";
import { checkWhole } from "./bounds";
import { checkLabelValue } from "./labels";
import { checkName } from "./name";
import { checkRole } from "./role";
import { checkTags } from "./tags";
import { checkScaleDown } from "./template-tags";

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<ElasticGpuNodePoolProps>]: true } = {
  cluster: true,
  instanceTypes: true,
  customTypes: true,
  maxNodes: true,
  minNodes: true,
  desiredNodes: true,
  nodeGroupType: true,
  capacity: true,
  workload: true,
  workloadTaint: true,
  labels: true,
  taints: true,
  image: true,
  sharing: true,
  efa: true,
  placement: true,
  availabilityZones: true,
  subnetIds: true,
  securityGroupIds: true,
  associatePublicIpAddress: true,
  rootVolume: true,
  localStorage: true,
  userData: true,
  nodeRole: true,
  updatePolicy: true,
  nodeRepair: true,
  scaleDown: true,
  minVcpusPerGpu: true,
  imdsHopLimit: true,
  costAllocation: true,
  tags: true,
  name: true,
  provider: true,
  dependsOn: true,
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
export function checkForm(props: ElasticGpuNodePoolProps, problems: Problems): void {
  checkProperties(props, PROPERTIES, problems);
  checkProperties(props.rootVolume ?? {}, OF_VOLUME, problems, "rootVolume.");
  checkProperties(props.scaleDown ?? {}, OF_SCALE_DOWN, problems, "scaleDown.");
  checkProperties(props.costAllocation ?? {}, OF_COSTS, problems, "costAllocation.");
  checkLists(props, ["subnetIds", "securityGroupIds", "taints", "customTypes", "userData"], problems);
  checkMaps(props, ["labels", "tags"], problems);
  checkChoices(props, problems);
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
  listed(props.taints).forEach((taint, index) =>
    checkChoice(
      `taints[${index}]`,
      taint,
      NodeTaint.isNodeTaint,
      "NodeTaint.noSchedule(), .preferNoSchedule() or .noExecute()",
      problems,
    ),
  );
  listed(props.customTypes).forEach((type, index) =>
    checkChoice(`customTypes[${index}]`, type, AcceleratorType.isAcceleratorType, "AcceleratorType.custom()", problems),
  );
  checkMember("nodeGroupType", props.nodeGroupType, Object.values(NodeGroupType), problems);
  checkMember("workloadTaint", props.workloadTaint, Object.values(TaintEffect), problems);
}

function listed<T>(list: T[] | undefined): T[] {
  return Array.isArray(list) ? list : [];
}

function checkMember(property: string, value: string | undefined, members: string[], problems: Problems): void {
  if (value !== undefined && !members.includes(value)) {
    problems.add(property, `must be one of ${members.join(", ")}`, value, "Choose one of them");
  }
}

/** What does not depend on the instance types. */
export function checkGroup(props: ElasticGpuNodePoolProps, managed: boolean, problems: Problems): void {
  const role = props.nodeRole ?? NodeRole.own();
  checkName(props.name, managed, role.roleArn === undefined, problems);
  checkRole(role, managed, problems);
  checkUpdatePolicy(props.updatePolicy, managed, problems);
  checkScaleDown(props.scaleDown, problems);
  checkTags(props, problems);
  if (props.workload) {
    checkLabelValue("workload", props.workload.name, problems);
    if (props.workload.name === "") {
      problems.add("workload", "must have a name", props.workload.name, "Name what the nodes are for");
    }
  } else if (props.workloadTaint) {
    problems.add(
      "workloadTaint",
      "must be left out where workload is, since it has the workload's name",
      props.workloadTaint,
      "Give a workload, or use taints",
    );
  }
  if (props.imdsHopLimit !== undefined) {
    checkWhole(
      "imdsHopLimit",
      props.imdsHopLimit,
      1,
      "1 keeps pods from the node's role, 2 lets them reach it",
      problems,
      64,
    );
  }
  checkNodeRepair(props.nodeRepair, managed, problems);
}

function checkNodeRepair(repair: NodeRepair | undefined, managed: boolean, problems: Problems): void {
  if (!managed && repair) {
    problems.addText("nodeRepair", "must be left out for a self-managed group, which EKS does not repair. Remove it");
  }
  for (const limit of ["maxParallelNodes", "maxUnhealthyNodes"] as const) {
    if (repair?.[limit] !== undefined) {
      checkWhole(`nodeRepair.${limit}`, repair[limit], 1, "Leave it out and EKS decides", problems);
    }
  }
}

function checkUpdatePolicy(policy: UpdatePolicy | undefined, managed: boolean, problems: Problems): void {
  if (!policy) {
    return;
  }
  const { unavailableNodes, unavailablePercentage, minHealthyPercentage } = policy;
  const forManaged = unavailableNodes !== undefined || unavailablePercentage !== undefined;
  if (managed && !forManaged) {
    problems.addText(
      "updatePolicy",
      "must be UpdatePolicy.maxUnavailable() or .maxUnavailablePercentage() for a managed node group, which EKS always updates. Use one of them",
    );
  }
  if (!managed && forManaged) {
    problems.addText(
      "updatePolicy",
      "must be UpdatePolicy.newNodesOnly() or .instanceRefresh() for a self-managed group. Use one of them",
    );
  }
  const remedy = "Fewer at a time keep more capacity, more are faster";
  if (unavailableNodes !== undefined) {
    checkWhole("updatePolicy.maxUnavailable", unavailableNodes, 1, remedy, problems, 100);
  }
  if (unavailablePercentage !== undefined) {
    checkWhole("updatePolicy.maxUnavailablePercentage", unavailablePercentage, 1, remedy, problems, 100);
  }
  if (minHealthyPercentage !== undefined) {
    checkWhole("updatePolicy.minHealthyPercentage", minHealthyPercentage, 0, remedy, problems, 100);
  }
}
