import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { Addon, INodePool } from "../../cluster";
import { realmOf, regionOfCluster } from "../../cluster/identity";
import { alertTopic, checkTopicArn } from "../../internal/alert-topic";
import { checkFlag, isMarked, mark } from "../../internal/choices";
import { partitionOf } from "../../internal/partition";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { claimAddon, HelmAddon, releaseAddon } from "../helm-addon";
import { AWS_PROPERTIES, checkAws, podIdentity } from "../pod-identity";
import { allPools } from "../pool-taints";
import { queueAlarms } from "./alarms";
import { checkClaims, claim } from "./claims";
import { NodeTerminationHandlerProps } from "./node-termination-handler-props";
import { handlerStatements } from "./policy";
import { checkQueueName, queuePolicies, queues } from "./queue";
import { eventRules } from "./rules";
import { longestDrainSeconds, QueueTimes, queueTimes } from "./times";
import { handlerValues, OWNED, SERVICE_ACCOUNT } from "./values";

const MARKER = Symbol.for("cdktf-elastic-gpu/NodeTerminationHandler");

const PROPERTIES = {
  ...AWS_PROPERTIES,
  pools: true,
  queueName: true,
  notificationTopicArn: true,
  serviceMonitor: true,
} as const;

/**
 * The AWS Node Termination Handler: drains nodes of self-managed groups before their instances end, be it that Spot takes
 * them back, that the group scales in, or that AWS maintains their host.
 *
 * EventBridge rules send to a queue, off which the handler takes the events of this cluster's nodes; once a node is drained,
 * it lets the group's lifecycle hook go on. One serves all pools of a cluster. Nodes of managed groups are drained by EKS.
 *
 * An alarm tells of events that nobody takes, another of those that could not be handled.
 */
export class NodeTerminationHandler extends Construct {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNodeTerminationHandler(x: any): x is NodeTerminationHandler {
    return isMarked(x, MARKER);
  }

  /** The Helm release, for what the properties do not offer. */
  readonly resource: TerraformResource;
  /** Name of the role that its pods have, for policies of your own. */
  readonly roleName: string;
  /** URL of the queue of events. */
  readonly queueUrl: string;
  /** ARN of the queue of events, for rules of your own; they need a policy, too. */
  readonly queueArn: string;
  /** ARN of the topic that the alarms notify. */
  readonly notificationTopicArn: string;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: NodeTerminationHandlerProps) {
    super(scope, id);
    mark(this, MARKER);
    const pools = (): INodePool[] => allPools(props.cluster.pools, props.pools);
    const addon: HelmAddon = {
      addon: Addon.NODE_TERMINATION_HANDLER,
      props,
      properties: PROPERTIES,
      lists: ["pools"],
      namedPools: () => props.pools,
      check: (problems) => checkProps(this, props, problems),
      owned: OWNED,
      values: (releaseName) =>
        handlerValues({
          cluster: props.cluster,
          pools: pools(),
          queueUrl: this.queueUrl,
          releaseName,
          serviceMonitor: props.serviceMonitor,
        }),
    };
    claimAddon(this, addon);
    claim(this, props);

    const { cluster, provider, dependsOn, tags } = props;
    const options: ResourceOptions = { provider, dependsOn };
    const realm = realmOf(cluster);
    const times = (): QueueTimes => queueTimes(longestDrainSeconds(pools()));
    const made = queues(this, { queueName: props.queueName, realm, tags, times }, options);
    this.queueUrl = made.queue.url;
    this.queueArn = made.queue.arn;
    const rules = eventRules(this, { queueArn: this.queueArn, realm, tags }, options);
    const ruleArns = rules.map((rule) => rule.arn);
    queuePolicies(this, made, ruleArns, options);
    this.notificationTopicArn =
      props.notificationTopicArn ??
      alertTopic(this, "Alerts", { who: `the termination handler ${this.node.path}`, realm, tags }, options);
    queueAlarms(this, { queues: made, topicArn: this.notificationTopicArn, realm, tags, times }, options);

    const identity = podIdentity(this, props, {
      serviceAccount: SERVICE_ACCOUNT,
      description: "AWS Node Termination Handler",
      statements: handlerStatements(cluster, this.queueArn, partitionOf(this, provider)),
    });
    this.resource = releaseAddon(this, addon, identity.before);
    this.roleName = identity.roleName;
  }
}

function checkProps(scope: Construct, props: NodeTerminationHandlerProps, problems: Problems): void {
  const { cluster, queueName, notificationTopicArn, serviceMonitor } = props;
  checkAws(props, problems);
  checkFlag("serviceMonitor", serviceMonitor, "Leave it out and none is made", problems);
  checkQueueName(queueName, problems);
  checkTopicArn("notificationTopicArn", notificationTopicArn, regionOfCluster(cluster), problems);
  checkClaims(scope, props, problems);
}
