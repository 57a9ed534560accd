import {
  Capacity,
  ClusterPlacement,
  DrainBudget,
  EfaLayout,
  Headroom,
  JoinMethod,
  NodeImage,
  NodeRepair,
  NodeRole,
  NodeTaint,
  UpdatePolicy,
} from "cdktf-elastic-gpu";
import { addPool } from "../../support/pool";
import { customType, inPool, Refusal } from "../../support/samples";
import { addSpot, spotRefusal } from "../../support/spot";
import { problemsOf, synth } from "../../support/synth";

const refused = (_: string, choices: any, lines: string[]) => expect(spotRefusal(choices)).toEqual(inPool(lines));
const reservationId = "cr-0123456789abcdef0";
const roleArn = "arn:aws:iam::111122223333:role/gpu-node";
const neverSpot = customType("x9.48xlarge", { supportsSpot: false });

describe("a pool of Spot with its fallback is refused with what to change", () => {
  describe("numbers that cannot be together", () => {
    const gap = (least: number, rest: string, got: number) =>
      `fallback.maxNodes: must be at least the ${least} Spot nodes that the pool asks for at maxNodes (${rest}), or a shortage leaves a gap that nobody fills, got: ${got}. Raise it to ${least}, leave it out, or lower maxNodes`;
    test.each<Refusal>([
      [
        "a base above the most nodes",
        { maxNodes: 4, onDemandBase: 5 },
        ['onDemandBase: must not be above maxNodes, got: "5 of 4". Lower it or raise maxNodes'],
      ],
      [
        "a fallback that leaves a gap",
        { fallback: { maxNodes: 29 } },
        [gap(30, "40 nodes, the first 2 and 20 % of the others On-Demand", 29)],
      ],
      [
        "one that leaves a gap where all is Spot",
        { onDemandBase: 0, spotPercentage: 100, maxNodes: 10, fallback: { maxNodes: 9 } },
        [gap(10, "10 nodes, the first 0 and 0 % of the others On-Demand", 9)],
      ],
      [
        "less most than least nodes that stand in",
        { fallback: { minNodes: 35, maxNodes: 32 } },
        [
          'fallback.minNodes: must not be above fallback.maxNodes, got: "35 of 32". Lower it or raise fallback.maxNodes',
        ],
      ],
      [
        "more least nodes that stand in than there are by default",
        { fallback: { minNodes: 31 } },
        [
          'fallback.minNodes: must not be above fallback.maxNodes, got: "31 of 30". Lower it or raise fallback.maxNodes',
        ],
      ],
      [
        "more headroom than nodes",
        { maxNodes: 4, headroom: Headroom.nodes(5) },
        [
          'headroom: must not be above maxNodes, since nodes are held within them, got: "5 of 4". Lower it or raise maxNodes',
        ],
      ],
      [
        "more least than most nodes",
        { minNodes: 41 },
        [
          "minNodes: must not be above maxNodes, got: minNodes 41, desiredNodes 41, maxNodes 40. Lower minNodes or raise maxNodes",
        ],
      ],
      [
        "a start below the least",
        { minNodes: 2, desiredNodes: 1 },
        [
          "desiredNodes: must not be below minNodes, got: minNodes 2, desiredNodes 1, maxNodes 40. Leave it out to start at minNodes",
        ],
      ],
    ])("%s", refused);
  });

  describe("types", () => {
    test.each<Refusal>([
      [
        "of different shape",
        { instanceTypes: ["g6.2xlarge", "g6.12xlarge"] },
        [
          "instanceTypes: must all have one shape, got: g6.2xlarge has 1 accelerator, g6.12xlarge has 4 accelerators. Make a pool for each",
        ],
      ],
      [
        "with the smallest not first",
        { instanceTypes: ["g6.8xlarge", "g6.2xlarge"] },
        [
          'instanceTypes: must start with the type that has the fewest vCPUs and the least memory, because the Cluster Autoscaler takes every node to be like the first, got: "g6.8xlarge (32 vCPUs, 128 GiB) before g6.2xlarge (8 vCPUs, 32 GiB)". Put g6.2xlarge first, or make a pool for each',
        ],
      ],
      [
        "with weights in them",
        { instanceTypes: [{ type: "g6.2xlarge", weight: 1 }] },
        [
          'instanceTypes[0]: must be the name of an instance type, got: {"type":"g6.2xlarge","weight":1}. Such as ["g6.12xlarge"]',
        ],
      ],
      [
        "that are never sold as Spot",
        { instanceTypes: [neverSpot.instanceType], customTypes: [neverSpot] },
        [
          'instanceTypes: must not be types that are never sold as Spot, got: "x9.48xlarge". Remove them, or use an ElasticGpuNodePool with Capacity.onDemand()',
        ],
      ],
    ])("%s", refused);
  });

  describe("what Spot cannot have, or what the construct decides", () => {
    const training =
      "Nodes that work together belong into an ElasticGpuNodePool with Capacity.onDemand() or a reservation";
    const weights =
      "must be left out: the Cluster Autoscaler counts nodes, and takes one of weight 2 for two. Use types that count alike";
    const warm = "must be left out: EC2 keeps no Spot instances in a warm pool. Use headroom";
    test.each<Refusal>([
      [
        "a placement group",
        { placement: ClusterPlacement.own() },
        [
          `placement: must be left out: Spot requests for one placement group land in several zones and are refused, and one reclaim stops the whole job. ${training}`,
        ],
      ],
      [
        "EFA",
        { efa: EfaLayout.ipOptimised() },
        [`efa: must be left out: with EFA nodes work together, and one reclaim stops the whole job. ${training}`],
      ],
      [
        "a capacity of its own",
        { capacity: Capacity.spot() },
        [
          "capacity: must be left out, since both groups have their own. Use onDemandBase, spotPercentage and baseCapacity, or an ElasticGpuNodePool",
        ],
      ],
      [
        "a managed node group",
        { nodeGroupType: "managed" },
        [
          "nodeGroupType: must be left out: EKS does not mix On-Demand and Spot in a managed node group, so that both groups are self-managed. Remove it",
        ],
      ],
      [
        "repair by EKS",
        { nodeRepair: NodeRepair.enabled() },
        ["nodeRepair: must be left out: EKS does not repair the nodes of self-managed groups. Remove it"],
      ],
      ["weights", { weights: { "g6.4xlarge": 2 } }, [`weights: ${weights}`]],
      ["weights by AWS's name", { weightedCapacity: ["1", "2"] }, [`weightedCapacity: ${weights}`]],
      [
        "a count of Spot pools",
        { spotInstancePools: 3 },
        [
          "spotInstancePools: must be left out: it belongs to the strategy lowest-price, whose nodes are reclaimed most often. Remove it",
        ],
      ],
      [
        "a price",
        { spotMaxPrice: "0.5" },
        [
          "spotMaxPrice: must be left out: below the On-Demand price, which is the limit anyway, nodes are reclaimed more often. Remove it",
        ],
      ],
      ["warm nodes", { warm: true }, [`warm: ${warm}`]],
      ["a warm pool", { warmPool: { minSize: 1 } }, [`warmPool: ${warm}`]],
      [
        "updates as EKS makes them",
        { updatePolicy: UpdatePolicy.maxUnavailable(1) },
        [
          "updatePolicy: must be UpdatePolicy.newNodesOnly() or .instanceRefresh() for a self-managed group. Use one of them",
        ],
      ],
      [
        "a tag by which the autoscaler would look for a managed group",
        { tags: { "eks:nodegroup-name": "x" } },
        [
          'tags["eks:nodegroup-name"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the pool sets what is needed',
        ],
      ],
      [
        "images where nobody would pull them",
        { images: ["docker.io/library/nginx:1.29.1"], image: NodeImage.bottlerocketNvidia() },
        [
          "images: must be left out for an image that nodeadm does not configure, because they are pulled into the containerd that it starts. Use EKS's AL2023, or bake them into the image",
        ],
      ],
      [
        "images for an image that joins by itself",
        {
          images: ["docker.io/library/nginx:1.29.1"],
          image: NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.ownUserData() }),
        },
        [
          "images: must be left out for an image that nodeadm does not configure, because they are pulled into the containerd that it starts. Use EKS's AL2023, or bake them into the image",
        ],
      ],
    ])("%s", refused);

    test.each([
      "placement",
      "efa",
      "capacity",
      "nodeGroupType",
      "nodeRepair",
      "weights",
      "weightedCapacity",
      "spotInstancePools",
      "spotMaxPrice",
      "warm",
      "warmPool",
    ])("%s has one line, whatever it is, and none where it is undefined", (property) => {
      for (const value of [null, false, 0, "", "x", {}, []]) {
        expect(spotRefusal({ [property]: value })).toEqual([
          expect.stringMatching(new RegExp(`^test/pool: ${property}: must be left out`)),
        ]);
      }
      expect(() => synth((stack) => addSpot(stack, { [property]: undefined }))).not.toThrow();
    });

    test.each<Refusal>([
      [
        "the tier",
        { labels: { "node-tier": "on-demand" } },
        [
          'labels["node-tier"]: is set by the pool, to "spot", got: "on-demand". Leave it out, or use a key of your own',
        ],
      ],
      [
        "the pool",
        { labels: { pool: "mine" } },
        [
          expect.stringMatching(
            /^test\/pool: labels\["pool"\]: is set by the pool, to "test-pool-[0-9a-f]{8}", got: "mine"\. Leave it out, or use a key of your own$/,
          ),
        ],
      ],
      [
        "the market",
        { labels: { "node-lifecycle": "spot" } },
        ['labels["node-lifecycle"]: is set by the pool where it is true of its nodes, got: "spot". Leave it out'],
      ],
      [
        "the taint of nodes that stand in",
        { taints: [NodeTaint.noSchedule("node-tier", "spot")] },
        [
          'taints["node-tier"]: must be left out, since nodes that stand in have a taint with this key, got: "spot". Use a key of your own',
        ],
      ],
    ])("a label or taint that tells other nodes apart: %s", (_, choices, [line]) =>
      expect(spotRefusal(choices)).toEqual([typeof line === "string" ? `test/pool: ${line}` : line]),
    );
  });

  describe("reservations", () => {
    const makers = "Capacity.onDemand(), .reservation() or .reservationGroup()";
    const wrong = (market: string) =>
      `baseCapacity: must be ${makers}, because it is what outlasts a reclaim and has no end, got: ${market}. Use one of them`;
    test.each<Refusal>([
      ["Spot", { baseCapacity: Capacity.spot() }, [wrong("spot")]],
      [
        "a Capacity Block, which ends",
        { baseCapacity: Capacity.capacityBlock({ reservationId, endsAt: "2030-01-01T11:30:00Z" }) },
        [wrong("capacity-block")],
      ],
      [
        "an ID of something else",
        { baseCapacity: Capacity.reservation({ reservationId: "i-0123456789abcdef0" }) },
        [
          'baseCapacity.reservationId: must be the ID of a capacity reservation (cr-…), got: "i-0123456789abcdef0". Give the ID that EC2 shows for the reservation or block',
        ],
      ],
      [
        "a name of a group",
        { baseCapacity: Capacity.reservationGroup({ resourceGroupArn: "gpus" }) },
        [
          'baseCapacity.resourceGroupArn: must be the ARN of a resource group, got: "gpus". Give arn:aws:resource-groups:<region>:<account>:group/<name>',
        ],
      ],
      [
        "a group of another region",
        {
          baseCapacity: Capacity.reservationGroup({
            resourceGroupArn: "arn:aws:resource-groups:eu-west-1:111122223333:group/gpus",
          }),
        },
        [
          'baseCapacity.resourceGroupArn: must be of the cluster\'s region, us-east-1, because reservations of another have no room for its nodes, got: "arn:aws:resource-groups:eu-west-1:111122223333:group/gpus". Give a resource group of that region',
        ],
      ],
      ...[0, -1, 1.5, NaN, 1001].map((instanceCount): Refusal => [
        `${instanceCount} instances`,
        { baseCapacity: Capacity.reservation({ reservationId, instanceCount }) },
        [
          `baseCapacity.instanceCount: must be a whole number from 1 to 1000, got: ${instanceCount}. Give the instances reserved`,
        ],
      ]),
    ])("%s", refused);
  });

  describe("the topic", () => {
    const noTopic = (got: string) =>
      `notificationTopicArn: must be the ARN of a standard SNS topic, got: "${got}". Give arn:aws:sns:<region>:<account>:<name>, or leave it out for a topic of its own`;
    test.each<Refusal>([
      ["a name", { notificationTopicArn: "on-call" }, [noTopic("on-call")]],
      [
        "a FIFO topic",
        { notificationTopicArn: "arn:aws:sns:us-east-1:123456789012:on-call.fifo" },
        [noTopic("arn:aws:sns:us-east-1:123456789012:on-call.fifo")],
      ],
      [
        "one of another region",
        { notificationTopicArn: "arn:aws:sns:eu-west-1:123456789012:on-call" },
        [
          'notificationTopicArn: must be of the cluster\'s region, us-east-1, because alarms reach no topic of another, got: "arn:aws:sns:eu-west-1:123456789012:on-call". Give a topic of that region, or leave it out for one of its own',
        ],
      ],
      ["no text", { notificationTopicArn: 5 }, ["notificationTopicArn: must be text, got: 5. Put it in quotes"]],
    ])("%s", refused);
  });

  describe("names", () => {
    const most = (limit: number, why: string, got: number) =>
      `name: must have at most ${limit} characters, because ${why}, got: "${got} characters". Shorten it, or leave it out for a name from the construct path`;
    const ofRole = "the node role is named <name>-self-managed-node and takes 64";
    const ofFallback = "the launch template of the nodes that stand in is named <name>-fallback and takes 125";
    test.each<Refusal>([
      ["too long for the role", { name: "n".repeat(47) }, [most(46, ofRole, 47)]],
      [
        "too long for the fallback's launch template",
        { name: "n".repeat(117), nodeRole: NodeRole.existing({ roleArn }) },
        [most(116, ofFallback, 117)],
      ],
      [
        "too long for everything that is named after it, of which the one is named that leaves least",
        { name: "n".repeat(256) },
        [most(46, ofRole, 256)],
      ],
      [
        "with a dot",
        { name: "gpu.pool" },
        [
          'name: must be at least 3 letters, digits, hyphens and underscores that start with a letter or a digit, got: "gpu.pool". Correct it, or leave it out for a name from the construct path',
        ],
      ],
    ])("%s", refused);

    test("as long as they may be, they are not", () => {
      synth((stack) => {
        addSpot(stack, { name: "n".repeat(46) }, "own");
        addSpot(stack, { name: "n".repeat(116), nodeRole: NodeRole.existing({ roleArn }) }, "existing");
      });
    });

    test.each([
      ["inference", "inference"],
      ["inference-fallback", "inference-fallback"],
    ])("a second pool of the name %s", (name, taken) => {
      const text = problemsOf((stack) => {
        addSpot(stack, { name: "inference" }, "first");
        addPool(stack, { name }, "second");
      });
      const holder = taken === "inference" ? "test/first" : "test/first/Fallback";
      expect(text).toBe(
        `test/second: name: must be the name of one pool of the cluster, got: "${taken}", which ${holder} has. Choose another, or leave it out for a name from the construct path`,
      );
    });
  });

  test("a pool whose fallback would have the name of another", () => {
    const text = problemsOf((stack) => {
      addPool(stack, { name: "inference-fallback" }, "first");
      addSpot(stack, { name: "inference" }, "second");
    });
    expect(text).toBe(
      'test/second: name: must leave "inference-fallback" free for the nodes that stand in, got: "inference", while test/first has that name. Choose another, or leave it out for a name from the construct path',
    );
  });

  test("everything that is wrong comes at once, first what has the wrong form", () => {
    const wrongForm = spotRefusal({
      maxNodes: 1.5,
      onDemandBase: -1,
      spotPercentage: 101,
      spotAllocationStrategy: "lowest-price",
      fallback: { thresholdPercentage: 0, evaluationMinutes: 0.5, minNodes: -1, maxNodes: 0 },
      placement: ClusterPlacement.own(),
      spotPrice: "0.5",
    });
    expect(wrongForm.map((line) => /^test\/pool: ([\w.]+):/.exec(line)?.[1])).toEqual([
      "spotPrice",
      "placement",
      "maxNodes",
      "onDemandBase",
      "spotPercentage",
      "fallback.evaluationMinutes",
      "fallback.minNodes",
      "fallback.maxNodes",
      "fallback.thresholdPercentage",
      "spotAllocationStrategy",
    ]);
    const wrongTogether = spotRefusal({
      maxNodes: 4,
      minNodes: 5,
      fallback: { minNodes: 2 },
      headroom: Headroom.nodes(6),
      drain: DrainBudget.inference({ preStopSeconds: 30 }),
      baseCapacity: Capacity.reservation({ reservationId: "x" }),
      notificationTopicArn: "x",
      name: "x",
      taints: [NodeTaint.noSchedule("node-tier")],
    });
    expect(wrongTogether.map((line) => /^test\/pool: ([\w.]+)/.exec(line)?.[1]).sort()).toEqual(
      [
        "minNodes",
        "name",
        "fallback.minNodes",
        "headroom",
        "drain",
        "baseCapacity.reservationId",
        "notificationTopicArn",
        "taints",
      ].sort(),
    );
  });
});

test.each([
  ["by percentage", { spotPercentage: 0 }],
  ["by the base", { onDemandBase: 40 }],
])("a type that is never sold as Spot may be where no node is Spot: %s", (_, choices) => {
  const types = { instanceTypes: [neverSpot.instanceType], customTypes: [neverSpot] };
  synth((stack) => addSpot(stack, { ...types, ...choices }));
});
