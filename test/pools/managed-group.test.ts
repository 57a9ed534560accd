import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { Vpc } from "@cdktf/provider-aws/lib/vpc";
import {
  JoinMethod,
  NodeImage,
  NodeRepair,
  NodeRole,
  NodeTaint,
  TaintEffect,
  UpdatePolicy,
  Workload,
} from "cdktf-elastic-gpu";
import { addPool, clusterAttributes, clusterOf, PoolChoices, synthPool } from "../support/pool";
import { allOf, problemsOf, resources, synth, theOne } from "../support/synth";

const groupOf = (choices: PoolChoices) => theOne(synthPool(choices).json, "aws_eks_node_group");
const templateOf = (choices: PoolChoices) => theOne(synthPool(choices).json, "aws_launch_template");

test("three properties make a managed node group that grows from zero", () => {
  const { json, warnings } = synthPool({});
  expect(theOne(json, "aws_eks_node_group")).toMatchObject({
    cluster_name: "prod",
    instance_types: ["g6.12xlarge"],
    ami_type: "AL2023_x86_64_NVIDIA",
    capacity_type: "ON_DEMAND",
    version: "1.34",
    scaling_config: { min_size: 0, max_size: 4, desired_size: 0 },
    subnet_ids: ["subnet-0aaa", "subnet-0bbb"],
    update_config: { max_unavailable: 1 },
  });
  expect(allOf(json, "aws_autoscaling_group")).toEqual([]);
  expect(warnings).toEqual([]);
});

test("a pool starts at its least nodes where nothing else is said, and the start is left to the autoscaler from then on", () => {
  const group = groupOf({ minNodes: 2, maxNodes: 8 });
  expect(group.scaling_config).toEqual({ min_size: 2, max_size: 8, desired_size: 2 });
  expect(group.lifecycle.ignore_changes).toEqual(["scaling_config[0].desired_size"]);
  expect(groupOf({ minNodes: 2, maxNodes: 8, desiredNodes: 5 }).scaling_config.desired_size).toBe(5);
});

test("the template's version is a number that a plan can show, never $Latest", () => {
  const { json } = synthPool({});
  const [id] = Object.keys(resources(json, "aws_launch_template"));
  expect(theOne(json, "aws_eks_node_group").launch_template).toEqual({
    id: `\${aws_launch_template.${id}.id}`,
    version: `\${aws_launch_template.${id}.latest_version}`,
  });
});

test("labels and taints of the pool and of the user stand on the node group as EKS spells them", () => {
  const group = groupOf({
    workload: Workload.inference(),
    labels: { team: "vision" },
    taints: [NodeTaint.noExecute("example.com/spot"), NodeTaint.preferNoSchedule("example.com/new", "yes")],
  });
  expect(group.labels).toEqual({
    "node-tier": "on-demand",
    "workload-type": "inference",
    "nvidia.com/gpu.present": "true",
    "k8s.amazonaws.com/accelerator": "nvidia-l4",
    team: "vision",
  });
  expect(group.taint).toEqual([
    { key: "nvidia.com/gpu", value: "present", effect: "NO_SCHEDULE" },
    { key: "example.com/spot", value: "", effect: "NO_EXECUTE" },
    { key: "example.com/new", value: "yes", effect: "PREFER_NO_SCHEDULE" },
  ]);
});

test("a taint with the key of the accelerator takes the place of the pool's own", () => {
  const group = groupOf({ taints: [NodeTaint.preferNoSchedule("nvidia.com/gpu", "yes")] });
  expect(group.taint).toEqual([{ key: "nvidia.com/gpu", value: "yes", effect: "PREFER_NO_SCHEDULE" }]);
});

