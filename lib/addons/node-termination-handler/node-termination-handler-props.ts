import { INodePool } from "../../cluster";
import { AwsAddonProps } from "../helm-addon-props";

/** What a NodeTerminationHandler is made of. */
export interface NodeTerminationHandlerProps extends AwsAddonProps {
  /**
   * Pools that are not declared on `cluster`, such as those of other stacks. It finds their instances by a tag; from the pools
   * it takes how long a drain may last, and how many nodes may go at once.
   *
   * Left out: the cluster's own alone.
   */
  readonly pools?: INodePool[];
  /**
   * Name of the queue of events, at most 68 letters, digits, hyphens and underscores. The queue of what could not be handled
   * has the same name with `-dead-letter` behind it.
   *
   * Left out: names from the construct path.
   */
  readonly queueName?: string;
  /**
   * ARN of the SNS topic, of the cluster's region, that the alarms notify. Its policy, and that of its key where it is
   * encrypted, must permit `cloudwatch.amazonaws.com` to publish.
   *
   * Left out: a topic is made, encrypted with a key of its own. Subscribe to `notificationTopicArn`.
   */
  readonly notificationTopicArn?: string;
  /**
   * Whether a ServiceMonitor is made, for which the Prometheus Operator must be there. The metrics are served in any case, on port
   * 9092.
   *
   * Left out: none is made.
   */
  readonly serviceMonitor?: boolean;
}
