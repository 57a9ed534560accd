import fc from "fast-check";
import { SpotReturn } from "cdktf-elastic-gpu";
import { raisingSteps } from "../../lib/pools/spot/steps";
import { statementsOf } from "../support/policies";
import { textToken } from "../support/samples";
import { madeAt, Made, SpotChoice, synthSpot } from "../support/spot";
import { allOf, Json, resources, theOne } from "../support/synth";

const topicArn = "arn:aws:sns:us-east-1:111122223333:on-call";
const SHORTAGE = ["ShortageAlarm", "LaunchFailureAlarm"];

const jsonOf = (choices: SpotChoice = {}): Json => synthSpot(choices).json;
const blockAt = (json: Json, path: string): Json => madeAt(json, path).block;
const reference = ({ address }: Made, attribute = "arn"): string => `\${${address}.${attribute}}`;

describe("a shortage of Spot", () => {
  test.each(SHORTAGE)("raises the fallback and tells people, and tells them when it is over: %s", (alarm) => {
    const json = jsonOf();
    const topic = reference(madeAt(json, "Alerts/Resource"));
    expect(blockAt(json, alarm)).toMatchObject({
      alarm_actions: [reference(madeAt(json, "RaiseFallback")), topic],
      ok_actions: [topic],
      comparison_operator: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      evaluation_periods: 3,
      datapoints_to_alarm: 3,
      treat_missing_data: "notBreaching",
    });
    expect(blockAt(json, alarm)).not.toHaveProperty("insufficient_data_actions");
  });

  test("is one for the threshold and after the minutes that the user gives", () => {
    const json = jsonOf({ fallback: { thresholdPercentage: 33, evaluationMinutes: 7 } });
    for (const path of SHORTAGE) {
      const alarm = blockAt(json, path);
      expect(alarm).toMatchObject({ evaluation_periods: 7, datapoints_to_alarm: 7 });
      const expressions = alarm.metric_query.map(({ expression }: Json) => expression).join("\n");
      expect(expressions).toContain("* 33)");
      expect(expressions).not.toMatch(/\b60\b/);
    }
    expect(blockAt(json, "ShortageAlarm").alarm_description).toBe(
      "Less than 33 % of the Spot nodes that were asked for are there: On-Demand nodes stand in",
    );
  });

  test("raises the fallback by what is missing, which is not raised again while it starts", () => {
    const json = jsonOf();
    const { step_adjustment: steps, ...policy } = blockAt(json, "RaiseFallback");
    expect(policy).toEqual({
      name: "stand-in-for-spot",
      autoscaling_group_name: reference(madeAt(json, "Fallback/Resource"), "name"),
      policy_type: "StepScaling",
      adjustment_type: "ChangeInCapacity",
      metric_aggregation_type: "Maximum",
      estimated_instance_warmup: 180,
    });
    expect(steps).toHaveLength(20);
  });

  test.each([
    [{ maxNodes: 6 }, 3],
    [{ maxNodes: 12, onDemandBase: 0, spotPercentage: 100 }, 12],
    [{ fallback: { maxNodes: 400 } }, 20],
  ])("has a step for each number of missing nodes, twenty at the most (%#)", (choices, count) => {
    const { step_adjustment: steps } = blockAt(jsonOf(choices), "RaiseFallback");
    expect(steps).toHaveLength(count);
    if (count < 20) {
      expect(steps.map((step: Json) => step.scaling_adjustment)).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
    }
  });
});

test("steps have numbers of their own, in however large a fallback", () => {
  for (const maxNodes of [...Array(200).keys()].map((index) => index + 1)) {
    const starts = raisingSteps(maxNodes).map(({ metricIntervalLowerBound: lower }) => Number(lower) + 1);
    expect([...new Set(starts)].sort((one, other) => one - other)).toEqual(starts);
    expect(starts[0]).toBe(1);
    expect(starts.at(-1)).toBe(maxNodes);
  }
});

