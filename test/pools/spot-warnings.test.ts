import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { Capacity, Headroom, JoinMethod, NodeImage, SpotReturn } from "cdktf-elastic-gpu";
import { customType, numberToken } from "../support/samples";
import { addSpot, SpotChoice, SpotChoices, synthSpot } from "../support/spot";
import { warningsOf } from "../support/synth";

/** Warnings of the pool, without its path. Those of quotas, which are nearly always there, apart from the others. */
const ofPool = (choices: SpotChoice) =>
  synthSpot(choices).warnings.map((warning) => {
    expect(warning).toMatch(/^test\/pool: /);
    return warning.slice("test/pool: ".length);
  });
const isQuota = (warning: string) => warning.startsWith("maxNodes: the account must be allowed");
const warningsBesideQuotas = (choices: SpotChoice) => ofPool(choices).filter((warning) => !isQuota(warning));
const quotasOf = (choices: SpotChoice) => ofPool(choices).filter(isQuota);

test("three types in two zones are six Spot pools, and nothing is said of them", () => {
  expect(warningsBesideQuotas({})).toEqual([]);
});

describe("few Spot pools, which dry up together", () => {
  const text = (sum: string) =>
    `instanceTypes: ${sum}, and fewer than 3 dry up together. Add larger types of the same shape, or zones`;
  const oneZone = { availabilityZones: ["us-east-1a"] };

  test.each<[string, SpotChoices, string[]]>([
    ["one type in one zone", { instanceTypes: ["g6.2xlarge"], ...oneZone }, [text("1 type in 1 zone = 1 Spot pool")]],
    ["one type in two zones", { instanceTypes: ["g6.2xlarge"] }, [text("1 type in 2 zones = 2 Spot pools")]],
    [
      "two types in one zone",
      { instanceTypes: ["g6.2xlarge", "g6.4xlarge"], ...oneZone },
      [text("2 types in 1 zone = 2 Spot pools")],
    ],
    ["three types in one zone, which are enough", oneZone, []],
    ["two types in two zones, which are enough", { instanceTypes: ["g6.2xlarge", "g6.4xlarge"] }, []],
  ])("%s", (_, choices, warnings) => expect(warningsBesideQuotas(choices)).toEqual(warnings));
});

describe("quotas, by name, code and sum", () => {
  const text = (type: string, needs: string) =>
    `maxNodes: the account must be allowed, if all nodes are ${type}: ${needs}. ` +
    "Compare with aws service-quotas get-service-quota --service-code ec2 --quota-code …, and have them raised before the first peak";
  const spotOfG = "vCPUs of All G and VT Spot Instance Requests (L-3819A6DF)";
  const onDemandOfG = "vCPUs of Running On-Demand G and VT instances (L-DB2E81BA)";
  const onDemandOfP = "vCPUs of Running On-Demand P instances (L-417A185B)";

  test.each<[string, SpotChoices, string[]]>([
    [
      "G, with the largest type for all",
      { instanceTypes: ["g6.2xlarge", "g6.8xlarge", "g6.4xlarge"] },
      [text("g6.8xlarge", `30 x 32 = 960 ${spotOfG}; 40 x 32 = 1280 ${onDemandOfG}`)],
    ],
    [
      "64 of the largest G5, both groups together",
      { instanceTypes: ["g5.48xlarge"], maxNodes: 64 },
      [text("g5.48xlarge", `49 x 192 = 9408 ${spotOfG}; 64 x 192 = 12288 ${onDemandOfG}`)],
    ],
    [
      "all of them Spot, and all of them standing in",
      { instanceTypes: ["g5.48xlarge"], maxNodes: 64, onDemandBase: 0, spotPercentage: 100 },
      [text("g5.48xlarge", `64 x 192 = 12288 ${spotOfG}; 64 x 192 = 12288 ${onDemandOfG}`)],
    ],
    [
      "P5",
      { instanceTypes: ["p5.48xlarge"], maxNodes: 12 },
      [
        text(
          "p5.48xlarge",
          `8 x 192 = 1536 vCPUs of All P5 Spot Instance Requests (L-C4BD4855); 12 x 192 = 2304 ${onDemandOfP}`,
        ),
      ],
    ],
    [
      "P4",
      { instanceTypes: ["p4d.24xlarge"], maxNodes: 7 },
      [
        text(
          "p4d.24xlarge",
          `4 x 96 = 384 vCPUs of All P4, P3 and P2 Spot Instance Requests (L-7212CCBC); 7 x 96 = 672 ${onDemandOfP}`,
        ),
      ],
    ],
    [
      "P6, of whose Spot quota sources disagree",
      { instanceTypes: ["p6-b200.48xlarge"], maxNodes: 12 },
      [text("p6-b200.48xlarge", `8 x 192 = 1536 vCPUs of the Spot quota of its class; 12 x 192 = 2304 ${onDemandOfP}`)],
    ],
    [
      "Trainium",
      { instanceTypes: ["trn1.32xlarge"], maxNodes: 12 },
      [
        text(
          "trn1.32xlarge",
          "8 x 128 = 1024 vCPUs of All Trn Spot Instance Requests (L-6B0D517C); 12 x 128 = 1536 vCPUs of Running On-Demand Trn instances (L-2C3B7624)",
        ),
      ],
    ],
    [
      "Inferentia",
      { instanceTypes: ["inf2.xlarge", "inf2.8xlarge"], maxNodes: 12 },
      [
        text(
          "inf2.8xlarge",
          "8 x 32 = 256 vCPUs of All Inf Spot Instance Requests (L-B5D1601B); 12 x 32 = 384 vCPUs of Running On-Demand Inf instances (L-1945791B)",
        ),
      ],
    ],
    [
      "no Spot, and nothing is said of its quota",
      { spotPercentage: 0 },
      [text("g6.8xlarge", `41 x 32 = 1312 ${onDemandOfG}`)],
    ],
    [
      "a class that is newer than the library",
      { instanceTypes: ["x9.48xlarge"], customTypes: [customType("x9.48xlarge")] },
      [],
    ],
  ])("%s", (_, choices, warnings) => expect(quotasOf(choices)).toEqual(warnings));
});

