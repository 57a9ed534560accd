import { TerraformOutput, TerraformStack } from "cdktf";
import { AlertTopicFacts, alertTopic } from "../../lib/internal/alert-topic";
import { statementsOf } from "../support/policies";
import { Json, resources, synth, theOne } from "../support/synth";

const facts: AlertTopicFacts = { who: "the pool test/pool", realm: "prod", tags: { team: "ml" } };

function topicJson(build: (stack: TerraformStack) => string = (stack) => alertTopic(stack, "Alerts", facts, {})): Json {
  return synth((stack) => new TerraformOutput(stack, "topic", { value: build(stack) })).json;
}

const account = (json: Json): string =>
  `\${data.aws_caller_identity.${Object.keys(resources(json, "data.aws_caller_identity"))[0]}.account_id}`;
const topic = (json: Json): string => `\${aws_sns_topic.${Object.keys(resources(json, "aws_sns_topic"))[0]}.arn}`;

const ofAlarms = (json: Json, Action: string | string[], Resource: string): Json => ({
  Sid: "Alarms",
  Effect: "Allow",
  Principal: { Service: "cloudwatch.amazonaws.com" },
  Action,
  Resource,
  Condition: { StringEquals: { "aws:SourceAccount": account(json) } },
});
const ofRules = (Action: string | string[], Resource: string): Json => ({
  Sid: "Rules",
  Effect: "Allow",
  Principal: { Service: "events.amazonaws.com" },
  Action,
  Resource,
});
const USE = ["kms:Decrypt", "kms:GenerateDataKey*"];

test("it is encrypted with a key of its own that is rotated, and named after its place", () => {
  const json = topicJson();
  expect(json.output.topic.value).toBe(topic(json));
  expect(theOne(json, "aws_sns_topic")).toMatchObject({
    name: expect.stringMatching(/^test-Alerts-[0-9a-f]{8}$/),
    kms_master_key_id: `\${aws_kms_key.${Object.keys(resources(json, "aws_kms_key"))[0]}.arn}`,
    tags: { team: "ml" },
  });
  expect(theOne(json, "aws_kms_key")).toMatchObject({
    description: "Alerts of the pool test/pool",
    enable_key_rotation: true,
    tags: { team: "ml" },
  });
  expect(theOne(json, "aws_sns_topic_policy").arn).toBe(topic(json));
});

test.each([
  [false, "alarms of the account alone"],
  [true, "alarms of the account, and EventBridge, which knows no condition"],
])("rules %s: key and topic are open to %s", (fromRules) => {
  const json = topicJson((stack) => alertTopic(stack, "Alerts", { ...facts, fromRules }, {}));
  expect(statementsOf(theOne(json, "aws_kms_key").policy)).toEqual([
    {
      Sid: "Account",
      Effect: "Allow",
      Principal: { AWS: `arn:aws:iam::${account(json)}:root` },
      Action: "kms:*",
      Resource: "*",
    },
    ofAlarms(json, USE, "*"),
    ...(fromRules ? [ofRules(USE, "*")] : []),
  ]);
  expect(statementsOf(theOne(json, "aws_sns_topic_policy").policy)).toEqual([
    ofAlarms(json, "sns:Publish", topic(json)),
    ...(fromRules ? [ofRules("sns:Publish", topic(json))] : []),
  ]);
});
