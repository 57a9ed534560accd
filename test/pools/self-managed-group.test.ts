import { IamRole } from "@cdktf/provider-aws/lib/iam-role";
import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformStack } from "cdktf";
import {
  Capacity,
  GpuCluster,
  NodeAccess,
  NodeGroupType,
  NodeImage,
  NodeRole,
  NodeTaint,
  UpdatePolicy,
  Workload,
} from "cdktf-elastic-gpu";
import { addPool, autoscalingTags, clusterAttributes, PoolChoices, synthPool } from "../support/pool";
import { allOf, decodeUserData, problemsOf, resources, synth, synthApp, theOne } from "../support/synth";

const nodeGroupType = NodeGroupType.SELF_MANAGED;
const roleArn = "arn:aws:iam::111122223333:role/team/gpu-node";
const synthGroup = (choices: PoolChoices) => synthPool({ nodeGroupType, ...choices }).json;
const groupOf = (choices: PoolChoices) => theOne(synthGroup(choices), "aws_autoscaling_group");

test("a self-managed pool is an Auto Scaling group with what its nodes need to join", () => {
  const json = synthGroup({});
  expect(allOf(json, "aws_eks_node_group")).toEqual([]);
  const group = theOne(json, "aws_autoscaling_group");
  expect(group).toMatchObject({
    min_size: 0,
    max_size: 4,
    desired_capacity: 0,
    vpc_zone_identifier: ["subnet-0aaa", "subnet-0bbb"],
    lifecycle: { ignore_changes: ["desired_capacity"] },
  });
  const [entry] = Object.keys(resources(json, "aws_eks_access_entry"));
  expect(theOne(json, "aws_eks_access_entry")).toMatchObject({ cluster_name: "prod", type: "EC2_LINUX" });
  expect(group.depends_on).toContain(`aws_eks_access_entry.${entry}`);
  const [profile] = Object.keys(resources(json, "aws_iam_instance_profile"));
  expect(theOne(json, "aws_launch_template")).toMatchObject({
    instance_type: "g6.12xlarge",
    iam_instance_profile: { arn: `\${aws_iam_instance_profile.${profile}.arn}` },
    vpc_security_group_ids: ["sg-0123456789abcdef0"],
  });
});

test("scarce capacity holds no apply up, and no busy node is ended to even out the zones", () => {
  expect(groupOf({})).toMatchObject({
    wait_for_capacity_timeout: "0",
    ignore_failed_scaling_activities: true,
    suspended_processes: ["AZRebalance"],
  });
});

test("nodes are told the cluster, and give themselves the pool's labels and taints", () => {
  const json = synthGroup({ workload: Workload.training(), taints: [NodeTaint.noExecute("team", "ml")] });
  const [{ contentType, body }] = decodeUserData(theOne(json, "aws_launch_template").user_data);
  expect(contentType).toBe("application/node.eks.aws");
  expect(JSON.parse(body!).spec).toEqual({
    cluster: {
      name: "prod",
      apiServerEndpoint: "https://EXAMPLE.gr7.us-east-1.eks.amazonaws.com",
      certificateAuthority: "LS0tLS1CRUdJTg==",
      cidr: "10.100.0.0/16",
    },
    kubelet: {
      flags: [
        "--node-labels=k8s.amazonaws.com/accelerator=nvidia-l4,node-lifecycle=on-demand,node-tier=on-demand,nvidia.com/gpu.present=true,workload-type=training",
        "--register-with-taints=nvidia.com/gpu=present:NoSchedule,team=ml:NoExecute",
      ],
    },
  });
});

test.each([
  ["g6.xlarge", undefined, "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/nvidia/recommended/image_id"],
  [
    "g5g.xlarge",
    NodeImage.al2023Nvidia({ releaseVersion: "1.34.2-20251120" }),
    "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/arm64/nvidia/amazon-eks-node-al2023-arm64-nvidia-1.34-v20251120/image_id",
  ],
  ["g6.xlarge", NodeImage.bottlerocketNvidia(), "/aws/service/bottlerocket/aws-k8s-1.34-nvidia/x86_64/latest/image_id"],
])("the image of %s is read from the parameter in which AWS publishes it (%#)", (instanceType, image, name) => {
  const json = synthGroup({ instanceTypes: [instanceType], image });
  const [id] = Object.keys(resources(json, "data.aws_ssm_parameter"));
  expect(theOne(json, "data.aws_ssm_parameter").name).toBe(name);
  expect(theOne(json, "aws_launch_template").image_id).toBe(`\${data.aws_ssm_parameter.${id}.insecure_value}`);
});