describe("nothing that is ever Spot", () => {
  const text = (nodes: number, base: number, percentage: number) =>
    `spotPercentage: no node of ${nodes} is ever Spot (the first ${base}, and ${percentage} % of the others, are On-Demand). Raise maxNodes or spotPercentage, or use an ElasticGpuNodePool`;

  test.each<[string, SpotChoices, string[]]>([
    [
      "by percentage, which leaves nothing to say of Spot pools",
      { spotPercentage: 0, instanceTypes: ["g6.2xlarge"] },
      [text(40, 2, 100)],
    ],
    ["by the base", { onDemandBase: 40 }, [text(40, 40, 20)]],
    ["by the default base", { maxNodes: 2 }, [text(2, 2, 20)]],
    ["by rounding", { maxNodes: 3 }, [text(3, 2, 20)]],
    ["one that is", { maxNodes: 4 }, []],
  ])("%s", (_, choices, warnings) => expect(warningsBesideQuotas(choices)).toEqual(warnings));
});

describe("nodes that cannot tell how they were bought", () => {
  const text = (why: string) =>
    `image: nodes get no label node-lifecycle, since ${why}: placeholders and spread constraints cannot tell Spot from On-Demand. Use EKS's AL2023 where that matters`;
  const imageId = "ami-0123456789abcdef0";

  test.each<[string, NodeImage, string[]]>([
    [
      "Bottlerocket",
      NodeImage.bottlerocketNvidia(),
      [text("Bottlerocket has no script that asks the metadata service")],
    ],
    [
      "an image that joins by itself",
      NodeImage.custom({ imageId, join: JoinMethod.ownUserData() }),
      [text("an image that joins by its own user data sets its labels itself")],
    ],
    ["an image of your own that nodeadm configures", NodeImage.custom({ imageId, join: JoinMethod.nodeadm() }), []],
  ])("%s", (_, image, warnings) => expect(warningsBesideQuotas({ image })).toEqual(warnings));

  test("are none where all are bought alike, since the pool gives them the label", () => {
    const image = NodeImage.bottlerocketNvidia();
    expect(warningsBesideQuotas({ image, onDemandBase: 0, spotPercentage: 100 })).toEqual([]);
  });
});

