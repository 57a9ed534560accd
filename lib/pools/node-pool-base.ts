import { Annotations, TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { AcceleratorType, GpuSharing, NodeImage } from "../accelerators";
import { DrainBudget, INodePool, NodeTaint, NodeTier, PurchasePlan } from "../cluster";
import { requireAwsProvider } from "../internal/providers";
import { refuseNodeDependencies } from "../internal/resource-options";
import { guardStack } from "../internal/stack-guard";
import { NodeGroup } from "./node-group/build";
import { NodeGroupPlan } from "./node-group/plan";
import { NodeSchedule } from "./node-schedule";

/**
 * What pools have in common: one group of nodes, planned and made, that the cluster knows.
 * @internal
 */
export abstract class NodePoolBase extends Construct implements INodePool {
  /** @internal */
  abstract readonly _plan: NodeGroupPlan;
  /** @internal */
  abstract readonly _group: NodeGroup;
  private ownNodeGroupName?: string;

  /** The node group or Auto Scaling group, for what the properties do not offer. */
  get resource(): TerraformResource {
    return this._group.resource;
  }

  get nodeGroupName(): string {
    this.ownNodeGroupName ??= this._group.nodeGroupName();
    return this.ownNodeGroupName;
  }

  get autoscalingGroupName(): string {
    return this._group.autoscalingGroupName;
  }

  get autoscalingGroupPattern(): string {
    return this._group.autoscalingGroupPattern;
  }

  get instanceTypes(): AcceleratorType[] {
    return [...this._plan.shape.types];
  }

  get acceleratorResource(): string {
    return this._plan.shape.types[0].resourceName;
  }

  get acceleratorsPerNode(): number {
    return this._plan.shape.sharing._advertisedCount(this._plan.shape.types[0]);
  }

  get sharing(): GpuSharing {
    return this._plan.shape.sharing;
  }

  get labels(): { [key: string]: string } {
    return { ...this._plan.labels };
  }

  get taints(): NodeTaint[] {
    return [...this._plan.taints];
  }

  get minNodes(): number {
    return this._plan.bounds.minNodes;
  }

  get maxNodes(): number {
    return this._plan.bounds.maxNodes;
  }

  get availabilityZones(): string[] {
    return this._plan.subnets.map((subnet) => subnet.availabilityZone);
  }

  get subnetIds(): string[] {
    return this._plan.subnets.map((subnet) => subnet.subnetId);
  }

  get nodeRoleArn(): string {
    return this._group.nodeRoleArn;
  }

  get launchTemplateId(): string {
    return this._group.launchTemplateId;
  }

  get nodeTier(): NodeTier {
    return this._plan.tier;
  }

  get purchasePlan(): PurchasePlan {
    return this._plan.purchasePlan;
  }

  get drainBudget(): DrainBudget | undefined {
    return this._plan.choices.drain;
  }

  get isSelfManaged(): boolean {
    return !this._plan.managed;
  }

  get isBottlerocket(): boolean {
    return this._plan.shape.bottlerocket;
  }

  /** The image that nodes start from. */
  get image(): NodeImage {
    return this._plan.shape.image;
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
    this._group.schedules.add(schedule);
  }

  /**
   * What follows once the group is made.
   * @internal
   */
  _announce(furtherWarnings: string[] = []): void {
    const { warnings, choices } = this._plan;
    [...warnings, ...furtherWarnings].forEach((warning) => Annotations.of(this).addWarning(warning));
    guardStack(this);
    requireAwsProvider(this, choices.provider);
    refuseNodeDependencies(this);
    choices.cluster._register(this);
  }
}