test("one type bought in one way has a launch template and no mixed instances policy", () => {
  const json = synthGroup({});
  const [id] = Object.keys(resources(json, "aws_launch_template"));
  const group = theOne(json, "aws_autoscaling_group");
  expect(group.launch_template).toEqual({
    id: `\${aws_launch_template.${id}.id}`,
    version: `\${aws_launch_template.${id}.latest_version}`,
  });
  expect(group).not.toHaveProperty("mixed_instances_policy");
});

test("several types have a mixed instances policy in the user's order, without weights, and no launch template beside it", () => {
  const json = synthGroup({ instanceTypes: ["g6.xlarge", "g6.4xlarge", "g6.2xlarge"] });
  const group = theOne(json, "aws_autoscaling_group");
  expect(group).not.toHaveProperty("launch_template");
  expect(group.mixed_instances_policy).toMatchObject({
    instances_distribution: {
      on_demand_allocation_strategy: "prioritized",
      on_demand_base_capacity: 0,
      on_demand_percentage_above_base_capacity: 100,
    },
    launch_template: {
      override: [{ instance_type: "g6.xlarge" }, { instance_type: "g6.4xlarge" }, { instance_type: "g6.2xlarge" }],
    },
  });
  expect(theOne(json, "aws_launch_template")).not.toHaveProperty("instance_type");
});

test("Spot is bought by price and capacity, at no price of the pool's, also for a single type", () => {
  const group = groupOf({ capacity: Capacity.spot() });
  expect(group).not.toHaveProperty("launch_template");
  const { instances_distribution: distribution } = group.mixed_instances_policy;
  expect(distribution).toMatchObject({
    on_demand_base_capacity: 0,
    on_demand_percentage_above_base_capacity: 0,
    spot_allocation_strategy: "price-capacity-optimized",
  });
  expect(Object.keys(distribution)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/spot_max_price|spot_instance_pools/)]),
  );
});

test("running nodes stay as they are, unless an instance refresh is asked for", () => {
  expect(groupOf({})).not.toHaveProperty("instance_refresh");
  expect(groupOf({ updatePolicy: UpdatePolicy.newNodesOnly() })).not.toHaveProperty("instance_refresh");
  expect(groupOf({ updatePolicy: UpdatePolicy.instanceRefresh() }).instance_refresh).toEqual({
    strategy: "Rolling",
    preferences: { min_healthy_percentage: 90 },
  });
  expect(
    groupOf({ updatePolicy: UpdatePolicy.instanceRefresh({ minHealthyPercentage: 0 }) }).instance_refresh.preferences,
  ).toEqual({ min_healthy_percentage: 0 });
});

test("the autoscaler finds the group by its tags and does not ask EKS about it", () => {
  const tags = autoscalingTags(synthGroup({ tags: { team: "ml" } }));
  expect(tags).toMatchObject({
    "k8s.io/cluster-autoscaler/enabled": "true",
    "k8s.io/cluster-autoscaler/prod": "owned",
    "kubernetes.io/cluster/prod": "owned",
    "aws-node-termination-handler/managed": "true",
    "aws-node-termination-handler/prod": "true",
    team: "ml",
  });
  expect(Object.keys(tags)).not.toContain("eks:nodegroup-name");
});

test("of the group's tags those for the cluster and for termination handlers alone reach instances, which have theirs from the template", () => {
  const propagated = groupOf({ tags: { team: "ml" } }).tag.filter((tag: any) => tag.propagate_at_launch);
  expect(propagated).toEqual([
    { key: "kubernetes.io/cluster/prod", value: "owned", propagate_at_launch: true },
    { key: "aws-node-termination-handler/managed", value: "true", propagate_at_launch: true },
    { key: "aws-node-termination-handler/prod", value: "true", propagate_at_launch: true },
  ]);
});

