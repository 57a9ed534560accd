import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack } from "cdktf";
import {
  Capacity,
  ClusterAutoscaler,
  ClusterAutoscalerProps,
  DrainBudget,
  NodeTier,
  NvidiaDevicePlugin,
  PurchasePlan,
  SpotWithFallback,
} from "cdktf-elastic-gpu";
import { Construct } from "constructs";
import fc from "fast-check";
import { parse } from "yaml";
import { Build, refusalInCluster, synthInCluster, theValues, valuesOf } from "../support/addon";
import { clusterOf } from "../support/pool";
import { numberToken, textToken } from "../support/samples";
import { addSpot, madeAt, ofBoth, SpotChoice, SpotChoices, synthSpot, templateOf } from "../support/spot";
import { allOf, Json, synth, synthApp, theOne } from "../support/synth";

/** A pool and what was made of it. */
function built(choices: SpotChoices = {}): { readonly pool: SpotWithFallback; readonly json: Json } {
  let pool: SpotWithFallback | undefined;
  const { json } = synth((stack) => {
    pool = addSpot(stack, choices);
  });
  return { pool: pool!, json };
}

describe("sizes", () => {
  test.each<[string, SpotChoices, number, number]>([
    ["two nodes that are never Spot, and four of five above them", {}, 30, 70],
    ["a base of its own", { onDemandBase: 10 }, 24, 64],
    ["half of them Spot", { spotPercentage: 50 }, 19, 59],
    ["all of them Spot", { onDemandBase: 0, spotPercentage: 100 }, 40, 80],
    ["a fallback of its own", { fallback: { maxNodes: 38 } }, 38, 78],
    ["a single node, which the base is cut to", { maxNodes: 1 }, 1, 2],
    ["none of them Spot", { spotPercentage: 0 }, 1, 41],
  ])("the nodes that stand in are as many as Spot nodes at the most: %s", (_, choices, ofFallback, inTotal) => {
    const { pool, json } = built(choices);
    const [mixed, fallback] = ofBoth(json, "Resource");
    expect(fallback.max_size).toBe(ofFallback);
    expect(pool.fallbackGroup.maxNodes).toBe(ofFallback);
    expect(pool.maxNodesInTotal).toBe(inTotal);
    expect(mixed.max_size + fallback.max_size).toBe(inTotal);
  });

  const SHAPES = [
    ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"],
    ["g5.xlarge"],
    ["p5.48xlarge"],
    ["inf2.xlarge", "inf2.8xlarge"],
    ["trn1.2xlarge"],
  ];

  /** How many nodes the group buys On-Demand, by AWS's words: what is above the base is rounded up in favor of On-Demand. */
  function onDemandOf(nodes: number, { mixed_instances_policy: policy }: Json): number {
    const { on_demand_base_capacity: base = 0, on_demand_percentage_above_base_capacity: percentage = 100 } =
      policy?.instances_distribution ?? {};
    const above = Math.max(0, nodes - base);
    // Whole numbers throughout: percents of a node, and the next hundred of them.
    return nodes - above + Math.trunc((above * percentage + 99) / 100);
  }

  test("what the plan says of each size adds up, and is what the group's policy buys", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SHAPES),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 1000 }).chain((most) => fc.tuple(fc.constant(most), fc.nat(most), fc.nat(most))),
        (instanceTypes, spotPercentage, [maxNodes, onDemandBase, nodes]) => {
          const { pool, json } = built({ instanceTypes, spotPercentage, maxNodes, onDemandBase });
          const [mixed, fallback] = ofBoth(json, "Resource");
          for (const size of [0, nodes, maxNodes]) {
            const { reserved, onDemand, spot } = pool.purchasePlan.at(size);
            expect(reserved + onDemand + spot).toBe(size);
            expect(reserved + onDemand).toBe(onDemandOf(size, mixed));
            expect(pool.fallbackGroup.purchasePlan.at(size)).toEqual({ reserved: 0, onDemand: size, spot: 0 });
            expect(onDemandOf(size, fallback)).toBe(size);
          }
          expect(fallback.max_size).toBe(Math.max(1, maxNodes - onDemandOf(maxNodes, mixed)));
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each([
    [undefined, [4, 2]],
    [1, [1, 5]],
    [5, [5, 1]],
    [9, [6, 0]],
  ])("a reservation of %p instances is filled first, and as the base where its size is not known", (count, shares) => {
    const baseCapacity = Capacity.reservation({ reservationId: "cr-0123456789abcdef0", instanceCount: count });
    const { pool } = built({ onDemandBase: 4, baseCapacity });
    const [reserved, onDemand] = shares;
    expect(pool.purchasePlan.at(10)).toEqual({ reserved, onDemand, spot: 4 });
  });
});

