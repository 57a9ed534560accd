import { AcceleratorType, EfaLayout, GpuSharing, GpuSharingStrategy, NodeImage } from "../../accelerators";
import { bottlerocketMigProblem } from "../../accelerators/mig-profiles";
import { ClusterSubnet, IGpuCluster, NodeTaint, NodeTier, PurchasePlan } from "../../cluster";
import { checkSkew } from "../../cluster/kubernetes-version";
import { Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { Capacity } from "../capacity";
import { NodeGroupType } from "../elastic-gpu-node-pool-props";
import { NodeRole } from "../node-role";
import { renderUserData } from "./boot/user-data";
import { Bounds, boundsOf, checkBounds } from "./bounds";
import { CapacityFacts, capacityWarnings, checkCapacity, checkPlacement } from "./capacity-checks";
import { GroupChoices } from "./choices";
import { checkGroup } from "./group-checks";
import { checkLabels, checkNotSystem, checkTaints, ownLabels, poolTaints } from "./labels";
import { marketOf } from "./market";
import { checkNetwork } from "./network";
import { discoveryTags } from "./self-managed-group";
import { checkShape, isBottlerocket, joinsByItself, NodeShape, resolveTypes, shapeWarnings } from "./shape";
import { checkStorage } from "./storage";
import { resolveSubnets } from "./subnets";
import { resourceTags } from "./tags";
import { checkTemplateTags, templateTags } from "./template-tags";
import { checkVolumeKey } from "./volume-key";

/** Tags that EKS sets on the Auto Scaling group of a managed node group: its two names, and three for discovery. */
const TAGS_OF_EKS = 5;

/** Everything that is decided about a group before the first resource is made. */
export interface NodeGroupPlan {
  readonly choices: GroupChoices;
  readonly managed: boolean;
  /** Of the nodes. */
  readonly kubernetesVersion: string;
  readonly shape: NodeShape;
  readonly subnets: ClusterSubnet[];
  readonly bounds: Bounds;
  readonly capacity: Capacity;
  readonly purchasePlan: PurchasePlan;
  readonly tier: NodeTier;
  readonly role: NodeRole;
  readonly labels: { [key: string]: string };
  readonly taints: NodeTaint[];
  readonly tags: { [key: string]: string };
  readonly templateTags: { [key: string]: string };
  readonly userData?: string;
  readonly warnings: string[];
}

/**
 * Decides and checks, and throws with all that is wrong. Makes no resources.
 *
 * The form of the choices has been checked. `further` is what a construct asks beyond what holds for every group.
 */
export function planNodeGroup(
  choices: GroupChoices,
  problems: Problems,
  further: (facts: CapacityFacts) => void = () => {},
): NodeGroupPlan {
  const decided = decide(choices, problems, further);
  problems.throwIfAny();
  return withWarnings(decided);
}

/** The same for two groups of one pool, whose problems come together, each once. `further` is asked of the first. */
export function planNodeGroups(
  [first, second]: [GroupChoices, GroupChoices],
  problems: Problems,
  further: (facts: CapacityFacts) => void,
): [NodeGroupPlan, NodeGroupPlan] {
  const decided = decide(first, problems, further);
  const ofSecond = problems.another();
  const decidedSecond = decide(second, ofSecond, () => {});
  problems.adopt(ofSecond);
  problems.throwIfAny();
  return [withWarnings(decided), withWarnings(decidedSecond)];
}

type Decided = Omit<NodeGroupPlan, "warnings">;

function withWarnings(decided: Decided): NodeGroupPlan {
  const { shape, choices, purchasePlan, capacity, bounds } = decided;
  const warnings = [
    ...shapeWarnings(shape, choices, purchasePlan.spotPercentage > 0),
    ...capacityWarnings(capacity, bounds),
  ];
  return { ...decided, warnings };
}

function decide(choices: GroupChoices, problems: Problems, further: (facts: CapacityFacts) => void): Decided {
  const managed = (choices.nodeGroupType ?? NodeGroupType.MANAGED) === NodeGroupType.MANAGED;
  const types = resolveTypes(choices, managed, problems);
  const subnets = resolveSubnets(choices.cluster.subnets, choices, problems);
  const bounds = boundsOf(choices);
  checkBounds(bounds, problems);
  checkGroup(choices, managed, problems);
  const kubernetesVersion = versionOfNodes(choices, problems);
  // What remains to be asked is asked about the types.
  const shape = shapeOf(types ?? problems.fail(), choices);

  const capacity = choices.capacity ?? Capacity.onDemand();
  const purchasePlan = choices.purchasePlan ?? capacity._purchasePlan;
  const tier = choices.tier ?? purchasePlan.tier;
  const zones = [...new Set(subnets.map((subnet) => subnet.availabilityZone))];
  const facts: CapacityFacts = { types: shape.types, zones, bounds, placement: choices.placement, managed };
  checkHardware(choices, shape, kubernetesVersion, facts, problems);
  checkCapacity(capacity, facts, problems);
  further(facts);

  const market = managed ? undefined : marketOf(capacity, purchasePlan);
  const own = { ...ownLabels({ shape, tier, workload: choices.workload, market }), ...choices.ownLabels };
  checkLabels(choices.labels ?? {}, own, managed, problems);
  const labels = { ...own, ...choices.labels };
  checkNotSystem(labels, choices.cluster.systemNodeSelector, problems);
  const taints = poolTaints(shape, choices.taints ?? [], choices.workload, choices.workloadTaint);
  checkTaints(taints, managed, problems);

  const tags = resourceTags(choices);
  const forAutoscaler = templateTags({ shape, labels, taints, zones, storage: choices, scaleDown: choices.scaleDown });
  const forDiscovery = managed ? TAGS_OF_EKS : discoveryTags("").length;
  checkTemplateTags(forAutoscaler, forDiscovery + Object.keys(tags).length, problems);

  const boot = {
    labels,
    taints,
    maxPods: maxPodsOf(shape),
    localStorage: choices.localStorage,
    tellsMarket: !managed && market === undefined,
    images: choices.images ?? [],
  };
  const cluster = managed && shape.image.imageId === undefined ? undefined : joinable(choices.cluster, shape, problems);
  const userData = renderUserData({ ...boot, cluster, shape, added: choices.userData ?? [] }, problems);

  return {
    choices,
    managed,
    kubernetesVersion,
    shape,
    subnets,
    bounds,
    capacity,
    purchasePlan,
    tier,
    role: choices.nodeRole ?? NodeRole.own(),
    labels,
    taints,
    tags,
    templateTags: forAutoscaler,
    userData,
  };
}

function versionOfNodes({ cluster, kubernetesVersion, image }: GroupChoices, problems: Problems): string {
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

function shapeOf(types: AcceleratorType[], choices: GroupChoices): NodeShape {
  const image = choices.image ?? NodeImage.forVendor(types[0].vendor);
  const withEfa = types.every((type) => type.efaCards.length > 0);
  return {
    types,
    image,
    sharing: choices.sharing ?? GpuSharing.none(),
    interfaces: withEfa ? (choices.efa ?? EfaLayout.none())._interfaces(types[0]) : [],
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
  choices: GroupChoices,
  shape: NodeShape,
  kubernetesVersion: string,
  { zones, managed }: CapacityFacts,
  problems: Problems,
): void {
  const { types, image, sharing, interfaces } = shape;
  checkShape(shape, choices, kubernetesVersion, problems);
  checkRelease(shape, managed, problems);
  checkStorage(types, image, choices, problems);
  checkVolumeKey(choices.rootVolume?.encryption, problems);
  checkNetwork(
    choices.cluster,
    choices.securityGroupIds ?? [],
    choices.associatePublicIpAddress,
    interfaces,
    zones,
    problems,
  );
  checkPlacement(choices.placement, zones, types, problems);
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
