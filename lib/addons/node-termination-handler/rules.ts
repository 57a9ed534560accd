import { CloudwatchEventRule } from "@cdktf/provider-aws/lib/cloudwatch-event-rule";
import { CloudwatchEventTarget } from "@cdktf/provider-aws/lib/cloudwatch-event-target";
import { Construct } from "constructs";
import { NAME_LIMITS, physicalName } from "../../internal/names";
import { ResourceOptions } from "../../internal/resource-options";

interface Rule {
  readonly id: string;
  /** What the name ends with. */
  readonly suffix: string;
  readonly description: string;
  readonly pattern: { readonly [field: string]: unknown };
}

/** What the handler knows how to read (AWS Node Termination Handler, queue processor set-up). */
const RULES: Rule[] = [
  {
    id: "InstanceTerminate",
    suffix: "terminate",
    description: "An Auto Scaling group is about to end an instance, and waits for its lifecycle hook",
    pattern: { source: ["aws.autoscaling"], "detail-type": ["EC2 Instance-terminate Lifecycle Action"] },
  },
  {
    id: "SpotInterruption",
    suffix: "spot",
    description: "EC2 takes a Spot Instance back in two minutes",
    pattern: { source: ["aws.ec2"], "detail-type": ["EC2 Spot Instance Interruption Warning"] },
  },
  {
    id: "Rebalance",
    suffix: "rebalance",
    description: "A Spot Instance is likely to be taken back",
    pattern: { source: ["aws.ec2"], "detail-type": ["EC2 Instance Rebalance Recommendation"] },
  },
  {
    id: "StateChange",
    suffix: "state",
    description: "An instance stops or ends, by whomever",
    pattern: { source: ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"] },
  },
  {
    id: "ScheduledChange",
    suffix: "scheduled",
    description: "AWS announces maintenance of an instance's host",
    pattern: {
      source: ["aws.health"],
      "detail-type": ["AWS Health Event"],
      detail: { service: ["EC2"], eventTypeCategory: ["scheduledChange"] },
    },
  },
];

export interface RuleFacts {
  readonly queueArn: string;
  /** What the names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags?: { [key: string]: string };
}

/** The rules that send events to the queue. Events of EC2 name no cluster: the handler sorts out which are of its nodes. */
export function eventRules(scope: Construct, facts: RuleFacts, options: ResourceOptions): CloudwatchEventRule[] {
  return RULES.map(({ id, suffix, description, pattern }) => {
    const rule = new CloudwatchEventRule(scope, `${id}Rule`, {
      ...options,
      name: physicalName(scope, NAME_LIMITS.eventRule, facts.realm, suffix),
      description,
      eventPattern: JSON.stringify(pattern),
      tags: facts.tags,
    });
    new CloudwatchEventTarget(scope, `${id}Target`, {
      ...options,
      rule: rule.name,
      targetId: "queue",
      arn: facts.queueArn,
    });
    return rule;
  });
}