test.each([
  [TaintEffect.NO_SCHEDULE, "NO_SCHEDULE"],
  [TaintEffect.PREFER_NO_SCHEDULE, "PREFER_NO_SCHEDULE"],
  [TaintEffect.NO_EXECUTE, "NO_EXECUTE"],
])("the workload is a taint by choice alone, with the effect %s", (workloadTaint, effect) => {
  const workload = Workload.named("batch");
  const taintsOf = (choices: PoolChoices) =>
    groupOf(choices).taint.filter(({ key }: { key: string }) => key === "workload-type");
  expect(taintsOf({ workload, workloadTaint })).toEqual([{ key: "workload-type", value: "batch", effect }]);
  expect(taintsOf({ workload })).toEqual([]);
});

test("Neuron nodes have a taint, an image and no label of NVIDIA's", () => {
  const group = groupOf({ instanceTypes: ["inf2.xlarge"] });
  expect(group.taint).toEqual([{ key: "aws.amazon.com/neuron", value: "present", effect: "NO_SCHEDULE" }]);
  expect(group.labels).toEqual({ "node-tier": "on-demand" });
  expect(group.ami_type).toBe("AL2023_x86_64_NEURON");
});

test.each([
  ["g5g.xlarge", undefined, "AL2023_ARM_64_NVIDIA"],
  ["g4ad.xlarge", undefined, "AL2023_x86_64_STANDARD"],
  ["g6.xlarge", NodeImage.bottlerocketNvidia(), "BOTTLEROCKET_x86_64_NVIDIA"],
  ["g5g.xlarge", NodeImage.bottlerocketNvidia(), "BOTTLEROCKET_ARM_64_NVIDIA"],
])("the image of %s is one that EKS has (%#)", (instanceType, image, amiType) => {
  expect(groupOf({ instanceTypes: [instanceType], image }).ami_type).toBe(amiType);
});

test("a release is passed on where it is given, and left to EKS where it is not", () => {
  const pinned = groupOf({ image: NodeImage.al2023Nvidia({ releaseVersion: "1.34.2-20251120" }) });
  expect(pinned.release_version).toBe("1.34.2-20251120");
  expect(groupOf({})).not.toHaveProperty("release_version");
});

test("an image of the user's stands in the template, and EKS is told neither type nor version nor release", () => {
  const image = NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.nodeadm() });
  const { json } = synthPool({ image });
  expect(theOne(json, "aws_launch_template").image_id).toBe("ami-0123456789abcdef0");
  const group = theOne(json, "aws_eks_node_group");
  expect(["ami_type", "version", "release_version"].filter((property) => property in group)).toEqual([]);
  expect(group.instance_types).toEqual(["g6.12xlarge"]);
  expect(allOf(json, "data.aws_ssm_parameter")).toEqual([]);
});

test("types stand on the node group in the user's order, and the template names none", () => {
  const instanceTypes = ["g6.xlarge", "g6.4xlarge", "g6.2xlarge"];
  expect(groupOf({ instanceTypes }).instance_types).toEqual(instanceTypes);
  expect(templateOf({ instanceTypes })).not.toHaveProperty("instance_type");
});

test("the template asks for session tokens, lets pods no hop further, and says nothing of tags", () => {
  expect(templateOf({}).metadata_options).toEqual({
    http_endpoint: "enabled",
    http_tokens: "required",
    http_put_response_hop_limit: 1,
    instance_metadata_tags: "disabled",
  });
  expect(templateOf({ imdsHopLimit: 2 }).metadata_options.http_put_response_hop_limit).toBe(2);
});

test("EKS gives the nodes their profile: the template has none", () => {
  expect(templateOf({})).not.toHaveProperty("iam_instance_profile");
});

test("instances, volumes and interfaces have tags, and Spot requests have none", () => {
  const tags = { team: "ml", environment: "production", workload: "training" };
  const template = templateOf({
    costAllocation: { team: "ml", environment: "production" },
    workload: Workload.training(),
  });
  expect(template.tag_specifications).toEqual(
    ["instance", "volume", "network-interface"].map((resource_type) => ({
      resource_type,
      tags: { Name: "test-pool", ...tags },
    })),
  );
});

