import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformOutput, TerraformStack } from "cdktf";
import {
  Capacity,
  DrainBudget,
  NodeGroupType,
  NodeTerminationHandler,
  NodeTerminationHandlerProps,
} from "cdktf-elastic-gpu";
import fc from "fast-check";
import { queueTimes } from "../../lib/addons/node-termination-handler/times";
import { Build, synthInCluster, theValues, valuesOf } from "../support/addon";
import { withDrain } from "../support/drain";
import { identityStatements, statementsOf } from "../support/policies";
import { addPool, autoscalingTags, clusterOf, PoolChoices } from "../support/pool";
import { numberToken, textToken } from "../support/samples";
import { allOf, Json, resources, synthApp, theOne } from "../support/synth";

type Choices = Partial<NodeTerminationHandlerProps>;

const selfManaged: PoolChoices = { nodeGroupType: NodeGroupType.SELF_MANAGED, capacity: Capacity.spot() };

/** A stack with a handler that is declared before what `build` adds. */
function handlerJson(choices: Choices | ((stack: TerraformStack) => Choices) = {}, build: Build = () => {}): Json {
  return synthInCluster((stack, cluster) => {
    const props = typeof choices === "function" ? choices(stack) : choices;
    new NodeTerminationHandler(stack, "handler", { cluster, ...props });
    build(stack, cluster);
  }).json;
}

/** The reference to an attribute of the only resource of a type whose id has this in it. */
function refTo(json: Json, type: string, part: string, attribute: string): string {
  const [id, ...others] = Object.keys(resources(json, type)).filter((each) => each.includes(part));
  expect([type, part, others]).toEqual([type, part, []]);
  return `\${${type}.${id}.${attribute}}`;
}

const queueOf = (json: Json): Json => resourceOf(json, "aws_sqs_queue", "_Queue_");
const deadLettersOf = (json: Json): Json => resourceOf(json, "aws_sqs_queue", "DeadLetterQueue");

function resourceOf(json: Json, type: string, part: string): Json {
  const [id = ""] = Object.keys(resources(json, type)).filter((each) => each.includes(part));
  return resources(json, type)[id]!;
}

describe("queues", () => {
  test("events stay for five minutes, hidden while a drain lasts, and what fails twice stays for 14 days", () => {
    const json = handlerJson();
    expect(allOf(json, "aws_sqs_queue")).toHaveLength(2);
    expect(queueOf(json)).toEqual({
      "//": expect.anything(),
      name: expect.stringMatching(/^test-handler-[0-9a-f]{8}$/),
      message_retention_seconds: 300,
      visibility_timeout_seconds: 119,
      redrive_policy: JSON.stringify({
        deadLetterTargetArn: refTo(json, "aws_sqs_queue", "DeadLetterQueue", "arn"),
        maxReceiveCount: 2,
      }),
      sqs_managed_sse_enabled: true,
    });
    expect(deadLettersOf(json)).toEqual({
      "//": expect.anything(),
      name: expect.stringMatching(/^test-handler-dead-letter-[0-9a-f]{8}$/),
      message_retention_seconds: 14 * 24 * 3600,
      sqs_managed_sse_enabled: true,
    });
  });

  test("names from long paths stay within the limit, and differ by cluster", () => {
    const names = ["one", "two"].flatMap((clusterName) => {
      const { json } = synthInCluster(
        (stack, cluster) => new NodeTerminationHandler(stack, "h".repeat(120), { cluster }),
        { clusterName },
      );
      return allOf(json, "aws_sqs_queue").map(({ name }) => name);
    });
    expect(names.map(({ length }) => length)).toEqual([80, 80, 80, 80]);
    expect(new Set(names).size).toBe(4);
  });

  test.each(["interruptions", "x".repeat(68)])("the user's name is the queue's, and begins the other's: %s", (name) => {
    const json = handlerJson({ queueName: name });
    expect([queueOf(json).name, deadLettersOf(json).name]).toEqual([name, `${name}-dead-letter`]);
  });

  test("the user's name may be a token", () => {
    const json = handlerJson((stack) => ({ queueName: textToken(stack) }));
    expect([queueOf(json).name, deadLettersOf(json).name]).toEqual(["${var.text}", "${var.text}-dead-letter"]);
  });

  test("exactly the rules may send, and nobody may come without TLS", () => {
    const json = handlerJson();
    const arn = refTo(json, "aws_sqs_queue", "_Queue_", "arn");
    const tlsOnly = (Resource: string) => ({
      Sid: "TlsOnly",
      Effect: "Deny",
      Principal: "*",
      Action: "sqs:*",
      Resource,
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    });
    const rules = Object.keys(resources(json, "aws_cloudwatch_event_rule"));
    const ofQueue = resourceOf(json, "aws_sqs_queue_policy", "_QueuePolicy_");
    expect(ofQueue.queue_url).toBe(refTo(json, "aws_sqs_queue", "_Queue_", "url"));
    expect(statementsOf(ofQueue.policy)).toEqual([
      {
        Sid: "RulesSend",
        Effect: "Allow",
        Principal: { Service: "events.amazonaws.com" },
        Action: "sqs:SendMessage",
        Resource: arn,
        Condition: { ArnEquals: { "aws:SourceArn": expect.any(Array) } },
      },
      tlsOnly(arn),
    ]);
    const sources: string[] = statementsOf(ofQueue.policy)[0]!.Condition.ArnEquals["aws:SourceArn"];
    expect([...sources].sort()).toEqual(rules.map((id) => `\${aws_cloudwatch_event_rule.${id}.arn}`).sort());
    expect(sources).toHaveLength(5);

    const ofDeadLetters = resourceOf(json, "aws_sqs_queue_policy", "DeadLetterQueuePolicy");
    expect(ofDeadLetters.queue_url).toBe(refTo(json, "aws_sqs_queue", "DeadLetterQueue", "url"));
    expect(statementsOf(ofDeadLetters.policy)).toEqual([
      tlsOnly(refTo(json, "aws_sqs_queue", "DeadLetterQueue", "arn")),
    ]);
  });
});

