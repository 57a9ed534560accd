import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack, TerraformVariable } from "cdktf";
import { Capacity, GpuCluster, NodeGroupType, NodeTerminationHandler, SpotWithFallback } from "cdktf-elastic-gpu";
import { Build, refusalInCluster, synthInCluster } from "../support/addon";
import { addPool, clusterAttributes, clusterOf, PoolChoices } from "../support/pool";
import { listToken, numberToken, textToken } from "../support/samples";
import { allOf, Json, problemsOf, synthApp } from "../support/synth";

const selfManaged: PoolChoices = { nodeGroupType: NodeGroupType.SELF_MANAGED, capacity: Capacity.spot() };

/** Names of the queues of a stack, the shortest first. */
const queueNames = (json: Json): string[] =>
  allOf(json, "aws_sqs_queue")
    .map(({ name }) => name)
    .sort();

describe("a termination handler is missed", () => {
  const missing = (id: string): string =>
    `test/${id}: nobody installs aws-node-termination-handler: nodes are not drained before their instances end, and a lifecycle hook holds each for its whole heartbeat. ` +
    'Add new NodeTerminationHandler(stack, "termination-handler", { cluster }), or say cluster.alreadyHas(Addon.NODE_TERMINATION_HANDLER)';

  const warnings = (build: Build): string[] =>
    synthInCluster(build).warnings.filter((text) => text.includes("termination-handler"));

  test("by self-managed pools of Spot, and by no others", () => {
    const own: PoolChoices = { nodeGroupType: NodeGroupType.SELF_MANAGED };
    expect(
      warnings((stack) => {
        addPool(stack, selfManaged, "spot");
        addPool(stack, own, "on-demand");
        addPool(stack, { capacity: Capacity.spot() }, "managed");
      }),
    ).toEqual([missing("spot")]);
  });

  test("once by a pool of Spot with its fallback", () => {
    const instanceTypes = ["g6.2xlarge", "g6.4xlarge"];
    const found = warnings((stack, cluster) => {
      new SpotWithFallback(stack, "inference", { cluster, instanceTypes, maxNodes: 4 });
    });
    expect(found).toEqual([missing("inference")]);
  });

  test("no more where it is installed", () => {
    expect(
      warnings((stack, cluster) => {
        addPool(stack, selfManaged, "spot");
        new NodeTerminationHandler(stack, "handler", { cluster });
      }),
    ).toEqual([]);
  });
});

