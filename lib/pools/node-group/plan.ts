import { Construct } from "constructs";
import { AcceleratorType, EfaLayout, GpuSharing, GpuSharingStrategy, JoinMethod, NodeImage } from "../../accelerators";
import { bottlerocketMigProblem } from "../../accelerators/mig-profiles";
import { ClusterSubnet, IGpuCluster, NodeTaint } from "../../cluster";
import { checkSkew } from "../../cluster/kubernetes-version";
import { checkId } from "../../internal/ids";
import { Problems } from "../../internal/problems";
import { checkResourceOptions } from "../../internal/resource-options";
import { isKnown } from "../../internal/tokens";
import { Capacity } from "../capacity";
import { ElasticGpuNodePoolProps, NodeGroupType } from "../elastic-gpu-node-pool-props";
import { NodeRole } from "../node-role";
import { renderUserData } from "./boot/user-data";
import { Bounds, boundsOf, checkBounds } from "./bounds";
import { CapacityFacts, capacityWarnings, checkCapacity, checkPlacement } from "./capacity-checks";
import { checkForm } from "./form-checks";
import { checkGroup } from "./group-checks";
import { checkLabels, checkNotSystem, checkTaints, ownLabels, poolTaints } from "./labels";
import { checkNetwork } from "./network";
import { discoveryTags } from "./self-managed-group";
import { checkShape, isBottlerocket, NodeShape, resolveTypes, shapeWarnings } from "./shape";
import { checkStorage } from "./storage";
import { resolveSubnets } from "./subnets";
import { resourceTags } from "./tags";
import { checkTemplateTags, templateTags } from "./template-tags";
import { checkVolumeKey } from "./volume-key";

/** Tags that EKS sets on the Auto Scaling group of a managed node group: its two names, and three for discovery. */
const TAGS_OF_EKS = 5;

/** Everything that is decided about a group before the first resource is made. */
export interface NodeGroupPlan {
  readonly props: ElasticGpuNodePoolProps;
  readonly managed: boolean;
  /** Of the nodes. */
  readonly kubernetesVersion: string;
  readonly shape: NodeShape;
  readonly subnets: ClusterSubnet[];
  readonly bounds: Bounds;
  readonly capacity: Capacity;
  readonly role: NodeRole;
  readonly labels: { [key: string]: string };
  readonly taints: NodeTaint[];
  readonly tags: { [key: string]: string };
  readonly templateTags: { [key: string]: string };
  readonly userData?: string;
  readonly warnings: string[];
}

/** Decides and checks, and throws with all that is wrong. Makes no resources. */
export function planNodeGroup(scope: Construct, props: ElasticGpuNodePoolProps): NodeGroupPlan {
  const problems = new Problems(scope);
  checkId(scope, problems);
  checkForm(props, problems);
  checkResourceOptions(scope, props, problems);
  problems.throwIfAny();

  const managed = (props.nodeGroupType ?? NodeGroupType.MANAGED) === NodeGroupType.MANAGED;
  const types = resolveTypes(props, managed, problems);
  const subnets = resolveSubnets(props.cluster.subnets, props, problems);
  const bounds = boundsOf(props);
  checkBounds(bounds, problems);
  checkGroup(props, managed, problems);
  const kubernetesVersion = versionOfNodes(props, problems);
  // What remains to be asked is asked about the types.
  const shape = shapeOf(types ?? problems.fail(), props);

  const capacity = props.capacity ?? Capacity.onDemand();
  const zones = [...new Set(subnets.map((subnet) => subnet.availabilityZone))];
  const facts: CapacityFacts = { types: shape.types, zones, bounds, placement: props.placement, managed };
  checkHardware(props, shape, kubernetesVersion, facts, problems);
  checkCapacity(capacity, facts, problems);

  const own = ownLabels({ shape, tier: capacity.tier, workload: props.workload });
  checkLabels(props.labels ?? {}, own, managed, problems);
  const labels = { ...own, ...props.labels };
  checkNotSystem(labels, props.cluster.systemNodeSelector, problems);
  const taints = poolTaints(shape, props.taints ?? [], props.workload, props.workloadTaint);
  checkTaints(taints, managed, problems);

  const tags = resourceTags(props);
  const forAutoscaler = templateTags({ shape, labels, taints, zones, storage: props, scaleDown: props.scaleDown });
  const forDiscovery = managed ? TAGS_OF_EKS : discoveryTags("").length;
  checkTemplateTags(forAutoscaler, forDiscovery + Object.keys(tags).length, problems);

  const boot = { labels, taints, maxPods: maxPodsOf(shape), localStorage: props.localStorage };
  const cluster = managed && shape.image.imageId === undefined ? undefined : joinable(props.cluster, shape, problems);
  const userData = renderUserData({ ...boot, cluster, shape, added: props.userData ?? [] }, problems);
  problems.throwIfAny();

  return {
    props,
    managed,
    kubernetesVersion,
    shape,
    subnets,
    bounds,
    capacity,
    role: props.nodeRole ?? NodeRole.own(),
    labels,
    taints,
    tags,
    templateTags: forAutoscaler,
    userData,
    warnings: [...shapeWarnings(shape, props), ...capacityWarnings(capacity, bounds)],
  };
}

