import { Construct } from "constructs";
import { buildNodeGroup, NodeGroup } from "./node-group/build";
import { NodeFoundation } from "./node-group/foundation";
import { NodeGroupPlan } from "./node-group/plan";
import { NodePoolBase } from "./node-pool-base";

/**
 * The second group of a pool: On-Demand nodes that stand in for Spot.
 * @internal
 */
export class FallbackGroup extends NodePoolBase {
  /** @internal */
  readonly _plan: NodeGroupPlan;
  /** @internal */
  readonly _group: NodeGroup;

  constructor(scope: Construct, id: string, plan: NodeGroupPlan, foundation: NodeFoundation) {
    super(scope, id);
    this._plan = plan;
    this._group = buildNodeGroup(this, plan, foundation);
    // What is to be said of both groups, the pool says.
    plan.choices.cluster._register(this);
  }
}