describe("names", () => {
  /** The names of a stack that AWS holds once each, by type. */
  const LIMITS: [string, string, RegExp][] = [
    ["aws_autoscaling_group", "name", /^[\w-]{1,255}$/],
    ["aws_launch_template", "name", /^[A-Za-z0-9()./_-]{3,125}$/],
    ["aws_iam_role", "name", /^[\w+=,.@-]{1,64}$/],
    ["aws_iam_instance_profile", "name", /^[\w+=,.@-]{1,128}$/],
    ["aws_cloudwatch_metric_alarm", "alarm_name", /^[\w-]{1,255}$/],
    ["aws_cloudwatch_event_rule", "name", /^[\w.-]{1,64}$/],
    ["aws_sns_topic", "name", /^[\w-]{1,256}$/],
  ];
  const namesOf = (json: Json, type: string, attribute: string): string[] =>
    allOf(json, type).map((resource) => resource[attribute]);

  test("from the path are within the services' limits, and differ for pools whose paths begin alike", () => {
    const id = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,200}$/);
    fc.assert(
      fc.property(fc.array(id, { maxLength: 3 }), (ids) => {
        const { json } = synth((stack) => {
          const place = [`a${"x".repeat(150)}`, ...ids].reduce<Construct>(
            (scope, each) => new Construct(scope, each),
            stack,
          );
          ["one", "two"].forEach((each) => addSpot(place as TerraformStack, { cluster: clusterOf(stack) }, each));
        });
        for (const [type, attribute, limit] of LIMITS) {
          const names = namesOf(json, type, attribute);
          names.forEach((each) => expect(each).toMatch(limit));
          expect(names.length).toBeGreaterThanOrEqual(2);
          expect(new Set(names).size).toBe(names.length);
        }
        const labels = allOf(json, "aws_autoscaling_group").map((group) => templateOf(group)["label/pool"]!);
        labels.forEach((each) => expect(each).toMatch(/^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/));
        expect(new Set(labels).size).toBe(2);
      }),
      { numRuns: 8 },
    );
  });

  test("of a name that is given are that, with the fallback's after it", () => {
    const name = "n".repeat(46);
    const { json } = built({ name });
    expect(ofBoth(json, "Resource").map((group) => group.name)).toEqual([name, `${name}-fallback`]);
    expect(ofBoth(json, "LaunchTemplate").map((template) => template.name)).toEqual([name, `${name}-fallback`]);
    expect(theOne(json, "aws_iam_role").name).toBe(`${name}-self-managed-node`);
    expect(theOne(json, "aws_iam_instance_profile").name).toBe(`${name}-node`);
  });

  test("may be filled in by Terraform", () => {
    const { json } = synth((stack) => addSpot(stack, { name: textToken(stack) }));
    expect(ofBoth(json, "Resource").map((group) => group.name)).toEqual(["${var.text}", "${var.text}-fallback"]);
  });
});