describe("reserved instances that no node can use", () => {
  const reservationId = "cr-0123456789abcdef0";
  const of = (instanceCount: number) => Capacity.reservation({ reservationId, instanceCount });
  const unsized = Capacity.reservation({ reservationId });
  const ofGroup = Capacity.reservationGroup({
    resourceGroupArn: "arn:aws:resource-groups:us-east-1:111122223333:group/gpus",
  });
  const never =
    "baseCapacity: instances reserved can never be used, and are paid for, since all of 40 nodes are Spot. Raise onDemandBase, or lower spotPercentage";

  test.each<[string, SpotChoice, string[]]>([
    [
      "more than are On-Demand at the most",
      { baseCapacity: of(15) },
      [
        "baseCapacity: 5 of 15 instances reserved can never be used, and are paid for, since 10 of 40 nodes are not Spot. Raise onDemandBase, or lower spotPercentage",
      ],
    ],
    ["as many as are", { baseCapacity: of(10) }, []],
    ["none is ever On-Demand", { onDemandBase: 0, spotPercentage: 100, baseCapacity: of(15) }, [never]],
    [
      "none is, and nobody said how many there are",
      { onDemandBase: 0, spotPercentage: 100, baseCapacity: unsized },
      [never],
    ],
    [
      "none is, and nobody knows how many there are",
      (stack) => ({ onDemandBase: 0, spotPercentage: 100, baseCapacity: of(numberToken(stack)) }),
      [never],
    ],
    ["none is, of a group", { onDemandBase: 0, spotPercentage: 100, baseCapacity: ofGroup }, [never]],
    [
      "none is, and nothing is reserved",
      { onDemandBase: 0, spotPercentage: 100, baseCapacity: Capacity.onDemand() },
      [],
    ],
    ["a group that nobody said the size of", { baseCapacity: ofGroup }, []],
    ["nobody knows how many", (stack) => ({ baseCapacity: of(numberToken(stack)) }), []],
  ])("%s", (_, choices, warnings) => expect(warningsBesideQuotas(choices)).toEqual(warnings));
});

describe("a mixed group that is always full, from which no return begins", () => {
  const text =
    "minNodes: a mixed group that always has maxNodes is always full, and no node that stands in is taken back before it is idle. Raise maxNodes, or lower minNodes";

  test.each<[string, SpotChoice, string[]]>([
    ["by its least nodes", { minNodes: 40 }, [text]],
    ["not quite", { minNodes: 39 }, []],
    ["where nothing is to return", { minNodes: 40, fallback: { returnToSpot: SpotReturn.off() } }, []],
    ["as Terraform may fill in", (stack) => ({ minNodes: numberToken(stack) }), []],
  ])("%s", (_, choices, warnings) => expect(warningsBesideQuotas(choices)).toEqual(warnings));
});

test("what nobody installs is said once for both groups, each with the line that mends it", () => {
  const warnings = warningsOf((stack) => addSpot(stack)).filter((warning) => warning.includes("nobody installs"));
  expect(warnings).toEqual([
    "test/pool: nobody installs cluster-autoscaler: no node is ever added or taken away. " +
      'Add new ClusterAutoscaler(stack, "autoscaler", { cluster }), or say cluster.alreadyHas(Addon.CLUSTER_AUTOSCALER)',
    "test/pool: nobody installs nvidia-device-plugin: nodes offer no nvidia.com/gpu, and pods that ask for it wait for ever. " +
      'Add new NvidiaDevicePlugin(stack, "device-plugin", { cluster }), or say cluster.alreadyHas(Addon.NVIDIA_DEVICE_PLUGIN)',
    "test/pool: nobody installs aws-node-termination-handler: nodes are not drained before their instances end, and a lifecycle hook holds each for its whole heartbeat. " +
      'Add new NodeTerminationHandler(stack, "termination-handler", { cluster }), or say cluster.alreadyHas(Addon.NODE_TERMINATION_HANDLER)',
  ]);
});

test("all that is to be said of a pool is said once, however many such things there are", () => {
  const warnings = warningsOf((stack) => {
    new KubernetesProvider(stack, "kubernetes", {});
    addSpot(stack, {
      instanceTypes: ["g6.2xlarge"],
      image: NodeImage.bottlerocketNvidia(),
      headroom: Headroom.nodes(1),
    });
  });
  expect(new Set(warnings).size).toBe(warnings.length);
  const starts = ["instanceTypes: 1 type", "image: nodes get no label", "maxNodes: the account"];
  for (const start of starts) {
    expect(warnings.filter((warning) => warning.startsWith(`test/pool: ${start}`))).toHaveLength(1);
  }
});