describe("rules", () => {
  const json = handlerJson();

  test.each<[string, Json]>([
    ["InstanceTerminate", { source: ["aws.autoscaling"], "detail-type": ["EC2 Instance-terminate Lifecycle Action"] }],
    ["SpotInterruption", { source: ["aws.ec2"], "detail-type": ["EC2 Spot Instance Interruption Warning"] }],
    ["Rebalance", { source: ["aws.ec2"], "detail-type": ["EC2 Instance Rebalance Recommendation"] }],
    ["StateChange", { source: ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"] }],
    [
      "ScheduledChange",
      {
        source: ["aws.health"],
        "detail-type": ["AWS Health Event"],
        detail: { service: ["EC2"], eventTypeCategory: ["scheduledChange"] },
      },
    ],
  ])("%s has its pattern, and sends to the queue", (id, pattern) => {
    const rule = resourceOf(json, "aws_cloudwatch_event_rule", `${id}Rule`);
    expect(JSON.parse(rule.event_pattern)).toEqual(pattern);
    expect(rule.name).toMatch(/^[A-Za-z0-9-]{1,64}$/);
    expect(resourceOf(json, "aws_cloudwatch_event_target", `${id}Target`)).toMatchObject({
      rule: refTo(json, "aws_cloudwatch_event_rule", `${id}Rule`, "name"),
      arn: refTo(json, "aws_sqs_queue", "_Queue_", "arn"),
    });
  });

  test("there are no others, and each has a name of its own", () => {
    const names = allOf(json, "aws_cloudwatch_event_rule").map(({ name }) => name);
    expect(new Set(names).size).toBe(5);
    expect(allOf(json, "aws_cloudwatch_event_target")).toHaveLength(5);
  });
});

describe("alarms", () => {
  const common = {
    "//": expect.anything(),
    alarm_name: expect.stringMatching(/^test-handler-(message-age|dead-letter)-[0-9a-f]{8}$/),
    alarm_description: expect.any(String),
    namespace: "AWS/SQS",
    statistic: "Maximum",
    period: 60,
    evaluation_periods: 1,
    comparison_operator: "GreaterThanOrEqualToThreshold",
    treat_missing_data: "notBreaching",
  };

  test("tell of messages that nobody receives, two minutes before they vanish, and of the first dead letter", () => {
    const json = handlerJson();
    const topic = [refTo(json, "aws_sns_topic", "Alerts", "arn")];
    const actions = { alarm_actions: topic, ok_actions: topic };
    expect(resourceOf(json, "aws_cloudwatch_metric_alarm", "MessageAgeAlarm")).toEqual({
      ...common,
      ...actions,
      metric_name: "ApproximateAgeOfOldestMessage",
      dimensions: { QueueName: refTo(json, "aws_sqs_queue", "_Queue_", "name") },
      threshold: 180,
    });
    expect(resourceOf(json, "aws_cloudwatch_metric_alarm", "DeadLetterAlarm")).toEqual({
      ...common,
      ...actions,
      metric_name: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: refTo(json, "aws_sqs_queue", "DeadLetterQueue", "name") },
      threshold: 1,
    });
    expect(allOf(json, "aws_cloudwatch_metric_alarm")).toHaveLength(2);
  });

  test("notify a topic that is encrypted with a key which alarms of the account may use", () => {
    const json = handlerJson();
    expect(theOne(json, "aws_sns_topic")).toMatchObject({
      name: expect.stringMatching(/^test-handler-Alerts-[0-9a-f]{8}$/),
      kms_master_key_id: refTo(json, "aws_kms_key", "Alerts", "arn"),
    });
    expect(theOne(json, "aws_kms_key")).toMatchObject({
      description: "Alerts of the termination handler test/handler",
      enable_key_rotation: true,
    });
    const services = [...statementsOf(theOne(json, "aws_kms_key").policy), ...policyOfTopic(json)]
      .map(({ Principal }) => Principal.Service)
      .filter((service) => service !== undefined);
    expect(services).toEqual(["cloudwatch.amazonaws.com", "cloudwatch.amazonaws.com"]);
  });

  test.each<[string, (stack: TerraformStack) => string, string]>([
    ["known", () => "arn:aws:sns:us-east-1:123456789012:on-call", "arn:aws:sns:us-east-1:123456789012:on-call"],
    ["a token", (stack) => textToken(stack), "${var.text}"],
  ])("notify the user's topic, and then none is made: %s", (_, arnFor, arn) => {
    const json = handlerJson((stack) => ({ notificationTopicArn: arnFor(stack) }));
    const alarms = allOf(json, "aws_cloudwatch_metric_alarm");
    expect(alarms.map(({ alarm_actions, ok_actions }) => [alarm_actions, ok_actions])).toEqual([
      [[arn], [arn]],
      [[arn], [arn]],
    ]);
    expect(["aws_sns_topic", "aws_sns_topic_policy", "aws_kms_key"].flatMap((type) => allOf(json, type))).toEqual([]);
  });

  function policyOfTopic(json: Json): Json[] {
    return statementsOf(theOne(json, "aws_sns_topic_policy").policy);
  }
});

test("its pods may take messages off its queue, look at instances, and complete actions of this cluster's groups", () => {
  const json = handlerJson();
  expect(identityStatements(json)).toEqual([
    {
      Sid: "TakeMessages",
      Effect: "Allow",
      Action: ["sqs:DeleteMessage", "sqs:ReceiveMessage"],
      Resource: refTo(json, "aws_sqs_queue", "_Queue_", "arn"),
    },
    {
      Sid: "KnowInstances",
      Effect: "Allow",
      Action: ["autoscaling:DescribeAutoScalingInstances", "autoscaling:DescribeTags", "ec2:DescribeInstances"],
      Resource: "*",
    },
    {
      Sid: "LetGroupsOfClusterGoOn",
      Effect: "Allow",
      Action: ["autoscaling:CompleteLifecycleAction"],
      Resource: "arn:aws:autoscaling:*:*:autoScalingGroup:*:autoScalingGroupName/*",
      Condition: { StringEquals: { "aws:ResourceTag/k8s.io/cluster-autoscaler/prod": "owned" } },
    },
  ]);
});

describe("values", () => {
  test("make two replicas take messages, and drain nodes of this cluster with the pods' own grace", () => {
    const { json } = synthInCluster(
      (stack, cluster) => new NodeTerminationHandler(stack, "handler", { cluster, releaseName: "nth" }),
      { systemNodeSelector: { role: "system" } },
    );
    expect(theValues(json)).toEqual({
      enableSqsTerminationDraining: true,
      queueURL: refTo(json, "aws_sqs_queue", "_Queue_", "url").replace(/^\$\{(.*)\}$/, "${jsonencode($1)}"),
      sqsMsgVisibilityTimeoutSec: 119,
      awsRegion: "us-east-1",
      checkTagBeforeDraining: true,
      managedTag: "aws-node-termination-handler/prod",
      useProviderId: true,
      deleteSqsMsgIfNodeNotFound: true,
      podTerminationGracePeriod: -1,
      nodeTerminationGracePeriod: 120,
      workers: 10,
      enablePrometheusServer: true,
      serviceAccount: { create: true, name: "aws-node-termination-handler" },
      replicas: 2,
      podDisruptionBudget: { maxUnavailable: 1 },
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "kubernetes.io/hostname",
          whenUnsatisfiable: "ScheduleAnyway",
          labelSelector: { matchLabels: { "app.kubernetes.io/instance": "nth" } },
        },
      ],
      nodeSelector: { role: "system" },
      priorityClassName: "system-cluster-critical",
      resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "256Mi" } },
      podSecurityContext: { seccompProfile: { type: "RuntimeDefault" } },
      securityContext: { capabilities: { drop: ["ALL"] } },
    });
  });

  test("queue and chart agree on how long a message is hidden", () => {
    const json = handlerJson();
    expect(theValues(json).sqsMsgVisibilityTimeoutSec).toBe(queueOf(json).visibility_timeout_seconds);
  });

  test("the tag is one that self-managed groups give their instances", () => {
    const json = handlerJson({}, (stack) => void addPool(stack, selfManaged));
    const { managedTag } = theValues(json);
    expect(autoscalingTags(json)[managedTag]).toBe("true");
    const [group] = allOf(json, "aws_autoscaling_group");
    expect(group!.tag.find(({ key }: Json) => key === managedTag).propagate_at_launch).toBe(true);
  });

  test("a ServiceMonitor is made where it is asked for only", () => {
    expect(theValues(handlerJson()).serviceMonitor).toBeUndefined();
    expect(theValues(handlerJson({ serviceMonitor: true })).serviceMonitor).toEqual({ create: true });
  });

  test("a name of the cluster that is a token is filled in by Terraform", () => {
    const stacks = synthApp((app) => {
      const stack = new TerraformStack(app, "test");
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      new HelmProvider(stack, "helm", {});
      const cluster = clusterOf(stack, { clusterName: textToken(stack) });
      new NodeTerminationHandler(stack, "handler", { cluster });
    });
    expect(theValues(stacks.test!.json).managedTag).toBe('${jsonencode("aws-node-termination-handler/${var.text}")}');
  });
});