test("steps leave no gap and no overlap from one missing node on, and never add more than are missing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 6000 }), (maxNodes, missing) => {
      const steps = raisingSteps(maxNodes);
      expect(steps.length).toBeLessThanOrEqual(20);
      // Bounds count from the threshold of 1; the lower belongs to the step, the upper does not.
      const falling = steps.filter(
        ({ metricIntervalLowerBound: lower, metricIntervalUpperBound: upper }) =>
          missing - 1 >= Number(lower) && missing - 1 < (upper === undefined ? Infinity : Number(upper)),
      );
      expect(falling).toHaveLength(1);
      const { scalingAdjustment: added } = falling[0]!;
      expect(added).toBeGreaterThanOrEqual(1);
      expect(added).toBeLessThanOrEqual(missing);
      if (missing <= Math.min(10, maxNodes)) {
        expect(added).toBe(missing);
      }
      // What is left for the next round is never more than half, also in the largest pools.
      expect(2 * added).toBeGreaterThanOrEqual(Math.min(missing, maxNodes));
    }),
    { numRuns: 2000 },
  );
});

describe("launches that fail", () => {
  test.each([
    ["LaunchFailures", "Resource"],
    ["FallbackLaunchFailures", "Fallback/Resource"],
  ])("are told to people, for each group by a rule of its own: %s", (id, group) => {
    const json = jsonOf({ tags: { team: "ml" } });
    const rule = blockAt(json, id);
    expect(JSON.parse(rule.event_pattern)).toEqual({
      source: ["aws.autoscaling"],
      "detail-type": ["EC2 Instance Launch Unsuccessful"],
      detail: { AutoScalingGroupName: [reference(madeAt(json, group), "name")] },
    });
    expect(rule).toMatchObject({
      name: expect.stringMatching(/^test-pool-launch-failures-[0-9a-f]{8}$/),
      tags: { team: "ml" },
    });
    expect(blockAt(json, `${id}Target`)).toEqual({
      rule: reference(madeAt(json, id), "name"),
      arn: reference(madeAt(json, "Alerts/Resource")),
    });
  });

  test("of the mixed group are what an alarm of their own looks at", () => {
    const json = jsonOf();
    const metrics = blockAt(json, "LaunchFailureAlarm").metric_query.flatMap(({ metric }: Json) => metric ?? []);
    expect(metrics).toContainEqual({
      namespace: "AWS/Events",
      metric_name: "Invocations",
      stat: "Sum",
      period: 60,
      dimensions: { RuleName: reference(madeAt(json, "LaunchFailures"), "name") },
    });
  });
});

describe("the return to Spot", () => {
  test("takes one node each time after fifteen minutes, with a cooldown, since the action is repeated every minute", () => {
    const json = jsonOf();
    expect(blockAt(json, "ReturnToSpot")).toEqual({
      name: "return-to-spot",
      autoscaling_group_name: reference(madeAt(json, "Fallback/Resource"), "name"),
      policy_type: "SimpleScaling",
      adjustment_type: "ChangeInCapacity",
      scaling_adjustment: -1,
      cooldown: 900,
    });
    const alarm = blockAt(json, "ReturnAlarm");
    expect(alarm).toMatchObject({
      alarm_actions: [reference(madeAt(json, "ReturnToSpot"))],
      alarm_description:
        "Spot has given all that was asked for 15 minutes, there is room for it, and On-Demand nodes still stand in",
      comparison_operator: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      evaluation_periods: 15,
      datapoints_to_alarm: 15,
      treat_missing_data: "notBreaching",
    });
    expect(alarm).not.toHaveProperty("ok_actions");
  });

  test("asks for room in the mixed group, whose most nodes a schedule may lower", () => {
    const json = jsonOf();
    const metrics = blockAt(json, "ReturnAlarm").metric_query.filter(({ id }: Json) => id === "max_size");
    expect(metrics.map(({ metric }: Json) => metric)).toEqual([
      {
        namespace: "AWS/AutoScaling",
        metric_name: "GroupMaxSize",
        stat: "Average",
        period: 60,
        dimensions: { AutoScalingGroupName: reference(madeAt(json, "Resource"), "name") },
      },
    ]);
  });

  test("has the interval that the user gives, and leaves the least nodes of the fallback", () => {
    const json = jsonOf({ fallback: { minNodes: 3, returnToSpot: SpotReturn.every(40) } });
    expect(blockAt(json, "ReturnToSpot").cooldown).toBe(2400);
    const alarm = blockAt(json, "ReturnAlarm");
    expect(alarm).toMatchObject({ evaluation_periods: 40, datapoints_to_alarm: 40 });
    const expressions = alarm.metric_query.map(({ expression }: Json) => expression).join("\n");
    expect(expressions).toContain("fallback > 3");
  });

  test("can be left to the autoscaler", () => {
    const json = jsonOf({ fallback: { returnToSpot: SpotReturn.off() } });
    expect(theOne(json, "aws_autoscaling_policy").name).toBe("stand-in-for-spot");
    expect(allOf(json, "aws_cloudwatch_metric_alarm").map((alarm) => alarm.alarm_name)).toEqual([
      expect.stringMatching(/^test-pool-spot-launch-failures-[0-9a-f]{8}$/),
      expect.stringMatching(/^test-pool-spot-shortage-[0-9a-f]{8}$/),
    ]);
  });
});