function versionOfNodes({ cluster, kubernetesVersion, image }: ElasticGpuNodePoolProps, problems: Problems): string {
  if (kubernetesVersion === undefined) {
    return cluster.kubernetesVersion;
  }
  checkSkew(kubernetesVersion, cluster.kubernetesVersion, problems);
  if (image?.imageId !== undefined) {
    problems.add(
      "kubernetesVersion",
      "must be left out for an image of your own, which has its version in it",
      kubernetesVersion,
      "Remove it",
    );
  }
  return kubernetesVersion;
}

function shapeOf(types: AcceleratorType[], props: ElasticGpuNodePoolProps): NodeShape {
  const image = props.image ?? NodeImage.forVendor(types[0].vendor);
  const withEfa = types.every((type) => type.efaCards.length > 0);
  return {
    types,
    image,
    sharing: props.sharing ?? GpuSharing.none(),
    interfaces: withEfa ? (props.efa ?? EfaLayout.none())._interfaces(types[0]) : [],
    bottlerocket: isBottlerocket(image),
  };
}

/** EKS takes a release as it is; a parameter's path is made from its parts. */
function checkRelease({ image }: NodeShape, managed: boolean, problems: Problems): void {
  if (!managed && !isKnown(image.releaseVersion)) {
    problems.addText(
      "image",
      "must have a literal releaseVersion for a self-managed group, because the path of its image is made from it, got: a token. Write it out",
    );
  }
}

function checkHardware(
  props: ElasticGpuNodePoolProps,
  shape: NodeShape,
  kubernetesVersion: string,
  { zones, managed }: CapacityFacts,
  problems: Problems,
): void {
  const { types, image, sharing, interfaces } = shape;
  checkShape(shape, props, kubernetesVersion, problems);
  checkRelease(shape, managed, problems);
  checkStorage(types, image, props, problems);
  checkVolumeKey(props.rootVolume?.encryption, problems);
  checkNetwork(
    props.cluster,
    props.securityGroupIds ?? [],
    props.associatePublicIpAddress,
    interfaces,
    zones,
    problems,
  );
  checkPlacement(props.placement, zones, types, problems);
  if (sharing.strategy === GpuSharingStrategy.MIG) {
    const text = shape.bottlerocket ? bottlerocketMigProblem(types[0], `${sharing.migProfile}`) : undefined;
    if (text !== undefined && sharing._problems(types[0]).length === 0) {
      problems.addText("sharing", text);
    }
    if (joinsByItself(image)) {
      problems.addText(
        "sharing",
        "must not be MIG for an image that joins by its own user data, because the partitions are made before nodeadm starts. Use JoinMethod.nodeadm(), or partition in the image and leave sharing out",
      );
    }
  }
}

/**
 * The cluster as the user data of its nodes describes it, which is needed where EKS does not do so: undefined for images
 * that find it by themselves.
 */
function joinable(
  cluster: IGpuCluster,
  { image, bottlerocket }: NodeShape,
  problems: Problems,
): IGpuCluster | undefined {
  if (joinsByItself(image)) {
    return undefined;
  }
  const needed = [
    "endpoint",
    "certificateAuthority",
    ...(bottlerocket ? [] : ["serviceCidr"]),
  ] as (keyof IGpuCluster)[];
  for (const attribute of needed.filter((attribute) => cluster[attribute] === undefined)) {
    problems.addText(
      `cluster.${attribute}`,
      "must be given for self-managed groups and custom images, whose nodes EKS does not tell how to join, got: undefined. Pass it to GpuCluster.fromAttributes()",
    );
  }
  return cluster;
}

function joinsByItself(image: NodeImage): boolean {
  return image._join.name === JoinMethod.ownUserData().name;
}

/** Most pods that EKS allows on a node, below 30 vCPUs and from there on (EKS User Guide, Choose an optimal EC2 node instance type). */
const MOST_PODS = { small: 110, large: 250 };

/** With EFA devices on the first card fewer addresses are left for pods than nodeadm and EKS count with. */
function maxPodsOf({ types, interfaces }: NodeShape): number | undefined {
  const onFirstCard = interfaces.filter(
    (device) => device.networkCardIndex === 0 && device.interfaceType !== "interface",
  );
  return interfaces.length === 0
    ? undefined
    : Math.min(
        ...types.flatMap((type) => [
          type.maxPods(onFirstCard.length),
          type.vcpus < 30 ? MOST_PODS.small : MOST_PODS.large,
        ]),
      );
}
