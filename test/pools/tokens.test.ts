import { TerraformStack, TerraformVariable } from "cdktf";
import {
  Capacity,
  ClusterPlacement,
  GpuSharing,
  JoinMethod,
  NodeGroupType,
  NodeImage,
  NodeRepair,
  NodeRole,
  NodeTaint,
  UpdatePolicy,
  UserData,
  VolumeEncryption,
  VolumeType,
  Workload,
} from "cdktf-elastic-gpu";
import {
  addPool,
  autoscalingTags,
  clusterAttributes,
  clusterOf,
  PoolChoices,
  refusalOf,
  synthPool,
} from "../support/pool";
import { inPool, listToken, mapToken, numberToken, Refusal, textToken } from "../support/samples";
import { Json, problemsOf, resources, synth, theOne } from "../support/synth";

type Choice = (stack: TerraformStack) => PoolChoices;
const availabilityZones = ["us-east-1a"];
const reservationId = "cr-0123456789abcdef0";
const custom = (more: object) =>
  NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.nodeadm(), ...more });

/** What becomes of a token that was written as text, or of a number that stands for one. */
const LEFTOVERS = /TfToken|e\+\d{2,}/;

describe("a scalar that only Terraform knows is passed on unchecked", () => {
  test.each<[string, Choice, string]>([
    ["name", (stack) => ({ name: textToken(stack) }), "var.text"],
    ["minNodes", (stack) => ({ minNodes: numberToken(stack) }), "var.number"],
    ["maxNodes", (stack) => ({ maxNodes: numberToken(stack) }), "var.number"],
    ["desiredNodes", (stack) => ({ desiredNodes: numberToken(stack) }), "var.number"],
    ["workload", (stack) => ({ workload: Workload.named(textToken(stack)) }), "var.text"],
    ["a label's value", (stack) => ({ labels: { team: textToken(stack) } }), "var.text"],
    ["a taint's value", (stack) => ({ taints: [NodeTaint.noSchedule("team", textToken(stack))] }), "var.text"],
    ["a tag's value", (stack) => ({ tags: { team: textToken(stack) } }), "var.text"],
    ["costAllocation", (stack) => ({ costAllocation: { team: textToken(stack) } }), "var.text"],
    ["securityGroupIds", (stack) => ({ securityGroupIds: [textToken(stack)] }), "var.text"],
    ["imdsHopLimit", (stack) => ({ imdsHopLimit: numberToken(stack) }), "var.number"],
    ["rootVolume.sizeGib", (stack) => ({ rootVolume: { sizeGib: numberToken(stack) } }), "var.number"],
    ["rootVolume.iops", (stack) => ({ rootVolume: { iops: numberToken(stack) } }), "var.number"],
    ["rootVolume.throughputMibps", (stack) => ({ rootVolume: { throughputMibps: numberToken(stack) } }), "var.number"],
    [
      "a size beside IOPS",
      (stack) => ({ rootVolume: { volumeType: VolumeType.IO2, iops: 50000, sizeGib: numberToken(stack) } }),
      "var.number",
    ],
    ["a key", (stack) => ({ rootVolume: { encryption: VolumeEncryption.customerKey(textToken(stack)) } }), "var.text"],
    ["a custom image", (stack) => ({ image: custom({ imageId: textToken(stack) }) }), "var.text"],
    ["a custom image's device", (stack) => ({ image: custom({ rootDeviceName: textToken(stack) }) }), "var.text"],
    [
      "a release of a managed group",
      (stack) => ({ image: NodeImage.al2023Nvidia({ releaseVersion: textToken(stack) }) }),
      "var.text",
    ],
    ["a role", (stack) => ({ nodeRole: NodeRole.existing({ roleArn: textToken(stack) }) }), "var.text"],
    ["a policy", (stack) => ({ nodeRole: NodeRole.own({ managedPolicyArns: [textToken(stack)] }) }), "var.text"],
    ["updatePolicy", (stack) => ({ updatePolicy: UpdatePolicy.maxUnavailable(numberToken(stack)) }), "var.number"],
    [
      "nodeRepair",
      (stack) => ({ nodeRepair: NodeRepair.enabled({ maxParallelNodes: numberToken(stack) }) }),
      "var.number",
    ],
    [
      "a placement group",
      (stack) => ({ availabilityZones, placement: ClusterPlacement.existing(textToken(stack)) }),
      "var.text",
    ],
    [
      "a reservation",
      (stack) => ({ availabilityZones, capacity: Capacity.reservation({ reservationId: textToken(stack) }) }),
      "var.text",
    ],
    [
      "a group of reservations",
      (stack) => ({ capacity: Capacity.reservationGroup({ resourceGroupArn: textToken(stack) }) }),
      "var.text",
    ],
    ["user data", (stack) => ({ userData: [UserData.shell(`#!/bin/bash\necho ${textToken(stack)}`)] }), "var.text"],
  ])("%s", (_, choices, reference) => {
    const { json } = synthPool(choices);
    const text = JSON.stringify(json);
    expect(text).toContain(reference);
    expect(text).not.toMatch(LEFTOVERS);
  });

  test("also in a self-managed group, whose nodes give themselves labels and taints", () => {
    const { json } = synthPool((stack) => ({
      nodeGroupType: NodeGroupType.SELF_MANAGED,
      name: textToken(stack),
      minNodes: numberToken(stack),
      labels: { team: textToken(stack, "team") },
      taints: [NodeTaint.noSchedule("team", textToken(stack, "taint"))],
      nodeRole: NodeRole.existing({ roleArn: textToken(stack, "role"), roleName: textToken(stack, "role-name") }),
    }));
    expect(JSON.stringify(json)).not.toMatch(LEFTOVERS);
    expect(theOne(json, "aws_autoscaling_group")).toMatchObject({ min_size: "${var.number}", name: "${var.text}" });
    expect(autoscalingTags(json)).toMatchObject({
      "k8s.io/cluster-autoscaler/node-template/label/team": "${var.team}",
      "k8s.io/cluster-autoscaler/node-template/taint/team": "${var.taint}:NoSchedule",
    });
  });

  test("a count is not held against a size that is not known", () => {
    const capacity = (instanceCount: number) => Capacity.reservation({ reservationId, instanceCount });
    const pools: Choice[] = [
      (stack) => ({ availabilityZones, maxNodes: 9, capacity: capacity(numberToken(stack)) }),
      (stack) => ({ availabilityZones, maxNodes: numberToken(stack), capacity: capacity(2) }),
    ];
    expect(pools.map((choices) => synthPool(choices).warnings)).toEqual([[], []]);
  });

  test("a volume of unknown size is not in the tags, for nobody could check the sum", () => {
    const { json } = synthPool((stack) => ({ rootVolume: { sizeGib: numberToken(stack) } }));
    expect(Object.keys(autoscalingTags(json)).filter((key) => key.includes("ephemeral-storage"))).toEqual([]);
  });
});

