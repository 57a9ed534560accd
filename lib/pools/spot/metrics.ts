import { CloudwatchMetricAlarmMetricQuery } from "@cdktf/provider-aws/lib/cloudwatch-metric-alarm";
import { SpotSizes } from "./sizes";

/** Sizes of groups are published once a minute (EC2 Auto Scaling User Guide, CloudWatch metrics). */
const PERIOD_SECONDS = 60;

/** The sizes that the alarms look at. */
export const WATCHED_OF_MIXED = [
  "GroupDesiredCapacity",
  "GroupInServiceInstances",
  "GroupPendingInstances",
  "GroupMaxSize",
];
export const WATCHED_OF_FALLBACK = ["GroupDesiredCapacity"];

/** Names of the two groups, and of the rule that counts launches which failed. */
export interface Watched {
  readonly mixedGroup: string;
  readonly fallbackGroup: string;
}

type Query = CloudwatchMetricAlarmMetricQuery;

/**
 * How many nodes Spot does not give, and no other stands in for yet; 0 while it gives the threshold's percentage.
 *
 * Spot alone is counted, without the On-Demand part: with that, a small group would never fall below the threshold. The
 * nodes that stand in are taken off, because CloudWatch repeats an Auto Scaling action every minute (Using CloudWatch
 * alarms, alarm actions).
 */
export function shortageQueries(sizes: SpotSizes, watched: Watched): Query[] {
  return [...bothGroups(watched), ...missing("desired", sizes)];
}

/**
 * The same where launches failed and the autoscaler lowered the desired capacity to what is there, so that nothing seems
 * to be missing: what was asked for is the size that the group was to have when a launch failed.
 *
 * How many events there are does not tell how many instances are missing: Auto Scaling tries again and again. EventBridge
 * sends a metric only for minutes in which the rule matched (Monitoring Amazon EventBridge), so that the last one is
 * repeated; without any there is no data, which is no breach.
 */
export function launchFailureQueries(sizes: SpotSizes, watched: Watched, ruleName: string): Query[] {
  return [
    metric("failed", { namespace: "AWS/Events", metricName: "Invocations", stat: "Sum" }, { RuleName: ruleName }),
    ...bothGroups(watched),
    math("wanted", "FILL(IF(failed >= 1, desired), REPEAT)", "Nodes that were asked for when a launch failed"),
    ...missing("wanted", sizes),
  ];
}

/**
 * 1 while the mixed group has every node that it wants and room for one more, and more stand in than should at least.
 *
 * Without room the pods of a node that is taken would wait, and the autoscaler would raise the fallback for them again.
 */
export function returnQueries({ fallbackMinNodes }: SpotSizes, watched: Watched): Query[] {
  return [
    size("desired", "GroupDesiredCapacity", watched.mixedGroup),
    size("in_service", "GroupInServiceInstances", watched.mixedGroup),
    size("max_size", "GroupMaxSize", watched.mixedGroup),
    size("fallback", "GroupDesiredCapacity", watched.fallbackGroup),
    known("desired", "in_service", "max_size", "fallback"),
    {
      ...math(
        "whole",
        `IF(known == 1, IF((in_service >= desired) AND (desired < max_size) AND (fallback > ${fallbackMinNodes}), 1, 0))`,
        "Spot is back, there is room for it, and nodes stand in",
      ),
      returnData: true,
    },
  ];
}

/** What both groups have. */
function bothGroups(watched: Watched): Query[] {
  return [
    size("desired", "GroupDesiredCapacity", watched.mixedGroup),
    size("in_service", "GroupInServiceInstances", watched.mixedGroup),
    size("pending", "GroupPendingInstances", watched.mixedGroup),
    size("fallback", "GroupDesiredCapacity", watched.fallbackGroup),
    math("there", "in_service + pending", "Nodes that EC2 gave"),
  ];
}

function missing(wanted: string, { onDemandBase, spotPercentage, thresholdPercentage }: SpotSizes): Query[] {
  // Auto Scaling rounds the On-Demand part of what is above the base up.
  const onDemandShare = `CEIL((${wanted} - ${onDemandBase}) * ${100 - spotPercentage} / 100)`;
  const few = `((there - on_demand) * 100 < (${wanted} - on_demand) * ${thresholdPercentage})`;
  return [
    math(
      "on_demand",
      `IF(${wanted} > ${onDemandBase}, ${onDemandBase} + ${onDemandShare}, ${wanted})`,
      "Nodes of them that are never Spot",
    ),
    known("desired", "in_service", "pending", "fallback"),
    math("short", `IF((${wanted} - on_demand >= 1) AND ${few}, 1, 0)`, "Spot gives less than the threshold"),
    {
      ...math(
        "missing",
        `IF(known == 1, IF((short == 1) AND (${wanted} - there > fallback), ${wanted} - there - fallback, 0))`,
        "Nodes that are missing and that none stands in for",
      ),
      returnData: true,
    },
  ];
}

/**
 * 1 in minutes of which every size is known. No other is to decide anything, since CloudWatch counts a size that is missing
 * as 0 (Using math expressions with CloudWatch metrics).
 */
function known(...sizes: string[]): Query {
  return math("known", sizes.map((id) => `(${id} >= 0)`).join(" AND "), "All sizes are known");
}

function size(id: string, metricName: string, group: string): Query {
  const dimensions = { AutoScalingGroupName: group };
  return metric(id, { namespace: "AWS/AutoScaling", metricName, stat: "Average" }, dimensions);
}

function metric(
  id: string,
  what: { readonly namespace: string; readonly metricName: string; readonly stat: string },
  dimensions: { [name: string]: string },
): Query {
  return { id, metric: { ...what, period: PERIOD_SECONDS, dimensions }, returnData: false };
}

function math(id: string, expression: string, label: string): Query {
  return { id, expression, label, returnData: false };
}
