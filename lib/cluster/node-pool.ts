import { IConstruct } from "constructs";
import { AcceleratorType, GpuSharing } from "../accelerators";
import { DrainBudget } from "./drain-budget";
import { NodeTaint } from "./node-taint";
import { PurchasePlan } from "./purchase-plan";

/**
 * How sure the capacity of a group is, and what it costs. The value of the label `node-tier`.
 *
 * Groups of different tiers are never similar to the Cluster Autoscaler, so it does not balance across them.
 */
export enum NodeTier {
  /** Paid for whether used or not: reservations and Capacity Blocks. */
  RESERVED = "reserved",
  /** On-Demand. */
  ON_DEMAND = "on-demand",
  /** Spot: may be reclaimed at two minutes' notice. */
  SPOT = "spot",
  /** On-Demand that stands in where Spot cannot be had. */
  FALLBACK = "fallback",
}

/** A group of nodes, as the cluster, its add-ons and other constructs see it. */
export interface INodePool extends IConstruct {
  /** Name of the EKS node group; of the Auto Scaling group where that is self-managed. Known after apply. */
  readonly nodeGroupName: string;
  /** Name of the Auto Scaling group, also of a managed node group's. Known after apply. */
  readonly autoscalingGroupName: string;
  /**
   * Regular expression that matches the whole name of its Auto Scaling group, and no other pool's. Known at synth as far as
   * the pool's name is.
   */
  readonly autoscalingGroupPattern: string;
  /** The types its nodes may have, the smallest first. */
  readonly instanceTypes: AcceleratorType[];
  /** Extended resource that its accelerators are asked for by, such as `nvidia.com/gpu`. */
  readonly acceleratorResource: string;
  /** How many of `acceleratorResource` a node offers, with sharing counted. */
  readonly acceleratorsPerNode: number;
  /** How the accelerators of a node are shared. */
  readonly sharing: GpuSharing;
  /** Labels on every node, as far as the pool sets them. */
  readonly labels: { [key: string]: string };
  /** Taints on every node. */
  readonly taints: NodeTaint[];
  /** Least nodes. */
  readonly minNodes: number;
  /** Most nodes. */
  readonly maxNodes: number;
  /** Availability Zones that nodes may be in. */
  readonly availabilityZones: string[];
  /** Subnets that nodes may be in. */
  readonly subnetIds: string[];
  /** ARN of the role that nodes have. */
  readonly nodeRoleArn: string;
  /** ID of the launch template. */
  readonly launchTemplateId: string;
  /** How sure the capacity is. */
  readonly nodeTier: NodeTier;
  /** As what nodes are bought, at any number of them. */
  readonly purchasePlan: PurchasePlan;
  /** Whether it is an Auto Scaling group of the user's own, whose nodes nobody drains but what is installed for it. */
  readonly isSelfManaged: boolean;
  /** How long pods have to leave a node that goes. Undefined: nothing is known of it. */
  readonly drainBudget?: DrainBudget;
  /** Whether nodes run Bottlerocket, which brings its own device plugin. */
  readonly isBottlerocket: boolean;
}