describe("a cluster", () => {
  const priorities = (values: Json): Json => parse(values.expanderPriorities);
  const autoscalerValues = (build: Build, props: Partial<ClusterAutoscalerProps> = {}) =>
    theValues(
      synthInCluster((stack, cluster) => {
        new ClusterAutoscaler(stack, "autoscaler", { cluster, ...props });
        build(stack, cluster);
      }).json,
    );

  test("knows both groups, of which the fallback has the tier of its own", () => {
    const { pool } = built();
    const cluster = clusterOf(TerraformStack.of(pool));
    expect(cluster.pools.map(({ node }) => node.path).sort()).toEqual(["test/pool", "test/pool/Fallback"]);
    expect([pool.nodeTier, pool.fallbackGroup.nodeTier]).toEqual([NodeTier.SPOT, NodeTier.FALLBACK]);
    expect([pool.isSelfManaged, pool.fallbackGroup.isSelfManaged]).toEqual([true, true]);
  });

  test("tells the autoscaler to ask Spot first, then other On-Demand pools, and the fallback last", () => {
    const values = autoscalerValues((stack) => {
      addSpot(stack);
    });
    expect(priorities(values)).toEqual({
      30: [expect.stringMatching(/^\^test-pool-[0-9a-f]{8}\$$/)],
      10: [expect.stringMatching(/^\^test-pool-Fallback-[0-9a-f]{8}\$$/)],
      1: [".*"],
    });
    const own = autoscalerValues((stack) => {
      addSpot(stack, { name: "inference", spotPercentage: 0 });
    });
    expect(priorities(own)).toEqual({ 20: ["^inference$"], 10: ["^inference-fallback$"], 1: [".*"] });
  });

  test.each([
    [1, "16m", "32m"],
    [2, "31m", "62m"],
    [3, "46m", "92m"],
  ])("leaves a group alone for longer than %d Spot groups take to fail one after the other", (count, initial, most) => {
    const values = autoscalerValues((stack) => {
      for (let index = 0; index < count; index += 1) {
        addSpot(stack, {}, `pool${index}`);
      }
    });
    expect(values.extraArgs).toMatchObject({
      "initial-node-group-backoff-duration": initial,
      "max-node-group-backoff-duration": most,
    });
  });

  test("has an autoscaler that gives pods as long as the pool does, or is refused", () => {
    const drain = DrainBudget.training({ afterSigtermSeconds: 900 });
    expect(
      refusalInCluster((stack, cluster) => {
        addSpot(stack, { spotPercentage: 0, drain });
        new ClusterAutoscaler(stack, "autoscaler", { cluster });
      }).join("\n"),
    ).toContain(
      "test/autoscaler: gracefulTerminationSeconds: must be at least 900, the grace period of pods by the drain budget of test/pool: " +
        "the autoscaler ends a node after it, whatever still runs, got: 600. Set it to 900, or shorten the budget",
    );
  });

  test("lets the device plugin onto the nodes of both groups", () => {
    const { json } = synthInCluster((stack, cluster) => {
      new NvidiaDevicePlugin(stack, "plugin", { cluster });
      addSpot(stack);
    });
    expect(theValues(json).tolerations).toEqual([
      { key: "nvidia.com/gpu", operator: "Exists" },
      { key: "node-tier", operator: "Exists" },
    ]);
  });

  test("may have its autoscaler before or after the pool", () => {
    const before = autoscalerValues((stack) => {
      addSpot(stack);
    });
    const { json } = synthInCluster((stack, cluster) => {
      addSpot(stack);
      new ClusterAutoscaler(stack, "autoscaler", { cluster });
    });
    expect(theValues(json)).toEqual(before);
  });

  test("may have its pools in another stack, which the autoscaler names without a reference", () => {
    const { controllers } = synthApp((app) => {
      const gpus = new TerraformStack(app, "gpus");
      new AwsProvider(gpus, "aws", { region: "us-east-1" });
      const pool = addSpot(gpus);
      const stack = new TerraformStack(app, "controllers");
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      new HelmProvider(stack, "helm", {});
      const pools = [pool, pool.fallbackGroup];
      new ClusterAutoscaler(stack, "autoscaler", { cluster: clusterOf(stack), pools });
    });
    expect(priorities(valuesOf(theOne(controllers!.json, "helm_release")))).toEqual({
      30: [expect.stringMatching(/^\^gpus-pool-[0-9a-f]{8}\$$/)],
      10: [expect.stringMatching(/^\^gpus-pool-Fallback-[0-9a-f]{8}\$$/)],
      1: [".*"],
    });
    expect(controllers!.json.data?.terraform_remote_state).toBeUndefined();
  });

  test("may be that of another stack: both groups stay with their pool", () => {
    const { pools } = synthApp((app) => {
      const infra = new TerraformStack(app, "infra");
      new AwsProvider(infra, "aws", { region: "us-east-1" });
      const stack = new TerraformStack(app, "pools");
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      addSpot(stack, { cluster: clusterOf(infra) });
    });
    expect(allOf(pools!.json, "aws_autoscaling_group")).toHaveLength(2);
  });
});

test("what a pool says of itself is what it was given", () => {
  const { pool, json } = built();
  expect(SpotWithFallback.isSpotWithFallback(pool)).toBe(true);
  expect([pool, pool.fallbackGroup, {}, null].map((each) => SpotWithFallback.isSpotWithFallback(each))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(pool.drain.totalSeconds).toBe(DrainBudget.inference().totalSeconds);
  expect(pool.drainBudget).toEqual(pool.drain);
  expect(pool.fallbackGroup.drainBudget?.totalSeconds).toBe(pool.drain.totalSeconds);
  expect(PurchasePlan.isPurchasePlan(pool.purchasePlan)).toBe(true);
  expect([pool.minNodes, pool.maxNodes]).toEqual([0, 40]);
  expect(madeAt(json, "Resource").block.name).toMatch(/^test-pool-[0-9a-f]{8}$/);
});

describe("a value that only Terraform knows is passed on", () => {
  test.each<[string, SpotChoice, string]>([
    ["minNodes", (stack) => ({ minNodes: numberToken(stack) }), "${var.number}"],
    ["desiredNodes", (stack) => ({ desiredNodes: numberToken(stack) }), "${var.number}"],
    [
      "a reservation",
      (stack) => ({ baseCapacity: Capacity.reservation({ reservationId: textToken(stack) }) }),
      "${var.text}",
    ],
    [
      "a group of reservations",
      (stack) => ({ baseCapacity: Capacity.reservationGroup({ resourceGroupArn: textToken(stack) }) }),
      "${var.text}",
    ],
    ["a topic", (stack) => ({ notificationTopicArn: textToken(stack) }), "${var.text}"],
    ["an image", (stack) => ({ images: [textToken(stack)] }), "var.text"],
  ])("%s", (_, choices, reference) => {
    const text = JSON.stringify(synthSpot(choices).json);
    expect(text).toContain(reference);
    expect(text).not.toMatch(/TfToken|e\+\d{2,}/);
  });
});
