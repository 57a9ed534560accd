import { Construct } from "constructs";
import { checkProperties, isMarked, mark } from "../internal/choices";
import { checkId } from "../internal/ids";
import { Problems } from "../internal/problems";
import { ElasticGpuNodePoolProps } from "./elastic-gpu-node-pool-props";
import { buildNodeGroup, NodeGroup } from "./node-group/build";
import { checkForm, MULTI_TYPE_PROPERTIES } from "./node-group/form-checks";
import { NodeGroupPlan, planNodeGroup } from "./node-group/plan";
import { NodePoolBase } from "./node-pool-base";

const MARKER = Symbol.for("cdktf-elastic-gpu/ElasticGpuNodePool");

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<ElasticGpuNodePoolProps>]: true } = {
  ...MULTI_TYPE_PROPERTIES,
  nodeGroupType: true,
  capacity: true,
  efa: true,
  placement: true,
  updatePolicy: true,
  nodeRepair: true,
};

/**
 * A group of accelerated EKS nodes that grows from zero.
 *
 * It makes a managed node group, or an Auto Scaling group with what nodes need to join; a launch template and a node role;
 * and the tags by which the Cluster Autoscaler knows the nodes of an empty group. Controllers, such as the autoscaler and
 * the device plugin, are not part of it.
 */
export class ElasticGpuNodePool extends NodePoolBase {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isElasticGpuNodePool(x: any): x is ElasticGpuNodePool {
    return isMarked(x, MARKER);
  }

  /** @internal */
  readonly _plan: NodeGroupPlan;
  /** @internal */
  readonly _group: NodeGroup;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: ElasticGpuNodePoolProps) {
    super(scope, id);
    mark(this, MARKER);
    const problems = new Problems(this);
    checkId(this, problems);
    checkProperties(props, PROPERTIES, problems);
    checkForm(this, props, problems);
    problems.throwIfAny();
    this._plan = planNodeGroup(props, problems);
    this._group = buildNodeGroup(this, this._plan);
    this._announce();
  }
}