test("every resource that takes tags has those of the user", () => {
  const { json } = synthPool({ tags: { team: "ml" } });
  for (const type of ["aws_eks_node_group", "aws_launch_template", "aws_iam_role"]) {
    expect(theOne(json, type).tags).toEqual({ team: "ml" });
  }
});

test("the update policy is the user's", () => {
  expect(groupOf({ updatePolicy: UpdatePolicy.maxUnavailable(3) }).update_config).toEqual({ max_unavailable: 3 });
  expect(groupOf({ updatePolicy: UpdatePolicy.maxUnavailablePercentage(25) }).update_config).toEqual({
    max_unavailable_percentage: 25,
  });
});

test("repair is rendered where it is asked for, and its limits where they are given", () => {
  expect(groupOf({})).not.toHaveProperty("node_repair_config");
  expect(groupOf({ nodeRepair: NodeRepair.enabled() }).node_repair_config).toEqual({ enabled: true });
  expect(groupOf({ nodeRepair: NodeRepair.disabled() }).node_repair_config).toEqual({ enabled: false });
  expect(groupOf({ nodeRepair: NodeRepair.enabled({ maxParallelNodes: 1, maxUnhealthyNodes: 5 }) })).toMatchObject({
    node_repair_config: {
      enabled: true,
      max_parallel_nodes_repaired_count: 1,
      max_unhealthy_node_threshold_count: 5,
    },
  });
});

test("a name from the path lets a new group start before the old one goes, a fixed name does not", () => {
  const derived = groupOf({});
  expect(derived.node_group_name_prefix).toBe("test-pool-");
  expect(derived.lifecycle.create_before_destroy).toBe(true);
  const fixed = groupOf({ name: "gpu-pool" });
  expect(fixed.node_group_name).toBe("gpu-pool");
  expect(fixed).not.toHaveProperty("node_group_name_prefix");
  expect(fixed.lifecycle).not.toHaveProperty("create_before_destroy");
});

test("nodes go before the rights they need: the group waits for each policy", () => {
  const { json } = synthPool({ nodeRole: NodeRole.own({ managedPolicyArns: ["arn:aws:iam::aws:policy/Extra"] }) });
  const policies = Object.keys(resources(json, "aws_iam_role_policy_attachment"));
  expect(policies).toHaveLength(4);
  expect(theOne(json, "aws_eks_node_group").depends_on).toEqual(
    expect.arrayContaining(policies.map((id) => `aws_iam_role_policy_attachment.${id}`)),
  );
});

test("what must come first and the provider reach every resource of the pool", () => {
  const { json } = synth((stack) => {
    const provider = new AwsProvider(stack, "west", { region: "us-west-2", alias: "west" });
    const vpc = new Vpc(stack, "vpc", { cidrBlock: "10.0.0.0/16" });
    addPool(stack, { provider, dependsOn: [vpc] });
  });
  const own = Object.entries(json.resource).filter(([type]) => type !== "aws_vpc");
  expect(own.length).toBeGreaterThan(4);
  for (const resource of own.flatMap(([, byId]) => Object.values<any>(byId as object))) {
    expect(resource.provider).toBe("aws.west");
    expect(resource.depends_on).toContain("aws_vpc.vpc");
  }
  expect(theOne(json, "data.aws_partition").provider).toBe("aws.west");
});

test("a dependency on the construct itself, which CDKTF would drop, is refused", () => {
  const text = problemsOf((stack) => {
    const vpc = new Vpc(stack, "vpc", { cidrBlock: "10.0.0.0/16" });
    addPool(stack, {}).node.addDependency(vpc);
  });
  expect(text).toContain(
    "test/pool: node.addDependency() has no effect in CDKTF. Pass what must come first in dependsOn",
  );
});

test("pools register with their cluster in the order of declaration, whatever their kind", () => {
  synth((stack) => {
    const pools = ["first", "second"].map((id) => addPool(stack, {}, id));
    expect(clusterOf(stack, clusterAttributes).pools).toEqual(pools);
  });
});
