import { TerraformStack } from "cdktf";
import { NodeGroupType, NodeTaint, TaintEffect, Workload } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal, textToken } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("labels", () => {
    test.each<Refusal>([
      [
        "a value too long",
        { labels: { pool: "x".repeat(64) } },
        [
          'labels["pool"]: must have a value of at most 63 letters, digits, hyphens, underscores and dots that starts and ends with a letter or a digit, got: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx". Shorten it: it has 64 characters',
        ],
      ],
      [
        "a role of nodes",
        { labels: { "node-role.kubernetes.io/gpu": "x" } },
        [
          'labels["node-role.kubernetes.io/gpu"]: has the prefix node-role.kubernetes.io/, which nodes may not give themselves: they could not join. Use a prefix of your own, such as example.com/',
        ],
      ],
      [
        "an empty value in a managed group",
        { labels: { pool: "" } },
        [
          'labels["pool"]: must have a value, since EKS refuses empty ones on managed node groups. Give it one, such as true',
        ],
      ],
      [
        "a label that Kubernetes sets",
        { labels: { "kubernetes.io/arch": "amd64" } },
        ['labels["kubernetes.io/arch"]: is set by Kubernetes itself on every node. Leave it out'],
      ],
      [
        "a label of EKS",
        { labels: { "eks.amazonaws.com/nodegroup": "x" } },
        [
          'labels["eks.amazonaws.com/nodegroup"]: has the prefix eks.amazonaws.com/, which is reserved for EKS. Use a prefix of your own',
        ],
      ],
      [
        "a label of the pool with another value",
        { labels: { "node-tier": "spot" } },
        [
          'labels["node-tier"]: is set by the pool, to "on-demand", got: "spot". Leave it out, or use a key of your own',
        ],
      ],
      [
        "a label of the accelerator with another value",
        { labels: { "k8s.amazonaws.com/accelerator": "nvidia-h100" } },
        [
          'labels["k8s.amazonaws.com/accelerator"]: is set by the pool, to "nvidia-l4", got: "nvidia-h100". Leave it out, or use a key of your own',
        ],
      ],
      ...[
        ["workload-type", "training", "Use workload"],
        ["nvidia.com/device-plugin.config", "time-slicing-4", "Use sharing"],
        ["nvidia.com/mps.capable", "true", "Use sharing"],
        ["vpc.amazonaws.com/efa.present", "true", "Use efa"],
      ].map(([key, value, remedy]): Refusal => [
        `the label ${key} without what it stands for`,
        { labels: { [key!]: value } },
        [`labels["${key}"]: is set by the pool where it is true of its nodes, got: "${value}". ${remedy}`],
      ]),
      ...[
        ["nvidia.com/gpu.present", "true"],
        ["k8s.amazonaws.com/accelerator", "nvidia-l4"],
      ].map(([key, value]): Refusal => [
        `the label ${key} on nodes without such GPUs`,
        { instanceTypes: ["inf2.xlarge"], labels: { [key!]: value } },
        [`labels["${key}"]: is set by the pool where it is true of its nodes, got: "${value}". Leave it out`],
      ]),
      [
        "a value with a blank",
        { labels: { pool: "a b" } },
        [
          'labels["pool"]: must have a value of at most 63 letters, digits, hyphens, underscores and dots that starts and ends with a letter or a digit, got: "a b". Correct the value',
        ],
      ],
      [
        "a value that is no text",
        { labels: { shared: true } },
        ['labels["shared"]: must be text, got: true. Put it in quotes, such as "true"'],
      ],
      [
        "a key with two slashes",
        { labels: { "a/b/c": "x" } },
        [
          'labels["a/b/c"]: must be a Kubernetes key: an optional DNS name and a slash, then at most 63 letters, digits, hyphens, underscores and dots that start and end with a letter or a digit, got: "a/b/c". Correct the key',
        ],
      ],
      [
        "an empty key",
        { labels: { "": "x" } },
        [
          'labels[""]: must be a Kubernetes key: an optional DNS name and a slash, then at most 63 letters, digits, hyphens, underscores and dots that start and end with a letter or a digit, got: "". Correct the key',
        ],
      ],
      [
        "a prefix in capitals",
        { labels: { "Example.com/pool": "x" } },
        [
          'labels["Example.com/pool"]: must be a Kubernetes key: an optional DNS name and a slash, then at most 63 letters, digits, hyphens, underscores and dots that start and end with a letter or a digit, got: "Example.com/pool". Correct the key',
        ],
      ],
      [
        "a key too long for a managed group",
        { labels: { ["example.com/" + "k".repeat(60)]: "x" } },
        [
          'labels["example.com/kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"]: must have at most 63 characters in a managed node group, got: "72 characters". Shorten the key',
        ],
      ],
      [
        "a key as token",
        (stack: TerraformStack) => ({ labels: { [textToken(stack)]: "x" } }),
        [
          "labels[a token]: must be a literal key, because tags and addresses are made from it, got: a token. Write it out",
        ],
      ],
      [
        "a key too long for its tag",
        {
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          labels: { ["a".repeat(30) + "." + "b".repeat(30) + "/" + "k".repeat(40)]: "x" },
        },
        [
          'labels: and taints become tags with keys of at most 128 characters, got: "148 for k8s.io/cluster-autoscaler/node-template/label/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb/kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk". Shorten the key by 20 characters',
        ],
      ],
      [
        "more than the group's tags hold",
        { labels: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`label-${index}`, "x"])) },
        [
          "labels: and taints make one tag each on the Auto Scaling group, which takes 50, with 5 for tags and discovery, got: 52. Use fewer labels, taints and tags",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("taints", () => {
    test.each<Refusal>([
      [
        "a value too long",
        { taints: [NodeTaint.noSchedule("team", "v".repeat(64))] },
        [
          'taints["team"]: must have a value of at most 63 letters, digits, hyphens, underscores and dots that starts and ends with a letter or a digit, got: "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv". Shorten it: it has 64 characters',
        ],
      ],
      [
        "a value with a blank",
        { taints: [NodeTaint.noSchedule("team", "a b")] },
        [
          'taints["team"]: must have a value of at most 63 letters, digits, hyphens, underscores and dots that starts and ends with a letter or a digit, got: "a b". Correct the value',
        ],
      ],
      [
        "an empty key",
        { taints: [NodeTaint.noSchedule("")] },
        [
          'taints[""]: must be a Kubernetes key: an optional DNS name and a slash, then at most 63 letters, digits, hyphens, underscores and dots that start and end with a letter or a digit, got: "". Correct the key',
        ],
      ],
      [
        "a key as token",
        (stack: TerraformStack) => ({ taints: [NodeTaint.noSchedule(textToken(stack))] }),
        [
          "taints[a token]: must be a literal key, because tags and addresses are made from it, got: a token. Write it out",
        ],
      ],
      [
        "one key with two effects",
        { taints: [NodeTaint.noSchedule("team", "a"), NodeTaint.noExecute("team", "a")] },
        [
          'taints["team"]: must be given once, because the autoscaler\'s tag of a key holds one value and one effect, got: two. Remove one of them',
        ],
      ],
      [
        "the workload's taint a second time",
        {
          workload: Workload.training(),
          workloadTaint: TaintEffect.NO_SCHEDULE,
          taints: [NodeTaint.noSchedule("workload-type", "training")],
        },
        [
          'taints["workload-type"]: must be given once, because the autoscaler\'s tag of a key holds one value and one effect, got: two. Remove one of them',
        ],
      ],
      [
        "more than EKS takes",
        { taints: Array.from({ length: 50 }, (_, index) => NodeTaint.noSchedule(`taint-${index}`)) },
        [
          "taints: must be at most 50, with those of the pool counted, got: 51. Remove some: pods have to tolerate each",
          "labels: and taints make one tag each on the Auto Scaling group, which takes 50, with 5 for tags and discovery, got: 61. Use fewer labels, taints and tags",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("workloads", () => {
    test.each<Refusal>([
      [
        "a name that is no label value",
        { workload: Workload.named("batch inference") },
        [
          'workload: must have a value of at most 63 letters, digits, hyphens, underscores and dots that starts and ends with a letter or a digit, got: "batch inference". Correct the value',
        ],
      ],
      [
        "an empty name",
        { workload: Workload.named("") },
        ['workload: must have a name, got: "". Name what the nodes are for'],
      ],
      [
        "a taint of no workload",
        { workloadTaint: TaintEffect.NO_SCHEDULE },
        [
          'workloadTaint: must be left out where workload is, since it has the workload\'s name, got: "NoSchedule". Give a workload, or use taints',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("tags", () => {
    test.each<Refusal>([
      [
        "a key of AWS",
        { tags: { "aws:team": "ml" } },
        [
          'tags["aws:team"]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "aws:team". Correct the key',
        ],
      ],
      [
        "a key of AWS in capitals",
        { tags: { "AWS:team": "ml" } },
        [
          'tags["AWS:team"]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "AWS:team". Correct the key',
        ],
      ],
      [
        "an empty key",
        { tags: { "": "ml" } },
        [
          'tags[""]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "". Correct the key',
        ],
      ],
      [
        "a key too long",
        { tags: { ["k".repeat(129)]: "ml" } },
        [
          'tags["kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "129 characters". Correct the key',
        ],
      ],
      [
        "a key with a forbidden sign",
        { tags: { "team#1": "ml" } },
        [
          'tags["team#1"]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "team#1". Correct the key',
        ],
      ],
      [
        "a value too long",
        { tags: { team: "v".repeat(257) } },
        [
          'tags["team"]: must have a value of at most 256 letters, digits, blanks and _ . : / = + - @, got: "257 characters". Correct the value',
        ],
      ],
      [
        "a value with a forbidden sign",
        { tags: { team: "ml!" } },
        [
          'tags["team"]: must have a value of at most 256 letters, digits, blanks and _ . : / = + - @, got: "ml!". Correct the value',
        ],
      ],
      ["a value that is no text", { tags: { cost: 7 } }, ['tags["cost"]: must be text, got: 7. Put it in quotes']],
      [
        "the tag by which the autoscaler asks EKS",
        { tags: { "eks:nodegroup-name": "x" } },
        [
          'tags["eks:nodegroup-name"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the pool sets what is needed',
        ],
      ],
      [
        "the tag of a cluster's resources",
        { tags: { "kubernetes.io/cluster/prod": "owned" } },
        [
          'tags["kubernetes.io/cluster/prod"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the pool sets what is needed',
        ],
      ],
      [
        "the tag of the autoscaler's groups",
        { tags: { "k8s.io/cluster-autoscaler/enabled": "false" } },
        [
          'tags["k8s.io/cluster-autoscaler/enabled"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the pool sets what is needed',
        ],
      ],
      [
        "the tags by which termination handlers find their instances",
        { tags: { "aws-node-termination-handler/managed": "true", "aws-node-termination-handler/other": "true" } },
        [
          'tags["aws-node-termination-handler/managed"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the pool sets what is needed',
          'tags["aws-node-termination-handler/other"]: is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the pool sets what is needed',
        ],
      ],
      [
        "keys that IAM takes for one",
        { tags: { Team: "a", team: "b" } },
        ['tags: must not have keys that differ in case alone, which IAM refuses, got: "Team, team". Keep one of them'],
      ],
      [
        "more than a resource takes",
        { tags: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`tag-${index}`, "x"])) },
        [
          "tags: must be at most 50, got: 51. Remove some",
          "labels: and taints make one tag each on the Auto Scaling group, which takes 50, with 56 for tags and discovery, got: 62. Use fewer labels, taints and tags",
        ],
      ],
      [
        "a key as token",
        (stack: TerraformStack) => ({ tags: { [textToken(stack)]: "ml" } }),
        ["tags: must have literal keys; the values may be tokens, got: a token. Write the keys out"],
      ],
      [
        "costs that the tags contradict",
        { costAllocation: { team: "ml" }, tags: { team: "web" } },
        ['tags["team"]: is "ml" by costAllocation, got: "web". Say it in one place'],
      ],
      [
        "a team that is no tag value",
        { costAllocation: { team: "r&d" } },
        [
          'costAllocation.team: must have a value of at most 256 letters, digits, blanks and _ . : / = + - @, got: "r&d". Correct the value',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
