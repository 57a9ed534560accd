import { SqsQueue } from "@cdktf/provider-aws/lib/sqs-queue";
import { SqsQueuePolicy } from "@cdktf/provider-aws/lib/sqs-queue-policy";
import { Lazy } from "cdktf";
import { Construct } from "constructs";
import { physicalName } from "../../internal/names";
import { policyDocument } from "../../internal/policy-document";
import { Problems } from "../../internal/problems";
import { ResourceOptions } from "../../internal/resource-options";
import { checkText } from "../../internal/texts";
import { isKnown } from "../../internal/tokens";
import { QueueTimes } from "./times";

/** The service's limit (SQS API Reference, CreateQueue). */
const QUEUE_NAME = 80;

const DEAD_LETTER_SUFFIX = "dead-letter";

/** SQS's longest, 14 days: time to look at what went wrong. */
const DEAD_LETTER_RETENTION_SECONDS = 14 * 24 * 60 * 60;

export interface QueueFacts {
  readonly queueName?: string;
  /** What the names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags?: { [key: string]: string };
  /** Called at synth, when all pools are declared. */
  readonly times: () => QueueTimes;
}

export interface Queues {
  readonly queue: SqsQueue;
  readonly deadLetters: SqsQueue;
}

/**
 * The queue of events, and that of events which could not be handled.
 *
 * Both are encrypted with keys of SQS: AWS's managed key `aws/sqs` does not let EventBridge in, and messages hold no more
 * than IDs of instances.
 */
export function queues(scope: Construct, facts: QueueFacts, options: ResourceOptions): Queues {
  const { queueName, realm, tags, times } = facts;
  const deadLetters = new SqsQueue(scope, "DeadLetterQueue", {
    ...options,
    name:
      queueName === undefined ? physicalName(scope, QUEUE_NAME, realm, DEAD_LETTER_SUFFIX) : deadLetterName(queueName),
    messageRetentionSeconds: DEAD_LETTER_RETENTION_SECONDS,
    sqsManagedSseEnabled: true,
    tags,
  });
  const queue = new SqsQueue(scope, "Queue", {
    ...options,
    name: queueName ?? physicalName(scope, QUEUE_NAME, realm),
    messageRetentionSeconds: Lazy.numberValue({ produce: () => times().retentionSeconds }),
    visibilityTimeoutSeconds: Lazy.numberValue({ produce: () => times().visibilitySeconds }),
    redrivePolicy: Lazy.stringValue({
      produce: () => JSON.stringify({ deadLetterTargetArn: deadLetters.arn, maxReceiveCount: times().mostReceives }),
    }),
    sqsManagedSseEnabled: true,
    tags,
  });
  return { queue, deadLetters };
}

/** Name of the queue of what could not be handled, beside a queue that the user named. */
export function deadLetterName(queueName: string): string {
  return `${queueName}-${DEAD_LETTER_SUFFIX}`;
}

/** Lets these rules, and no others, send to the queue, and nobody in without TLS. */
export function queuePolicies(
  scope: Construct,
  { queue, deadLetters }: Queues,
  ruleArns: string[],
  options: ResourceOptions,
): void {
  const rulesSend = {
    Sid: "RulesSend",
    Effect: "Allow",
    Principal: { Service: "events.amazonaws.com" },
    Action: "sqs:SendMessage",
    Resource: queue.arn,
    Condition: { ArnEquals: { "aws:SourceArn": ruleArns } },
  };
  new SqsQueuePolicy(scope, "QueuePolicy", {
    ...options,
    queueUrl: queue.url,
    policy: policyDocument([rulesSend, tlsOnly(queue)]),
  });
  new SqsQueuePolicy(scope, "DeadLetterQueuePolicy", {
    ...options,
    queueUrl: deadLetters.url,
    policy: policyDocument([tlsOnly(deadLetters)]),
  });
}

function tlsOnly({ arn }: SqsQueue): object {
  return {
    Sid: "TlsOnly",
    Effect: "Deny",
    Principal: "*",
    Action: "sqs:*",
    Resource: arn,
    Condition: { Bool: { "aws:SecureTransport": "false" } },
  };
}

export function checkQueueName(queueName: string | undefined, problems: Problems): void {
  if (queueName === undefined || !checkText("queueName", queueName, problems) || !isKnown(queueName)) {
    return;
  }
  const most = QUEUE_NAME - DEAD_LETTER_SUFFIX.length - 1;
  if (!/^[A-Za-z0-9_-]+$/.test(queueName)) {
    problems.add(
      "queueName",
      "must be letters, digits, hyphens and underscores",
      queueName,
      "Correct it, or leave it out for a name from the construct path",
    );
  } else if (queueName.length > most) {
    problems.add(
      "queueName",
      `must have at most ${most} characters, because the dead-letter queue is named <queueName>-${DEAD_LETTER_SUFFIX} and takes ${QUEUE_NAME}`,
      `${queueName.length} characters`,
      "Shorten it, or leave it out for a name from the construct path",
    );
  }
}