describe("a cluster of which Terraform knows more", () => {
  const ofVariables = (stack: TerraformStack) => {
    const text = (name: string): string => new TerraformVariable(stack, name, { type: "string" }).stringValue;
    return {
      clusterName: text("name"),
      kubernetesVersion: text("version"),
      endpoint: text("endpoint"),
      certificateAuthority: text("ca"),
      serviceCidr: text("cidr"),
      clusterSecurityGroupId: text("sg"),
      vpcId: text("vpc"),
      subnets: [{ subnetId: text("subnet"), availabilityZone: "us-east-1a" }],
    };
  };

  test.each([NodeGroupType.MANAGED, NodeGroupType.SELF_MANAGED])("takes %s pools", (nodeGroupType) => {
    const { json } = synth((stack) => addPool(stack, { cluster: clusterOf(stack, ofVariables(stack)), nodeGroupType }));
    expect(JSON.stringify(json)).not.toMatch(LEFTOVERS);
    if (nodeGroupType === NodeGroupType.SELF_MANAGED) {
      expect(autoscalingTags(json)).toMatchObject({ "k8s.io/cluster-autoscaler/${var.name}": "owned" });
      expect(theOne(json, "data.aws_ssm_parameter").name).toContain("/${var.version}/");
      const { user_data: userData } = theOne(json, "aws_launch_template") as Json;
      expect(userData).toMatch(/^\$\{base64encode\(/);
      expect(userData).toContain("var.endpoint");
    } else {
      expect(theOne(json, "aws_eks_node_group")).toMatchObject({
        cluster_name: "${var.name}",
        version: "${var.version}",
        subnet_ids: ["${var.subnet}"],
      });
    }
  });

  test("may have several subnets that are not known", () => {
    const { json } = synth((stack) => {
      const subnets = ["a", "b"].map((zone) => ({
        subnetId: textToken(stack, `subnet-${zone}`),
        availabilityZone: `us-east-1${zone}`,
      }));
      const cluster = clusterOf(stack, { subnets });
      addPool(stack, { cluster, subnetIds: [subnets[1]!.subnetId] });
    });
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toEqual(["${var.subnet-b}"]);
  });

  test("with two unknown subnets in a zone wants one chosen", () => {
    const text = problemsOf((stack) => {
      const subnets = ["a", "b"].map((name) => ({ subnetId: textToken(stack, name), availabilityZone: "us-east-1a" }));
      addPool(stack, { cluster: clusterOf(stack, { subnets }) });
    });
    expect(text).toBe(
      "test/pool: subnetIds: must choose one of the subnets in us-east-1a, because an Auto Scaling group would take either, got: a token and a token. Name the subnet of each zone in subnetIds",
    );
  });
});

describe("what decides how much is made must be known", () => {
  const list = (property: string) =>
    `${property}: must be a list that is written out; its members may be tokens, got: a token. List the members one by one`;
  const map = (property: string) =>
    `${property}: must be a map that is written out; its values may be tokens, got: a token. Write its keys and values out`;
  const types =
    "instanceTypes: must be literal texts, because GPUs, network interfaces and tags are read off them, got: a token. Choose the types in the program";
  const zones =
    "availabilityZones: must be literal texts, because they decide which subnets the pool has, got: a token. Write the zones out";
  const sharing =
    "sharing: must have literal replicas or profile, because the count of GPUs that nodes offer follows from it, got: a token. Write it out";

  test.each<Refusal>([
    ["a type", (stack: TerraformStack) => ({ instanceTypes: [textToken(stack)] }), [types]],
    ["a list of types", (stack: TerraformStack) => ({ instanceTypes: listToken(stack) }), [types]],
    ["a list of zones", (stack: TerraformStack) => ({ availabilityZones: listToken(stack) }), [zones]],
    ["a list of subnets", (stack: TerraformStack) => ({ subnetIds: listToken(stack) }), [list("subnetIds")]],
    [
      "a list of security groups",
      (stack: TerraformStack) => ({ securityGroupIds: listToken(stack) }),
      [list("securityGroupIds")],
    ],
    [
      "a list of policies",
      (stack: TerraformStack) => ({ nodeRole: NodeRole.own({ managedPolicyArns: listToken(stack) }) }),
      [list("nodeRole.managedPolicyArns")],
    ],
    ["a map of labels", (stack: TerraformStack) => ({ labels: mapToken(stack) }), [map("labels")]],
    ["a map of tags", (stack: TerraformStack) => ({ tags: mapToken(stack) }), [map("tags")]],
    [
      "replicas",
      (stack: TerraformStack) => ({ sharing: GpuSharing.timeSlicing({ replicas: numberToken(stack) }) }),
      [sharing],
    ],
    [
      "a profile",
      (stack: TerraformStack) => ({ instanceTypes: ["p5.48xlarge"], sharing: GpuSharing.mig(textToken(stack)) }),
      [sharing],
    ],
    [
      "the type of the group",
      (stack: TerraformStack) => ({ nodeGroupType: textToken(stack) }),
      ["nodeGroupType: must be one of managed, self-managed, got: a token. Choose one of them"],
    ],
    [
      "the effect of the workload's taint",
      (stack: TerraformStack) => ({ workload: Workload.training(), workloadTaint: textToken(stack) }),
      ["workloadTaint: must be one of NoSchedule, PreferNoSchedule, NoExecute, got: a token. Choose one of them"],
    ],
    [
      "the type of the volume",
      (stack: TerraformStack) => ({ rootVolume: { volumeType: textToken(stack) } }),
      ["rootVolume.volumeType: must be VolumeType.GP3 or VolumeType.IO2, got: a token. Choose one of them"],
    ],
    [
      "minutes that become part of a tag",
      (stack: TerraformStack) => ({ scaleDown: { unneededMinutes: numberToken(stack) } }),
      [
        "scaleDown.unneededMinutes: must be a whole number of minutes of at least 1, got: a token. It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own",
      ],
    ],
    [
      "a choice",
      (stack: TerraformStack) => ({ capacity: textToken(stack) }),
      [
        "capacity: must be made by Capacity.onDemand(), .spot(), .reservation(), .reservationGroup() or .capacityBlock(), got: a token. Call one of them",
      ],
    ],
  ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));

  test("the id", () => {
    expect(problemsOf((stack) => addPool(stack, {}, `pool-${textToken(stack)}-${numberToken(stack)}`))).toBe(
      "test/pool-<token>-<token>: id: must be a literal text, got: a token. Use a name that is known when the program runs",
    );
  });
});

test("tokens leave the addresses as they are", () => {
  const idsOf = (choices: Choice) => Object.keys(resources(synthPool(choices).json, "aws_launch_template"));
  expect(idsOf((stack) => ({ name: textToken(stack), maxNodes: numberToken(stack) }))).toEqual(idsOf(() => ({})));
  const { json } = synth((stack) => {
    addPool(stack, { cluster: clusterOf(stack, { clusterName: textToken(stack), vpcId: clusterAttributes.vpcId }) });
  });
  expect(Object.keys(resources(json, "aws_launch_template"))).toEqual(idsOf(() => ({})));
});
