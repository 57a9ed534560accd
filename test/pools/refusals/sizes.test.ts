import { TerraformStack } from "cdktf";
import { NodeAccess, NodeGroupType, NodeRepair, NodeRole, UpdatePolicy } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal, textToken } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("sizes", () => {
    test.each<Refusal>([
      [
        "more least than most nodes",
        { minNodes: 3, maxNodes: 1 },
        [
          "minNodes: must not be above maxNodes, got: minNodes 3, desiredNodes 3, maxNodes 1. Lower minNodes or raise maxNodes",
        ],
      ],
      [
        "a start above the most nodes",
        { maxNodes: 4, desiredNodes: 9 },
        [
          "desiredNodes: must not be above maxNodes, got: minNodes 0, desiredNodes 9, maxNodes 4. Lower desiredNodes or raise maxNodes",
        ],
      ],
      [
        "a start below the least nodes",
        { minNodes: 2, desiredNodes: 0 },
        [
          "desiredNodes: must not be below minNodes, got: minNodes 2, desiredNodes 0, maxNodes 4. Leave it out to start at minNodes",
        ],
      ],
      [
        "no node at all",
        { maxNodes: 0 },
        ["maxNodes: must be a whole number of at least 1, got: 0. Set it to the most nodes that may ever run at once"],
      ],
      [
        "a negative most",
        { maxNodes: -1 },
        ["maxNodes: must be a whole number of at least 1, got: -1. Set it to the most nodes that may ever run at once"],
      ],
      [
        "a fraction of a node",
        { maxNodes: 1.5 },
        [
          "maxNodes: must be a whole number of at least 1, got: 1.5. Set it to the most nodes that may ever run at once",
        ],
      ],
      [
        "endlessly many nodes",
        { maxNodes: Infinity },
        [
          "maxNodes: must be a whole number of at least 1, got: Infinity. Set it to the most nodes that may ever run at once",
        ],
      ],
      [
        "no number",
        { maxNodes: NaN },
        [
          "maxNodes: must be a whole number of at least 1, got: NaN. Set it to the most nodes that may ever run at once",
        ],
      ],
      [
        "a number in quotes",
        { maxNodes: "3" },
        [
          'maxNodes: must be a whole number of at least 1, got: "3". Set it to the most nodes that may ever run at once',
        ],
      ],
      [
        "no most",
        { maxNodes: undefined },
        [
          "maxNodes: must be a whole number of at least 1, got: undefined. Set it to the most nodes that may ever run at once",
        ],
      ],
      [
        "a negative least",
        { minNodes: -1 },
        ["minNodes: must be a whole number of at least 0, got: -1. Leave it out for a pool that grows from zero"],
      ],
      [
        "a fraction as least",
        { minNodes: 0.5 },
        ["minNodes: must be a whole number of at least 0, got: 0.5. Leave it out for a pool that grows from zero"],
      ],
      [
        "a negative start",
        { desiredNodes: -2 },
        ["desiredNodes: must be a whole number of at least 0, got: -2. Leave it out to start at minNodes"],
      ],
      [
        "more than a number holds exactly",
        { maxNodes: 2 ** 53 },
        [
          "maxNodes: must be a whole number of at least 1, got: 9007199254740992. Set it to the most nodes that may ever run at once",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("names", () => {
    test.each<Refusal>([
      [
        "a name too short for a launch template",
        { name: "ab" },
        [
          'name: must be at least 3 letters, digits, hyphens and underscores that start with a letter or a digit, got: "ab". Correct it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "a name that begins with a hyphen",
        { name: "-gpu-pool" },
        [
          'name: must be at least 3 letters, digits, hyphens and underscores that start with a letter or a digit, got: "-gpu-pool". Correct it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "a name with a dot",
        { name: "gpu.pool" },
        [
          'name: must be at least 3 letters, digits, hyphens and underscores that start with a letter or a digit, got: "gpu.pool". Correct it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "an empty name",
        { name: "" },
        [
          'name: must be at least 3 letters, digits, hyphens and underscores that start with a letter or a digit, got: "". Correct it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "a name too long for the role that is named after it",
        { name: "n".repeat(60) },
        [
          'name: must have at most 59 characters, because the node role is named <name>-node and takes 64, got: "60 characters". Shorten it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "a name too long for a node group and its role",
        { name: "n".repeat(64) },
        [
          'name: must have at most 59 characters, because the node role is named <name>-node and takes 64, got: "64 characters". Shorten it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "a name too long for a node group with a role of somebody else's",
        { name: "n".repeat(64), nodeRole: NodeRole.existing({ roleArn: "arn:aws:iam::111122223333:role/node" }) },
        [
          'name: must have at most 63 characters, because a managed node group is named so and takes 63, got: "64 characters". Shorten it, or leave it out for a name from the construct path',
        ],
      ],
      [
        "a name too long for everything of a self-managed group",
        { name: "n".repeat(256), nodeGroupType: NodeGroupType.SELF_MANAGED },
        [
          'name: must have at most 46 characters, because the node role is named <name>-self-managed-node and takes 64, got: "256 characters". Shorten it, or leave it out for a name from the construct path',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("the group", () => {
    test.each<Refusal>([
      [
        "a property that does not exist",
        { minSize: 1 },
        ["minSize: is not a property of this construct. Correct its name, or remove it"],
      ],
      [
        "an unknown type of group",
        { nodeGroupType: "fargate" },
        ['nodeGroupType: must be one of managed, self-managed, got: "fargate". Choose one of them'],
      ],
      [
        "a policy for self-managed groups on a managed one",
        { updatePolicy: UpdatePolicy.newNodesOnly() },
        [
          "updatePolicy: must be UpdatePolicy.maxUnavailable() or .maxUnavailablePercentage() for a managed node group, which EKS always updates. Use one of them",
        ],
      ],
      [
        "an instance refresh of a managed group",
        { updatePolicy: UpdatePolicy.instanceRefresh() },
        [
          "updatePolicy: must be UpdatePolicy.maxUnavailable() or .maxUnavailablePercentage() for a managed node group, which EKS always updates. Use one of them",
        ],
      ],
      [
        "a policy for managed groups on a self-managed one",
        { nodeGroupType: NodeGroupType.SELF_MANAGED, updatePolicy: UpdatePolicy.maxUnavailable(2) },
        [
          "updatePolicy: must be UpdatePolicy.newNodesOnly() or .instanceRefresh() for a self-managed group. Use one of them",
        ],
      ],
      [
        "no node at a time",
        { updatePolicy: UpdatePolicy.maxUnavailable(0) },
        [
          "updatePolicy.maxUnavailable: must be a whole number from 1 to 100, got: 0. Fewer at a time keep more capacity, more are faster",
        ],
      ],
      [
        "more nodes at a time than EKS takes",
        { updatePolicy: UpdatePolicy.maxUnavailable(101) },
        [
          "updatePolicy.maxUnavailable: must be a whole number from 1 to 100, got: 101. Fewer at a time keep more capacity, more are faster",
        ],
      ],
      [
        "more than all nodes at a time",
        { updatePolicy: UpdatePolicy.maxUnavailablePercentage(101) },
        [
          "updatePolicy.maxUnavailablePercentage: must be a whole number from 1 to 100, got: 101. Fewer at a time keep more capacity, more are faster",
        ],
      ],
      [
        "a share above all",
        {
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          updatePolicy: UpdatePolicy.instanceRefresh({ minHealthyPercentage: 101 }),
        },
        [
          "updatePolicy.minHealthyPercentage: must be a whole number from 0 to 100, got: 101. Fewer at a time keep more capacity, more are faster",
        ],
      ],
      [
        "repair of a self-managed group",
        { nodeGroupType: NodeGroupType.SELF_MANAGED, nodeRepair: NodeRepair.enabled() },
        ["nodeRepair: must be left out for a self-managed group, which EKS does not repair. Remove it"],
      ],
      [
        "a fraction of a node repaired",
        { nodeRepair: NodeRepair.enabled({ maxParallelNodes: 0.5 }) },
        ["nodeRepair.maxParallelNodes: must be a whole number of at least 1, got: 0.5. Leave it out and EKS decides"],
      ],
      [
        "repair that stops before it starts",
        { nodeRepair: NodeRepair.enabled({ maxUnhealthyNodes: 0 }) },
        ["nodeRepair.maxUnhealthyNodes: must be a whole number of at least 1, got: 0. Leave it out and EKS decides"],
      ],
      [
        "no minute unneeded",
        { scaleDown: { unneededMinutes: 0 } },
        [
          "scaleDown.unneededMinutes: must be a whole number of minutes of at least 1, got: 0. It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own",
        ],
      ],
      [
        "a fraction of a minute unready",
        { scaleDown: { unreadyMinutes: 2.5 } },
        [
          "scaleDown.unreadyMinutes: must be a whole number of minutes of at least 1, got: 2.5. It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own",
        ],
      ],
      [
        "a threshold in per cent",
        { scaleDown: { gpuUtilizationThreshold: 50 } },
        [
          "scaleDown.gpuUtilizationThreshold: must be a number from 0 to 1, got: 50. It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own",
        ],
      ],
      [
        "an unknown scale-down option",
        { scaleDown: { unneededTime: 5 } },
        ["scaleDown.unneededTime: is not a property of this construct. Correct its name, or remove it"],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("the role", () => {
    test.each<Refusal>([
      [
        "a role by name",
        { nodeRole: NodeRole.existing({ roleArn: "node" }) },
        ['nodeRole.roleArn: must be the ARN of a role, got: "node". Give arn:aws:iam::<account>:role/<name>'],
      ],
      [
        "an access entry for a managed group",
        {
          nodeRole: NodeRole.existing({
            roleArn: "arn:aws:iam::111122223333:role/node",
            access: NodeAccess.HAS_ACCESS_ENTRY,
          }),
        },
        ["nodeRole.access: must be left out for a managed node group, whose access entry EKS makes. Leave it out"],
      ],
      [
        "a policy by name",
        { nodeRole: NodeRole.own({ managedPolicyArns: ["AmazonSSMManagedInstanceCore"] }) },
        [
          'nodeRole.managedPolicyArns[0]: must be the ARN of a managed policy, got: "AmazonSSMManagedInstanceCore". Give arn:aws:iam::aws:policy/<name> or one of your account',
        ],
      ],
      [
        "a role as token without its name",
        (stack: TerraformStack) => ({
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          nodeRole: NodeRole.existing({ roleArn: textToken(stack) }),
        }),
        [
          "nodeRole.roleName: must be given where roleArn is a token, because the instance profile of a self-managed group needs it, got: undefined. Pass the role's name",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("the metadata service", () => {
    test.each<Refusal>([
      [
        "no hop",
        { imdsHopLimit: 0 },
        [
          "imdsHopLimit: must be a whole number from 1 to 64, got: 0. 1 keeps pods from the node's role, 2 lets them reach it",
        ],
      ],
      [
        "more hops than EC2 takes",
        { imdsHopLimit: 65 },
        [
          "imdsHopLimit: must be a whole number from 1 to 64, got: 65. 1 keeps pods from the node's role, 2 lets them reach it",
        ],
      ],
      [
        "half a hop",
        { imdsHopLimit: 1.5 },
        [
          "imdsHopLimit: must be a whole number from 1 to 64, got: 1.5. 1 keeps pods from the node's role, 2 lets them reach it",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
