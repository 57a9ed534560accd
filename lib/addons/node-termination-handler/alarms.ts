import { CloudwatchMetricAlarm } from "@cdktf/provider-aws/lib/cloudwatch-metric-alarm";
import { Lazy } from "cdktf";
import { Construct } from "constructs";
import { NAME_LIMITS, physicalName } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";
import { Queues } from "./queue";
import { QueueTimes } from "./times";

export interface AlarmFacts {
  readonly queues: Queues;
  readonly topicArn: string;
  /** What the names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags?: { [key: string]: string };
  /** Called at synth, when all pools are declared. */
  readonly times: () => QueueTimes;
}

/**
 * Two alarms, since each sees what the other does not: messages that nobody receives grow old, and those that are received
 * in vain become dead letters.
 */
export function queueAlarms(scope: Construct, facts: AlarmFacts, options: ResourceOptions): void {
  const { queues, topicArn, realm, tags, times } = facts;
  const common = {
    ...options,
    namespace: "AWS/SQS",
    statistic: "Maximum",
    period: 60,
    evaluationPeriods: 1,
    comparisonOperator: "GreaterThanOrEqualToThreshold",
    // SQS reports nothing of a queue that was not used for hours.
    treatMissingData: "notBreaching",
    alarmActions: [topicArn],
    okActions: [topicArn],
    tags,
  };
  new CloudwatchMetricAlarm(scope, "MessageAgeAlarm", {
    ...common,
    alarmName: physicalName(scope, NAME_LIMITS.alarm, realm, "message-age"),
    alarmDescription:
      "The node termination handler receives no messages: nodes end without being drained. Look at its pods and their logs",
    metricName: "ApproximateAgeOfOldestMessage",
    dimensions: { QueueName: queues.queue.name },
    threshold: Lazy.numberValue({ produce: () => times().alarmAgeSeconds }),
  });
  new CloudwatchMetricAlarm(scope, "DeadLetterAlarm", {
    ...common,
    alarmName: physicalName(scope, NAME_LIMITS.alarm, realm, "dead-letter"),
    alarmDescription: `The node termination handler could not handle what is in the queue ${queues.deadLetters.name}. Look at its logs, then purge the queue`,
    metricName: "ApproximateNumberOfMessagesVisible",
    dimensions: { QueueName: queues.deadLetters.name },
    threshold: 1,
  });
}