describe("a termination handler refuses", () => {
  const topicText = (got: string): string =>
    `notificationTopicArn: must be the ARN of a standard SNS topic, got: ${got}. ` +
    "Give arn:aws:sns:<region>:<account>:<name>, or leave it out for a topic of its own";
  const ownedText = (path: string, got: string, remedy: string): string =>
    `values.${path}: must be left out: the construct sets it, got: ${got}. ${remedy}`;
  const ofTheTag = "Remove it: by the tag of the pools it knows this cluster's nodes from all others of the account";

  test.each<[string, any, string[]]>([
    [
      "names that SQS does not take",
      { queueName: "my.queue.fifo" },
      [
        'queueName: must be letters, digits, hyphens and underscores, got: "my.queue.fifo". Correct it, or leave it out for a name from the construct path',
      ],
    ],
    [
      "an empty name",
      { queueName: "" },
      [
        'queueName: must be letters, digits, hyphens and underscores, got: "". Correct it, or leave it out for a name from the construct path',
      ],
    ],
    [
      "a name that leaves no room for the other queue's",
      { queueName: "q".repeat(69) },
      [
        'queueName: must have at most 68 characters, because the dead-letter queue is named <queueName>-dead-letter and takes 80, got: "69 characters". Shorten it, or leave it out for a name from the construct path',
      ],
    ],
    ["a name that is no text", { queueName: 5 }, ["queueName: must be text, got: 5. Put it in quotes"]],
    ["the name of a topic", { notificationTopicArn: "on-call" }, [topicText('"on-call"')]],
    [
      "a FIFO topic, which rules and alarms do not send to",
      { notificationTopicArn: "arn:aws:sns:us-east-1:123456789012:on-call.fifo" },
      [topicText('"arn:aws:sns:us-east-1:123456789012:on-call.fifo"')],
    ],
    [
      "a topic of another region",
      { notificationTopicArn: "arn:aws:sns:eu-west-1:123456789012:on-call" },
      [
        "notificationTopicArn: must be of the cluster's region, us-east-1, because alarms reach no topic of another, " +
          'got: "arn:aws:sns:eu-west-1:123456789012:on-call". Give a topic of that region, or leave it out for one of its own',
      ],
    ],
    [
      "number tokens within texts",
      (stack: TerraformStack) => {
        const text = `a-${numberToken(stack)}`;
        return { queueName: text, notificationTopicArn: text };
      },
      ["queueName", "notificationTopicArn"].map(
        (property) =>
          `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`,
      ),
    ],
    [
      "a list of pools that is a token",
      (stack: TerraformStack) => ({ pools: listToken(stack) }),
      [
        "pools: must be a list that is written out; its members may be tokens, got: a token. List the members one by one",
      ],
    ],
    [
      "tags that AWS refuses",
      { tags: { "aws:mine": "x" } },
      [
        'tags["aws:mine"]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "aws:mine". Correct the key',
      ],
    ],
    [
      "a misspelt property",
      { queue: "interruptions" },
      ["queue: is not a property of this construct. Correct its name, or remove it"],
    ],
    [
      "values that something else depends on",
      {
        values: {
          enableSqsTerminationDraining: false,
          queueURL: "https://sqs.us-east-1.amazonaws.com/123456789012/other",
          sqsMsgVisibilityTimeoutSec: 20,
          checkTagBeforeDraining: false,
          managedTag: "mine",
          serviceAccount: { name: "other" },
        },
      },
      [
        ownedText("enableSqsTerminationDraining", "false", "Remove it: the queue is there for that"),
        ownedText(
          "queueURL",
          '"https://sqs.us-east-1.amazonaws.com/123456789012/other"',
          "Remove it: the role's rights and the rules are for its own queue",
        ),
        ownedText("sqsMsgVisibilityTimeoutSec", "20", "Remove it: when a message is given up depends on it"),
        ownedText("checkTagBeforeDraining", "false", ofTheTag),
        ownedText("managedTag", '"mine"', ofTheTag),
        ownedText("serviceAccount.name", '"other"', "Remove it: the role is that account's"),
      ],
    ],
  ])("%s", (_, choices, lines) => {
    const found = refusalInCluster((stack, cluster) => {
      const props = typeof choices === "function" ? choices(stack) : choices;
      new NodeTerminationHandler(stack, "handler", { cluster, ...props });
    });
    expect(found).toEqual(lines.map((line) => `test/handler: ${line}`));
  });

  const again = (id: string): string =>
    `test/two: cluster: must have one termination handler, got: test/again, which is the cluster test/cluster of test/${id} once more. ` +
    "Remove one of the handlers, and give the pools that it does not know to the other in pools";

  test("a second one for a cluster, in a way that names the first", () => {
    expect(
      refusalInCluster((stack, cluster) => {
        new NodeTerminationHandler(stack, "one", { cluster });
        new NodeTerminationHandler(stack, "two", { cluster, releaseName: "two" });
      }),
    ).toEqual([
      "test/two: must not install aws-node-termination-handler in test/cluster, which test/one does. Remove one of them",
    ]);
  });

  test("a second one for a cluster that was imported twice", () => {
    expect(
      refusalInCluster((stack, cluster) => {
        const twice = GpuCluster.fromAttributes(stack, "again", clusterAttributes);
        new NodeTerminationHandler(stack, "one", { cluster });
        new NodeTerminationHandler(stack, "two", { cluster: twice });
      }),
    ).toEqual([again("one")]);
  });

  test("the same for a name that is a token", () => {
    expect(
      problemsOf((stack) => {
        new HelmProvider(stack, "helm", {});
        const clusterName = textToken(stack);
        const one = GpuCluster.fromAttributes(stack, "cluster", { ...clusterAttributes, clusterName });
        const twice = GpuCluster.fromAttributes(stack, "again", { ...clusterAttributes, clusterName });
        new NodeTerminationHandler(stack, "one", { cluster: one });
        new NodeTerminationHandler(stack, "two", { cluster: twice });
      }),
    ).toBe(again("one"));
  });

  test("a refused one does not stand in the way of another", () => {
    const { json } = synthInCluster((stack, cluster) => {
      const props = { cluster, queueName: "shared", version: "latest" };
      expect(() => new NodeTerminationHandler(stack, "one", props)).toThrow("must be one exact version");
      const twice = GpuCluster.fromAttributes(stack, "again", clusterAttributes);
      new NodeTerminationHandler(stack, "two", { cluster: twice, queueName: "shared" });
    });
    expect(queueNames(json)).toEqual(["shared", "shared-dead-letter"]);
  });

  const others = { ...clusterAttributes, clusterName: "other" };
  const abroad = { ...others, subnets: [{ subnetId: "subnet-0ccc", availabilityZone: "us-west-2a" }] };

  test.each([
    ["known", () => "shared", '"shared"'],
    ["a token", (stack: TerraformStack) => textToken(stack), "a token"],
  ])("the queue name of another cluster's handler: %s", (_, nameFor, got) => {
    expect(
      refusalInCluster((stack, cluster) => {
        const queueName = nameFor(stack);
        const other = GpuCluster.fromAttributes(stack, "other", others);
        new NodeTerminationHandler(stack, "one", { cluster, queueName });
        new NodeTerminationHandler(stack, "two", { cluster: other, queueName, releaseName: "two" });
      }),
    ).toEqual([
      "test/two: queueName: must not be that of test/one in the same region: the handlers would take each other's messages, and drop them, " +
        `got: ${got}. Choose another, or leave it out for a name from the construct path`,
    ]);
  });

  /** What a handler says of its queue's name where another cluster has a handler with the other name. */
  const besideAnother = (its: (stack: TerraformStack) => string, own: (stack: TerraformStack) => string): string[] =>
    refusalInCluster((stack, cluster) => {
      const other = GpuCluster.fromAttributes(stack, "other", others);
      new NodeTerminationHandler(stack, "one", { cluster, queueName: its(stack) });
      new NodeTerminationHandler(stack, "two", { cluster: other, queueName: own(stack), releaseName: "two" });
    });
  const known = () => "shared";
  const token = (stack: TerraformStack): string =>
    ((stack.node.tryFindChild("text") as TerraformVariable | undefined) ?? new TerraformVariable(stack, "text", {}))
      .stringValue;

  test.each([
    ["known", known, '"shared-dead-letter"'],
    ["a token", token, "a token"],
  ])("the name of a dead-letter queue of another cluster's handler: %s", (_, nameFor, got) => {
    expect(besideAnother(nameFor, (stack) => `${nameFor(stack)}-dead-letter`)).toEqual([
      "test/two: queueName: must not be that of the dead-letter queue of test/one in the same region: the handlers would take each other's messages, and drop them, " +
        `got: ${got}. Choose another, or leave it out for a name from the construct path`,
    ]);
  });

  test.each([
    ["known", known, '"shared-dead-letter"', '"shared"'],
    ["a token", token, "a token", "a token"],
  ])("a name that makes its dead-letter queue the queue of another cluster's handler: %s", (_, nameFor, made, got) => {
    expect(besideAnother((stack) => `${nameFor(stack)}-dead-letter`, nameFor)).toEqual([
      `test/two: queueName: must leave ${made} free for its dead-letter queue, got: ${got}, while the queue of test/one in the same region has that name. ` +
        "Choose another, or leave it out for a name from the construct path",
    ]);
  });

  test("neither two handlers of two clusters, nor one name in two regions", () => {
    const stacks = synthApp((app) => {
      const stackIn = (id: string, region: string): TerraformStack => {
        const stack = new TerraformStack(app, id);
        new AwsProvider(stack, "aws", { region });
        new HelmProvider(stack, "helm", {});
        return stack;
      };
      const one = stackIn("one", "us-east-1");
      const two = stackIn("two", "us-west-2");
      const queueName = "shared";
      new NodeTerminationHandler(one, "handler", { cluster: clusterOf(one), queueName });
      new NodeTerminationHandler(two, "handler", { cluster: clusterOf(two, abroad), queueName });
    });
    expect(Object.values(stacks).map(({ json }) => queueNames(json)[0])).toEqual(["shared", "shared"]);
  });
});
