import { AutoscalingPolicy } from "@cdktf/provider-aws/lib/autoscaling-policy";
import { CloudwatchEventRule } from "@cdktf/provider-aws/lib/cloudwatch-event-rule";
import { CloudwatchEventTarget } from "@cdktf/provider-aws/lib/cloudwatch-event-target";
import {
  CloudwatchMetricAlarm,
  CloudwatchMetricAlarmMetricQuery,
} from "@cdktf/provider-aws/lib/cloudwatch-metric-alarm";
import { Construct } from "constructs";
import { NAME_LIMITS, physicalName } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";
import { launchFailureQueries, returnQueries, shortageQueries, Watched } from "./metrics";
import { SpotSizes } from "./sizes";
import { raisingSteps } from "./steps";

/** As long as an instance takes until it is a node: meanwhile a repeated alarm does not add it again. */
const WARM_UP_SECONDS = 180;

export interface AlarmFacts {
  readonly sizes: SpotSizes;
  readonly watched: Watched;
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly topicArn: string;
  readonly tags: { [key: string]: string };
}

/** Nodes stand in where Spot falls short, whatever the autoscaler sees of it. */
export function shortageAlarms(scope: Construct, facts: AlarmFacts, options: ResourceOptions): void {
  const { sizes, watched, topicArn } = facts;
  const raise = new AutoscalingPolicy(scope, "RaiseFallback", {
    ...options,
    name: "stand-in-for-spot",
    autoscalingGroupName: watched.fallbackGroup,
    policyType: "StepScaling",
    adjustmentType: "ChangeInCapacity",
    metricAggregationType: "Maximum",
    estimatedInstanceWarmup: WARM_UP_SECONDS,
    stepAdjustment: raisingSteps(sizes.fallbackMaxNodes),
  });
  const ruleName = launchFailures(scope, "LaunchFailures", watched.mixedGroup, facts, options);
  // Where nothing stands in either, such as beyond a quota, no size and no alarm shows it.
  launchFailures(scope, "FallbackLaunchFailures", watched.fallbackGroup, facts, options);
  const raising = {
    evaluationPeriods: sizes.evaluationMinutes,
    alarmActions: [raise.arn, topicArn],
    okActions: [topicArn],
  };
  alarm(scope, "ShortageAlarm", "spot-shortage", facts, options, {
    ...raising,
    alarmDescription: `Less than ${sizes.thresholdPercentage} % of the Spot nodes that were asked for are there: On-Demand nodes stand in`,
    metricQuery: shortageQueries(sizes, watched),
  });
  alarm(scope, "LaunchFailureAlarm", "spot-launch-failures", facts, options, {
    ...raising,
    alarmDescription:
      "Launches failed, and the desired capacity was lowered to what is there: On-Demand nodes stand in",
    metricQuery: launchFailureQueries(sizes, watched, ruleName),
  });
}

/** Tells of each launch of a group that fails, and why. Returns the name of the rule, by which CloudWatch counts them. */
function launchFailures(
  scope: Construct,
  id: string,
  group: string,
  { realm, tags, topicArn }: AlarmFacts,
  options: ResourceOptions,
): string {
  const rule = new CloudwatchEventRule(scope, id, {
    ...options,
    name: physicalName(scope, NAME_LIMITS.eventRule, `${realm}\n${id}`, "launch-failures"),
    description: "Launches of one Auto Scaling group that failed",
    eventPattern: JSON.stringify({
      source: ["aws.autoscaling"],
      "detail-type": ["EC2 Instance Launch Unsuccessful"],
      detail: { AutoScalingGroupName: [group] },
    }),
    tags,
  });
  new CloudwatchEventTarget(scope, `${id}Target`, { ...options, rule: rule.name, arn: topicArn });
  return rule.name;
}

/**
 * Takes nodes that stand in away, one by one, while Spot gives all that is asked for and may be asked for more.
 *
 * While an alarm lasts, CloudWatch repeats the action every minute. Of all policies simple scaling alone has a cooldown,
 * so that there is one node in each interval; a step policy would take one a minute.
 */
export function returnAlarm(scope: Construct, facts: AlarmFacts, minutes: number, options: ResourceOptions): void {
  const { sizes, watched } = facts;
  const lower = new AutoscalingPolicy(scope, "ReturnToSpot", {
    ...options,
    name: "return-to-spot",
    autoscalingGroupName: watched.fallbackGroup,
    policyType: "SimpleScaling",
    adjustmentType: "ChangeInCapacity",
    scalingAdjustment: -1,
    cooldown: minutes * 60,
  });
  alarm(scope, "ReturnAlarm", "return-to-spot", facts, options, {
    evaluationPeriods: minutes,
    alarmActions: [lower.arn],
    alarmDescription: `Spot has given all that was asked for ${minutes} minutes, there is room for it, and On-Demand nodes still stand in`,
    metricQuery: returnQueries(sizes, watched),
  });
}

interface Raised {
  readonly evaluationPeriods: number;
  readonly alarmActions: string[];
  readonly okActions?: string[];
  readonly alarmDescription: string;
  readonly metricQuery: CloudwatchMetricAlarmMetricQuery[];
}

function alarm(
  scope: Construct,
  id: string,
  suffix: string,
  { realm, tags }: AlarmFacts,
  options: ResourceOptions,
  { evaluationPeriods, ...raised }: Raised,
): void {
  new CloudwatchMetricAlarm(scope, id, {
    ...options,
    alarmName: physicalName(scope, NAME_LIMITS.alarm, realm, suffix),
    ...raised,
    comparisonOperator: "GreaterThanOrEqualToThreshold",
    threshold: 1,
    evaluationPeriods,
    datapointsToAlarm: evaluationPeriods,
    // No metric, no decision: a group that was just made has none for some minutes.
    treatMissingData: "notBreaching",
    tags,
  });
}