describe("pools", () => {
  const long = DrainBudget.training({ afterSigtermSeconds: 585 });

  test("the longest drain of any is waited for, by the handler, the queue and the alarm", () => {
    const json = synthInCluster((stack, cluster) => {
      const pool = addPool(stack, selfManaged);
      const pools = [withDrain(pool, long), withDrain(pool, DrainBudget.tightTraining())];
      new NodeTerminationHandler(stack, "handler", { cluster, pools });
    }).json;
    expect(long.totalSeconds).toBe(600);
    expect(theValues(json)).toMatchObject({ nodeTerminationGracePeriod: 600, sqsMsgVisibilityTimeoutSec: 119 });
    expect(queueOf(json)).toMatchObject({ message_retention_seconds: 893, visibility_timeout_seconds: 119 });
    expect(JSON.parse(queueOf(json).redrive_policy).maxReceiveCount).toBe(7);
    expect(resourceOf(json, "aws_cloudwatch_metric_alarm", "MessageAge").threshold).toBe(773);
  });

  test("those without a budget, and with a short one, have the two minutes of a Spot notice", () => {
    const json = synthInCluster((stack, cluster) => {
      const pool = addPool(stack, selfManaged);
      new NodeTerminationHandler(stack, "handler", { cluster, pools: [withDrain(pool, DrainBudget.tightTraining())] });
    }).json;
    expect(theValues(json).nodeTerminationGracePeriod).toBe(120);
    expect(queueOf(json).message_retention_seconds).toBe(300);
  });

  test.each([
    [9, 10],
    [40, 40],
    [51, 50],
  ])("all nodes of the largest, %d, are drained at once by %d workers", (maxNodes, workers) => {
    const json = handlerJson({}, (stack) => {
      addPool(stack, { ...selfManaged, maxNodes }, "large");
      addPool(stack, { ...selfManaged, maxNodes: 1 }, "small");
      addPool(stack, { maxNodes: 200 }, "managed");
    });
    expect(theValues(json).workers).toBe(workers);
  });

  test("one whose size is a token does not count", () => {
    const json = handlerJson({}, (stack) => void addPool(stack, { ...selfManaged, maxNodes: numberToken(stack) }));
    expect(theValues(json).workers).toBe(10);
  });

  test("of other stacks come in by property, without a reference to their stack", () => {
    const { controllers } = synthApp((app) => {
      const gpus = new TerraformStack(app, "gpus");
      new AwsProvider(gpus, "aws", { region: "us-east-1" });
      const pool = addPool(gpus, { ...selfManaged, maxNodes: 30 });
      const stack = new TerraformStack(app, "controllers");
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      new HelmProvider(stack, "helm", {});
      new NodeTerminationHandler(stack, "handler", { cluster: clusterOf(stack), pools: [pool, pool] });
    });
    expect(valuesOf(theOne(controllers!.json, "helm_release")).workers).toBe(30);
    expect(controllers!.json.data?.terraform_remote_state).toBeUndefined();
  });
});

