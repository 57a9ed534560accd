import { DataAwsCallerIdentity } from "@cdktf/provider-aws/lib/data-aws-caller-identity";
import { KmsKey } from "@cdktf/provider-aws/lib/kms-key";
import { SnsTopic } from "@cdktf/provider-aws/lib/sns-topic";
import { SnsTopicPolicy } from "@cdktf/provider-aws/lib/sns-topic-policy";
import { Construct } from "constructs";
import { physicalName } from "./names";
import { partitionOf } from "./partition";
import { policyDocument } from "./policy-document";
import { Problems } from "./problems";
import { ResourceOptions } from "./resource-options";
import { checkText } from "./texts";
import { isKnown } from "./tokens";

/** The service's limit (SNS API Reference, CreateTopic). */
const TOPIC_NAME = 256;

export interface AlertTopicFacts {
  /** Whose alerts they are, for people who look at keys: reads on from "Alerts of ". */
  readonly who: string;
  /** What the name differs by although the path does not say it. */
  readonly realm: string;
  /** Whether EventBridge rules send to it, beside alarms. */
  readonly fromRules?: boolean;
  readonly tags?: { [key: string]: string };
}

/**
 * The ARN of an encrypted topic for alarms, which is made in a child construct `id` of `scope`.
 *
 * Its key is a customer managed one: the policy of SNS's own lets neither CloudWatch nor EventBridge use it, and what they
 * send would be lost without a word.
 */
export function alertTopic(scope: Construct, id: string, facts: AlertTopicFacts, options: ResourceOptions): string {
  const { who, realm, fromRules = false, tags } = facts;
  const place = new Construct(scope, id);
  const account = new DataAwsCallerIdentity(place, "Account", { provider: options.provider }).accountId;
  const root = `arn:${partitionOf(scope, options.provider)}:iam::${account}:root`;
  const key = new KmsKey(place, "Key", {
    ...options,
    description: `Alerts of ${who}`,
    enableKeyRotation: true,
    policy: policyDocument([
      { Sid: "Account", Effect: "Allow", Principal: { AWS: root }, Action: "kms:*", Resource: "*" },
      ...senders(["kms:Decrypt", "kms:GenerateDataKey*"], "*", account, fromRules),
    ]),
    tags,
  });
  const topic = new SnsTopic(place, "Resource", {
    ...options,
    name: physicalName(place, TOPIC_NAME, realm),
    kmsMasterKeyId: key.arn,
    tags,
  });
  new SnsTopicPolicy(place, "Policy", {
    ...options,
    arn: topic.arn,
    policy: policyDocument(senders("sns:Publish", topic.arn, account, fromRules)),
  });
  return topic.arn;
}

/** What CloudWatch alarms of the account, and rules where they send, may do. */
function senders(action: string | string[], resource: string, account: string, fromRules: boolean): object[] {
  const alarms = {
    Sid: "Alarms",
    Effect: "Allow",
    Principal: { Service: "cloudwatch.amazonaws.com" },
    Action: action,
    Resource: resource,
    Condition: { StringEquals: { "aws:SourceAccount": account } },
  };
  const rules = {
    Sid: "Rules",
    Effect: "Allow",
    Principal: { Service: "events.amazonaws.com" },
    Action: action,
    Resource: resource,
    // No condition: EventBridge sends to an encrypted topic without the keys of one, and would be refused (SNS Developer
    // Guide, Managing encryption keys: aws:SourceAccount and aws:SourceArn are not supported there).
  };
  return fromRules ? [alarms, rules] : [alarms];
}

/** Checks the ARN of a topic of the user's own; what the topic's policies permit nobody can ask at synth. */
export function checkTopicArn(property: string, arn: string | undefined, region: string, problems: Problems): void {
  if (arn === undefined || !checkText(property, arn, problems) || !isKnown(arn)) {
    return;
  }
  const [, found] = /^arn:[^:]+:sns:([a-z0-9-]+):\d{12}:[A-Za-z0-9_-]{1,256}$/.exec(arn) ?? [];
  if (found === undefined) {
    problems.add(
      property,
      "must be the ARN of a standard SNS topic",
      arn,
      "Give arn:aws:sns:<region>:<account>:<name>, or leave it out for a topic of its own",
    );
  } else if (found !== region) {
    problems.add(
      property,
      `must be of the cluster's region, ${region}, because alarms reach no topic of another`,
      arn,
      "Give a topic of that region, or leave it out for one of its own",
    );
  }
}
