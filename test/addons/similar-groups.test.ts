import { Capacity, ClusterAutoscaler, NodeGroupType } from "cdktf-elastic-gpu";
import { IGNORED_LABELS } from "../../lib/addons/cluster-autoscaler/flags";
import { synthInCluster } from "../support/addon";
import { addPool, autoscalingTags, PoolChoices } from "../support/pool";
import { allOf, Json } from "../support/synth";

/** What the autoscaler compares of an empty group's node. */
interface Template {
  readonly type: string;
  readonly labels: Record<string, string>;
  readonly resources: Record<string, string>;
}

/** Labels that it leaves out by itself (processors/nodegroupset: BasicIgnoredLabels and those for AWS). */
const IGNORED_ANYWAY = [
  "kubernetes.io/hostname",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "beta.kubernetes.io/fluentd-ds-ready",
  "kops.k8s.io/instancegroup",
  "topology.ebs.csi.aws.com/zone",
  "alpha.eksctl.io/instance-id",
  "alpha.eksctl.io/nodegroup-name",
  "eks.amazonaws.com/nodegroup",
  "k8s.amazonaws.com/eniConfig",
  "lifecycle",
];

/**
 * Its rule (IsCloudProviderNodeInfoSimilar): the same resources in the same amounts, and the same labels with the same
 * values, those that are ignored aside. Capacity and memory, which may differ a little, follow from the type here.
 */
function areSimilar(one: Template, other: Template, ignored: string[]): boolean {
  const compared = ({ type, labels, resources }: Template): string =>
    JSON.stringify([
      type,
      Object.entries(resources).sort(),
      Object.entries(labels)
        .filter(([key]) => !ignored.includes(key))
        .sort(),
    ]);
  return compared(one) === compared(other);
}

function templateOf(choices: PoolChoices): Template {
  const { json } = synthInCluster((stack, cluster) => {
    addPool(stack, choices);
    new ClusterAutoscaler(stack, "autoscaler", { cluster });
  });
  const prefix = "k8s.io/cluster-autoscaler/node-template/";
  const under = (kind: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(autoscalingTags(json))
        .filter(([key]) => key.startsWith(`${prefix}${kind}/`))
        .map(([key, value]) => [key.slice(`${prefix}${kind}/`.length), value]),
    );
  return { type: typeOf(json), labels: under("label"), resources: under("resources") };
}

function typeOf(json: Json): string {
  const [managed] = allOf(json, "aws_eks_node_group");
  const [template] = allOf(json, "aws_launch_template");
  const [group] = allOf(json, "aws_autoscaling_group");
  const [override] = group?.mixed_instances_policy?.launch_template.override ?? [];
  return managed?.instance_types?.[0] ?? template?.instance_type ?? override?.instance_type;
}

const zoned = (zone: string): PoolChoices => ({ availabilityZones: [zone] });
const reservation = { reservationId: "cr-0123456789abcdef0", instanceCount: 4 };

/** Groups of one type, as many as there are ways to buy it, in two zones and of both kinds. */
const groups: [string, PoolChoices][] = (["us-east-1a", "us-east-1b"] as const).flatMap(
  (zone): [string, PoolChoices][] =>
    [NodeGroupType.MANAGED, NodeGroupType.SELF_MANAGED].flatMap((nodeGroupType): [string, PoolChoices][] => [
      ["on-demand", { ...zoned(zone), nodeGroupType }],
      ["spot", { ...zoned(zone), nodeGroupType, capacity: Capacity.spot() }],
      ["reserved", { ...zoned(zone), nodeGroupType, capacity: Capacity.reservation(reservation) }],
    ]),
);
const templates = groups.map(([tier, choices]) => ({ tier, template: templateOf(choices) }));
const pairs = templates.flatMap((one, index) => templates.slice(index + 1).map((other) => [one, other] as const));
const ignored = [...IGNORED_ANYWAY, ...IGNORED_LABELS];

test("groups of different tiers are never similar, however much else they share", () => {
  for (const [one, other] of pairs.filter(([one, other]) => one.tier !== other.tier)) {
    expect(areSimilar(one.template, other.template, ignored)).toBe(false);
    // Nothing but the tier's label keeps them apart.
    expect(areSimilar(one.template, other.template, [...ignored, "node-tier"])).toBe(true);
  }
});

test("groups of one tier in different zones are similar, and so are balanced", () => {
  const alike = pairs.filter(([one, other]) => one.tier === other.tier);
  expect(alike).toHaveLength(18);
  for (const [one, other] of alike) {
    expect(areSimilar(one.template, other.template, ignored)).toBe(true);
  }
});

test("the label of the tier is not among those that the autoscaler is told to ignore", () => {
  expect(IGNORED_LABELS).not.toContain("node-tier");
  expect(IGNORED_LABELS.some((label) => label.startsWith("eks.amazonaws.com/capacityType"))).toBe(false);
});