describe("an existing role", () => {
  test("is not made again: its name for the profile is read off its ARN", () => {
    const json = synthGroup({ nodeRole: NodeRole.existing({ roleArn }) });
    expect(allOf(json, "aws_iam_role")).toEqual([]);
    expect(theOne(json, "aws_iam_instance_profile").role).toBe("gpu-node");
    expect(theOne(json, "aws_eks_access_entry").principal_arn).toBe(roleArn);
  });

  test("has the name that the user gives", () => {
    const json = synthGroup({ nodeRole: NodeRole.existing({ roleArn, roleName: "other" }) });
    expect(theOne(json, "aws_iam_instance_profile").role).toBe("other");
  });

  test("gets no access entry where it has one", () => {
    const nodeRole = NodeRole.existing({ roleArn, access: NodeAccess.HAS_ACCESS_ENTRY });
    expect(allOf(synthGroup({ nodeRole }), "aws_eks_access_entry")).toEqual([]);
  });

  test("gets one access entry however many pools of a stack share it, and each pool waits for it", () => {
    const { json } = synth((stack) => {
      for (const id of ["first", "second", "third"]) {
        addPool(stack, { nodeGroupType, nodeRole: NodeRole.existing({ roleArn }) }, id);
      }
    });
    const [entry, ...others] = Object.keys(resources(json, "aws_eks_access_entry"));
    expect(others).toEqual([]);
    for (const group of allOf(json, "aws_autoscaling_group")) {
      expect(group.depends_on).toContain(`aws_eks_access_entry.${entry}`);
    }
  });

  test("keeps its access entry when pools that share it come, go or change places", () => {
    const entryOf = (ids: string[]) => {
      const { json } = synth((stack) =>
        ids.forEach((id) => addPool(stack, { nodeGroupType, nodeRole: NodeRole.existing({ roleArn }) }, id)),
      );
      return Object.keys(resources(json, "aws_eks_access_entry"));
    };
    const [both, swapped, one] = [entryOf(["a", "b"]), entryOf(["b", "a"]), entryOf(["b"])];
    expect(both).toHaveLength(1);
    expect([swapped, one]).toEqual([both, both]);
  });

  test("gets one access entry in an app, and the other stack comes after it", () => {
    const made: TerraformStack[] = [];
    const { first, second } = synthApp((app) => {
      for (const name of ["first", "second"]) {
        const stack = new TerraformStack(app, name);
        made.push(stack);
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        addPool(stack, { nodeGroupType, nodeRole: NodeRole.existing({ roleArn }) });
      }
    });
    expect(allOf(first!.json, "aws_eks_access_entry")).toHaveLength(1);
    expect(allOf(second!.json, "aws_eks_access_entry")).toEqual([]);
    expect(made[1]!.dependsOn(made[0]!)).toBe(true);
  });

  test("of one name in two regions gets an access entry in each cluster", () => {
    const { json } = synth((stack) => {
      new AwsProvider(stack, "west", { region: "us-west-2", alias: "west" });
      addPool(stack, { nodeGroupType, nodeRole: NodeRole.existing({ roleArn }) }, "east");
      const subnets = [{ subnetId: "subnet-0ccc", availabilityZone: "us-west-2a" }];
      const cluster = GpuCluster.fromAttributes(stack, "west-cluster", { ...clusterAttributes, subnets });
      addPool(stack, { cluster, nodeGroupType, nodeRole: NodeRole.existing({ roleArn }) }, "west-pool");
    });
    expect(allOf(json, "aws_eks_access_entry")).toHaveLength(2);
  });

  test("is one role, though each reading of its ARN is another token", () => {
    const { json } = synth((stack) => {
      const role = new IamRole(stack, "role", { assumeRolePolicy: "{}" });
      for (const id of ["first", "second"]) {
        const nodeRole = NodeRole.existing({ roleArn: role.arn, roleName: role.name });
        addPool(stack, { nodeGroupType, nodeRole }, id);
      }
    });
    expect(theOne(json, "aws_eks_access_entry").principal_arn).toBe("${aws_iam_role.role.arn}");
  });

  test.each([
    ["before", ["managed", "self-managed"]],
    ["after", ["self-managed", "managed"]],
  ])("of a managed group made %s it gets no second access entry: that is refused", (_, order) => {
    const text = problemsOf((stack) =>
      order.forEach((type) =>
        addPool(stack, { nodeGroupType: type as NodeGroupType, nodeRole: NodeRole.existing({ roleArn }) }, type),
      ),
    );
    expect(text).toContain(
      "test/self-managed: nodeRole: must not make an access entry for a role that the managed node group test/managed has, " +
        "because EKS makes that one itself. Give NodeRole.existing() the access HAS_ACCESS_ENTRY",
    );
  });
});