test("alarms are named after the pool and what they tell, and tagged as it is", () => {
  const alarms = allOf(jsonOf({ tags: { team: "ml" } }), "aws_cloudwatch_metric_alarm");
  expect(alarms.map((alarm) => alarm.alarm_name).sort()).toEqual([
    expect.stringMatching(/^test-pool-return-to-spot-[0-9a-f]{8}$/),
    expect.stringMatching(/^test-pool-spot-launch-failures-[0-9a-f]{8}$/),
    expect.stringMatching(/^test-pool-spot-shortage-[0-9a-f]{8}$/),
  ]);
  alarms.forEach((alarm) => expect(alarm.tags).toEqual({ team: "ml" }));
});

test("each size that an alarm looks at is measured every minute in the group that it is of", () => {
  const json = jsonOf();
  const enabled = Object.fromEntries(
    ["Resource", "Fallback/Resource"].map((path) => {
      const group = madeAt(json, path);
      expect(group.block.metrics_granularity).toBe("1Minute");
      return [reference(group, "name"), group.block.enabled_metrics as string[]];
    }),
  );
  const looked = allOf(json, "aws_cloudwatch_metric_alarm")
    .flatMap((alarm) => alarm.metric_query.flatMap(({ metric }: Json) => metric ?? []))
    .filter(({ namespace }: Json) => namespace === "AWS/AutoScaling");
  for (const { metric_name: name, dimensions, period } of looked) {
    expect(enabled[dimensions.AutoScalingGroupName]).toContain(name);
    expect(period).toBe(60);
  }
  // None is measured that nobody looks at.
  for (const [group, names] of Object.entries(enabled)) {
    const ofGroup = looked.filter(({ dimensions }: Json) => dimensions.AutoScalingGroupName === group);
    expect([...new Set(ofGroup.map(({ metric_name: name }: Json) => name))].sort()).toEqual([...names].sort());
  }
});

describe("the topic", () => {
  test("is the pool's own, with a key that alarms and rules may use", () => {
    const json = jsonOf();
    const topic = madeAt(json, "Alerts/Resource");
    const key = madeAt(json, "Alerts/Key");
    expect(topic.block.kms_master_key_id).toBe(reference(key));
    expect(key.block).toMatchObject({ enable_key_rotation: true, description: "Alerts of the GPU pool test/pool" });
    const senders = (policy: string) =>
      statementsOf(policy)
        .filter(({ Principal }) => Principal.Service !== undefined)
        .map(({ Principal, Action }) => [Principal.Service, Action]);
    const use = ["kms:Decrypt", "kms:GenerateDataKey*"];
    expect(senders(key.block.policy)).toEqual([
      ["cloudwatch.amazonaws.com", use],
      ["events.amazonaws.com", use],
    ]);
    expect(senders(blockAt(json, "Alerts/Policy").policy)).toEqual([
      ["cloudwatch.amazonaws.com", "sns:Publish"],
      ["events.amazonaws.com", "sns:Publish"],
    ]);
  });

  test.each<[string, SpotChoice, string]>([
    ["known", { notificationTopicArn: topicArn }, topicArn],
    ["a token", (stack) => ({ notificationTopicArn: textToken(stack) }), "${var.text}"],
  ])("is the user's where one is given, and no other is made: %s", (_, choices, arn) => {
    const json = jsonOf(choices);
    for (const type of ["aws_sns_topic", "aws_sns_topic_policy", "aws_kms_key", "data.aws_caller_identity"]) {
      expect(resources(json, type)).toEqual({});
    }
    for (const path of SHORTAGE) {
      expect(blockAt(json, path)).toMatchObject({
        alarm_actions: [reference(madeAt(json, "RaiseFallback")), arn],
        ok_actions: [arn],
      });
    }
    expect(blockAt(json, "LaunchFailuresTarget").arn).toBe(arn);
  });
});
