import { Annotations, TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { AcceleratorType, GpuSharing, NodeImage } from "../accelerators";
import { INodePool, NodeTaint, NodeTier } from "../cluster";
import { requireAwsProvider } from "../internal/providers";
import { guardStack } from "../internal/stack-guard";
import { refuseNodeDependencies } from "../internal/resource-options";
import { isMarked, mark } from "../internal/choices";
import { ElasticGpuNodePoolProps } from "./elastic-gpu-node-pool-props";
import { buildNodeGroup } from "./node-group/build";
import { planNodeGroup } from "./node-group/plan";
import { ScheduledActions } from "./node-group/scheduled-actions";
import { NodeSchedule } from "./node-schedule";

const MARKER = Symbol.for("cdktf-elastic-gpu/ElasticGpuNodePool");

/**
 * A group of accelerated EKS nodes that grows from zero.
 *
 * It makes a managed node group, or an Auto Scaling group with what nodes need to join; a launch template and a node role;
 * and the tags by which the Cluster Autoscaler knows the nodes of an empty group. Controllers, such as the autoscaler and
 * the device plugin, are not part of it.
 */
export class ElasticGpuNodePool extends Construct implements INodePool {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isElasticGpuNodePool(x: any): x is ElasticGpuNodePool {
    return isMarked(x, MARKER);
  }

  /** The node group or Auto Scaling group, for what the properties do not offer. */
  readonly resource: TerraformResource;
  readonly autoscalingGroupName: string;
  readonly autoscalingGroupPattern: string;
  readonly acceleratorResource: string;
  readonly acceleratorsPerNode: number;
  readonly sharing: GpuSharing;
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly nodeRoleArn: string;
  readonly launchTemplateId: string;
  readonly nodeTier: NodeTier;
  readonly isBottlerocket: boolean;
  /** The image that nodes start from. */
  readonly image: NodeImage;
  private readonly schedules: ScheduledActions;
  private readonly readNodeGroupName: () => string;
  private ownNodeGroupName?: string;
  private readonly ownTypes: AcceleratorType[];
  private readonly ownLabels: { [key: string]: string };
  private readonly ownTaints: NodeTaint[];
  private readonly ownZones: string[];
  private readonly ownSubnets: string[];

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: ElasticGpuNodePoolProps) {
    super(scope, id);
    mark(this, MARKER);
    const plan = planNodeGroup(this, props);
    plan.warnings.forEach((warning) => Annotations.of(this).addWarning(warning));
    const { shape, subnets, bounds } = plan;
    const built = buildNodeGroup(this, plan);

    this.resource = built.resource;
    this.readNodeGroupName = built.nodeGroupName;
    this.autoscalingGroupName = built.autoscalingGroupName;
    this.autoscalingGroupPattern = built.autoscalingGroupPattern;
    this.nodeRoleArn = built.nodeRoleArn;
    this.launchTemplateId = built.launchTemplateId;
    this.schedules = built.schedules;
    this.acceleratorResource = shape.types[0].resourceName;
    this.acceleratorsPerNode = shape.sharing._advertisedCount(shape.types[0]);
    this.sharing = shape.sharing;
    this.image = shape.image;
    this.minNodes = bounds.minNodes;
    this.maxNodes = bounds.maxNodes;
    this.nodeTier = plan.capacity.tier;
    this.isBottlerocket = shape.bottlerocket;
    this.ownTypes = shape.types;
    this.ownLabels = plan.labels;
    this.ownTaints = plan.taints;
    this.ownZones = subnets.map((subnet) => subnet.availabilityZone);
    this.ownSubnets = subnets.map((subnet) => subnet.subnetId);

    guardStack(this);
    requireAwsProvider(this, props.provider);
    refuseNodeDependencies(this);
    props.cluster._register(this);
  }

  get nodeGroupName(): string {
    this.ownNodeGroupName ??= this.readNodeGroupName();
    return this.ownNodeGroupName;
  }

  get instanceTypes(): AcceleratorType[] {
    return [...this.ownTypes];
  }

  get labels(): { [key: string]: string } {
    return { ...this.ownLabels };
  }

  get taints(): NodeTaint[] {
    return [...this.ownTaints];
  }

  get availabilityZones(): string[] {
    return [...this.ownZones];
  }

  get subnetIds(): string[] {
    return [...this.ownSubnets];
  }

  /**
   * Changes the group's sizes by the clock.
   *
   * From then on Terraform leaves the group's minimum and maximum alone: the actions own them, and a change of the pool's
   * bounds takes effect when the next action sets them.
   *
   * @throws where a time, zone or size cannot be right, or two actions would fall due at one instant.
   */
  addSchedule(schedule: NodeSchedule): void {
    this.schedules.add(schedule);
  }
}
