import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { DrainBudget, INodePool } from "../cluster";
import { alertTopic } from "../internal/alert-topic";
import { isMarked, mark } from "../internal/choices";
import { checkId } from "../internal/ids";
import { physicalName } from "../internal/names";
import { Problems } from "../internal/problems";
import { FallbackGroup } from "./fallback-group";
import { buildNodeGroup, NodeGroup } from "./node-group/build";
import { checkForm } from "./node-group/form-checks";
import { NodeFoundation, nodeFoundation } from "./node-group/foundation";
import { NodeGroupPlan, planNodeGroups } from "./node-group/plan";
import { terminateHook } from "./node-group/terminate-hook";
import { NodePoolBase } from "./node-pool-base";
import { placeholders } from "./placeholders";
import { returnAlarm, shortageAlarms } from "./spot/alarms";
import { checkSpot } from "./spot/checks";
import { fallbackChoices, mixedChoices, namedFallback } from "./spot/choices";
import { checkOwnForm, checkOwnProperties, withoutNever } from "./spot/form";
import { SpotSizes, sizesOf } from "./spot/sizes";
import { spotWarnings } from "./spot/warnings";
import { SpotWithFallbackProps } from "./spot-with-fallback-props";

const MARKER = Symbol.for("cdktf-elastic-gpu/SpotWithFallback");

/** Values of labels (Kubernetes, Labels and Selectors). */
const LABEL_VALUE = 63;

/**
 * Spot nodes above a base of On-Demand ones, On-Demand nodes that stand in while Spot cannot be had, and the way back.
 *
 * Two Auto Scaling groups of one shape: a mixed one, which this construct stands for where a pool is asked for, and
 * `fallbackGroup`. The Cluster Autoscaler turns to the second where launches of the first fail; alarms do the same where
 * it cannot, and take the second back node by node. A NodeTerminationHandler drains nodes that are reclaimed.
 *
 * EC2 may run some more instances than `maxNodes` for a while, when it replaces those that it expects to take soon.
 */
export class SpotWithFallback extends NodePoolBase {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isSpotWithFallback(x: any): x is SpotWithFallback {
    return isMarked(x, MARKER);
  }

  /** The group that stands in. */
  readonly fallbackGroup: INodePool;
  /** Its Auto Scaling group, for what the properties do not offer. */
  readonly fallbackResource: TerraformResource;
  /** Most nodes of both groups together: nothing in AWS bounds their sum. */
  readonly maxNodesInTotal: number;
  /** The topic that hears of shortages. */
  readonly notificationTopicArn: string;
  /** How long pods have to leave, as their own settings and those of their load balancer must say, too. */
  readonly drain: DrainBudget;
  /** Label that all nodes of both groups have and no others, for node selectors. */
  readonly nodeSelector: { [key: string]: string };
  /** @internal */
  readonly _plan: NodeGroupPlan;
  /** @internal */
  readonly _group: NodeGroup;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: SpotWithFallbackProps) {
    super(scope, id);
    mark(this, MARKER);
    const sizes = this.checkedSizes(props);
    this.nodeSelector = { pool: physicalName(this, LABEL_VALUE, props.cluster._knownName ?? "") };
    const problems = new Problems(this);
    const [plan, fallbackPlan] = planNodeGroups(
      [mixedChoices(props, sizes, this.nodeSelector), fallbackChoices(props, sizes, this.nodeSelector)],
      problems,
      (facts) => checkSpot(props, sizes, facts, problems),
    );
    this._plan = plan;
    this.drain = sizes.drain;
    this.maxNodesInTotal = sizes.maxNodes + sizes.fallbackMaxNodes;

    const foundation = nodeFoundation(this, this._plan);
    this._group = buildNodeGroup(this, this._plan, foundation);
    const fallback = new FallbackGroup(this, "Fallback", namedFallback(fallbackPlan, props.name), foundation);
    this.fallbackGroup = fallback;
    this.fallbackResource = fallback.resource;
    terminateHook(this, this.autoscalingGroupName, this.drain, foundation.options);
    terminateHook(fallback, fallback.autoscalingGroupName, this.drain, foundation.options);
    this.notificationTopicArn = this.watch(props, sizes, foundation);
    this.hold(props);
    this._announce(spotWarnings(this._plan, sizes));
  }

  private checkedSizes(props: SpotWithFallbackProps): SpotSizes {
    const problems = new Problems(this);
    checkId(this, problems);
    checkOwnProperties(props, problems);
    checkForm(this, withoutNever(props), problems);
    checkOwnForm(this, props, problems);
    problems.throwIfAny();
    return sizesOf(props);
  }

  private watch(props: SpotWithFallbackProps, sizes: SpotSizes, { names, options }: NodeFoundation): string {
    const { tags, realm } = names;
    const who = `the GPU pool ${this.node.path}`;
    const topicArn =
      props.notificationTopicArn ?? alertTopic(this, "Alerts", { who, realm, fromRules: true, tags }, options);
    const watched = { mixedGroup: this.autoscalingGroupName, fallbackGroup: this.fallbackGroup.autoscalingGroupName };
    const facts = { sizes, watched, realm, topicArn, tags };
    shortageAlarms(this, facts, options);
    if (sizes.returnMinutes !== undefined) {
      returnAlarm(this, facts, sizes.returnMinutes, options);
    }
    return topicArn;
  }

  private hold({ cluster, headroom, kubernetesProvider, dependsOn }: SpotWithFallbackProps): void {
    if (headroom !== undefined) {
      placeholders(this, {
        cluster,
        headroom,
        pool: this,
        nodeSelector: this.nodeSelector,
        taints: this.fallbackGroup.taints,
        kubernetesProvider,
        dependsOn,
      });
    }
  }
}