test("a drain that ends in time leaves no dead letter, and one that fails does before its message vanishes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 120, max: 7200 }), (drainSeconds) => {
      const { visibilitySeconds, mostReceives, retentionSeconds, alarmAgeSeconds } = queueTimes(drainSeconds);
      const lastReceive = (mostReceives - 1) * visibilitySeconds;
      const becomesDeadLetter = mostReceives * visibilitySeconds;
      expect(lastReceive).toBeGreaterThanOrEqual(drainSeconds - 1);
      expect(becomesDeadLetter).toBeLessThan(retentionSeconds);
      expect(alarmAgeSeconds).toBeGreaterThan(lastReceive);
      expect(alarmAgeSeconds).toBe(retentionSeconds - 120);
      expect(retentionSeconds).toBeGreaterThanOrEqual(300);
    }),
  );
});

test("every resource has the user's tags, provider and prerequisites", () => {
  const { json } = synthInCluster((stack, cluster) => {
    const provider = new AwsProvider(stack, "other", { region: "us-east-1", alias: "other" });
    const first = addPool(stack, {}, "first").resource;
    const tags = { team: "ml" };
    new NodeTerminationHandler(stack, "handler", { cluster, provider, tags, dependsOn: [first] });
  });
  const own = Object.entries<Json>(json.resource)
    .filter(([type]) => type.startsWith("aws_"))
    .flatMap(([type, byId]) => Object.entries<Json>(byId).map(([id, each]) => ({ type, id, ...each }) as Json))
    .filter(({ id }) => id.startsWith("handler"));
  expect(own).toHaveLength(22);
  expect(own.filter(({ provider }) => provider !== "aws.other")).toEqual([]);
  expect(own.filter(({ depends_on }) => !/^aws_eks_node_group\.first_/.test(String(depends_on)))).toEqual([]);
  const untagged = own.filter(({ tags }) => tags?.team !== "ml").map(({ type }) => type);
  expect([...new Set(untagged)].sort()).toEqual([
    "aws_cloudwatch_event_target",
    "aws_iam_role_policy",
    "aws_sns_topic_policy",
    "aws_sqs_queue_policy",
  ]);
});

test("queue, topic and role are there for the user's own resources", () => {
  const json = synthInCluster((stack, cluster) => {
    const made = new NodeTerminationHandler(stack, "handler", { cluster });
    const attributes = ["queueUrl", "queueArn", "notificationTopicArn", "roleName"] as const;
    attributes.forEach((name) => new TerraformOutput(stack, name, { value: made[name] }));
  }).json;
  expect(Object.fromEntries(Object.entries<Json>(json.output).map(([name, { value }]) => [name, value]))).toEqual({
    queueUrl: refTo(json, "aws_sqs_queue", "_Queue_", "url"),
    queueArn: refTo(json, "aws_sqs_queue", "_Queue_", "arn"),
    notificationTopicArn: refTo(json, "aws_sns_topic", "Alerts", "arn"),
    roleName: refTo(json, "aws_iam_role", "handler", "name"),
  });
});
