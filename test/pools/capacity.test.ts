import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformStack } from "cdktf";
import { Capacity, ClusterPlacement, NodeGroupType } from "cdktf-elastic-gpu";
import { addPool, PoolChoices, synthPool } from "../support/pool";
import { allOf, resources, synthApp, theOne } from "../support/synth";

const nodeGroupType = NodeGroupType.SELF_MANAGED;
const availabilityZones = ["us-east-1a"];
const reservationId = "cr-0123456789abcdef0";
const resourceGroupArn = "arn:aws:resource-groups:us-east-1:111122223333:group/gpus";
const blockPool = (endsAt?: string): PoolChoices => ({
  instanceTypes: ["p5en.48xlarge"],
  maxNodes: 2,
  availabilityZones,
  capacity: Capacity.capacityBlock({ reservationId, instanceCount: 2, endsAt }),
  ...(endsAt !== undefined && { nodeGroupType }),
});

describe("Spot", () => {
  const { json } = synthPool({ capacity: Capacity.spot(), instanceTypes: ["g6.xlarge", "g6.2xlarge"] });

  test("is asked for on the node group, with no price, and on the nodes' label", () => {
    expect(theOne(json, "aws_eks_node_group")).toMatchObject({
      capacity_type: "SPOT",
      instance_types: ["g6.xlarge", "g6.2xlarge"],
      labels: { "node-tier": "spot" },
    });
    expect(theOne(json, "aws_launch_template")).not.toHaveProperty("instance_market_options");
    expect(JSON.stringify(json)).not.toContain("max_price");
  });
});

describe("a reservation", () => {
  test("is the target of the template, and nothing is launched outside of it", () => {
    const { json } = synthPool({ capacity: Capacity.reservation({ reservationId }), availabilityZones });
    expect(theOne(json, "aws_launch_template").capacity_reservation_specification).toEqual({
      capacity_reservation_target: { capacity_reservation_id: reservationId },
    });
    expect(theOne(json, "aws_eks_node_group")).toMatchObject({
      capacity_type: "ON_DEMAND",
      instance_types: ["g6.12xlarge"],
      labels: { "node-tier": "reserved" },
    });
  });

  test("may be one of a group of them, in several zones", () => {
    const { json } = synthPool({ capacity: Capacity.reservationGroup({ resourceGroupArn, instanceCount: 4 }) });
    expect(theOne(json, "aws_launch_template").capacity_reservation_specification).toEqual({
      capacity_reservation_target: { capacity_reservation_resource_group_arn: resourceGroupArn },
    });
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toHaveLength(2);
  });

  test("without a count is not held against the most nodes", () => {
    const { warnings } = synthPool({
      maxNodes: 500,
      capacity: Capacity.reservation({ reservationId }),
      availabilityZones,
    });
    expect(warnings).toEqual([]);
  });

  test("that is larger than the pool is paid for in vain: that is a warning", () => {
    const capacity = Capacity.reservation({ reservationId, instanceCount: 6 });
    expect(synthPool({ maxNodes: 4, capacity, availabilityZones }).warnings).toEqual([
      "test/pool: maxNodes: 2 of 6 instances reserved can never be used, and are paid for. Raise maxNodes to 6",
    ]);
  });
});

describe("a Capacity Block", () => {
  test("has all of its settings in a managed node group", () => {
    const { json, warnings } = synthPool(blockPool());
    expect(theOne(json, "aws_launch_template")).toMatchObject({
      instance_type: "p5en.48xlarge",
      instance_market_options: { market_type: "capacity-block" },
      capacity_reservation_specification: { capacity_reservation_target: { capacity_reservation_id: reservationId } },
    });
    const group = theOne(json, "aws_eks_node_group");
    expect(group).toMatchObject({
      capacity_type: "CAPACITY_BLOCK",
      subnet_ids: ["subnet-0aaa"],
      scaling_config: { min_size: 0, max_size: 2 },
      labels: { "node-tier": "reserved" },
    });
    expect(group).not.toHaveProperty("instance_types");
    expect(warnings).toEqual([]);
  });

  test("in a managed node group has no scheduled action, since EKS makes it", () => {
    expect(allOf(synthPool(blockPool()).json, "aws_autoscaling_schedule")).toEqual([]);
  });

  test("has all of its settings in a self-managed group, which buys in no other way", () => {
    const { json } = synthPool(blockPool("2026-12-24T11:30:00Z"));
    expect(theOne(json, "aws_launch_template")).toMatchObject({
      instance_type: "p5en.48xlarge",
      instance_market_options: { market_type: "capacity-block" },
      capacity_reservation_specification: { capacity_reservation_target: { capacity_reservation_id: reservationId } },
    });
    expect(theOne(json, "aws_autoscaling_group")).not.toHaveProperty("mixed_instances_policy");
  });

  test.each([
    ["2026-12-24T11:30:00Z", "50 10 24 12 *"],
    ["2026-12-24T11:30Z", "50 10 24 12 *"],
    [new Date(Date.UTC(2026, 11, 24, 11, 30)).toISOString(), "50 10 24 12 *"],
    ["2027-01-01T00:00:00Z", "20 23 31 12 *"],
    ["2028-03-01T00:10:00Z", "30 23 29 2 *"],
  ])("that ends at %s takes a self-managed group to zero 40 minutes before", (endsAt, recurrence) => {
    const { json } = synthPool(blockPool(endsAt));
    const [group] = Object.keys(resources(json, "aws_autoscaling_group"));
    const action = theOne(json, "aws_autoscaling_schedule");
    expect(action).toMatchObject({
      autoscaling_group_name: `\${aws_autoscaling_group.${group}.name}`,
      recurrence,
      time_zone: "UTC",
      min_size: 0,
      max_size: 0,
      desired_capacity: 0,
    });
    expect(action).not.toHaveProperty("start_time");
    expect(theOne(json, "aws_autoscaling_group").lifecycle.ignore_changes).toEqual([
      "desired_capacity",
      "min_size",
      "max_size",
    ]);
  });

  test("that has ended has no nodes to give: that is a warning", () => {
    expect(synthPool(blockPool("2024-03-01T11:30:00Z")).warnings).toEqual([
      "test/pool: capacity.endsAt: the Capacity Block ended at 2024-03-01T11:30:00Z, and no node starts anymore. Remove the pool",
    ]);
    expect(synthPool(blockPool(new Date(Date.now() + 3_600_000).toISOString())).warnings).toEqual([]);
  });

  test("with nodes from the start fails until it begins: that is a warning", () => {
    expect(synthPool({ ...blockPool(), minNodes: 1 }).warnings).toEqual([
      "test/pool: minNodes: before a Capacity Block starts, every launch fails, again and again. Leave minNodes out, and let the autoscaler start nodes",
    ]);
  });
});

describe("a placement group", () => {
  test.each(["g", "pg-training", "a name with blanks", "~".repeat(255)])("that exists may be called %j", (name) => {
    const { json } = synthPool({ placement: ClusterPlacement.existing(name), availabilityZones });
    expect(theOne(json, "aws_launch_template").placement).toEqual({ group_name: name });
  });

  test("of the pool's own is referred to, so that it goes after the nodes", () => {
    const { json } = synthPool({ placement: ClusterPlacement.own(), availabilityZones });
    const [id] = Object.keys(resources(json, "aws_placement_group"));
    expect(theOne(json, "aws_placement_group").strategy).toBe("cluster");
    expect(theOne(json, "aws_launch_template").placement).toEqual({
      group_name: `\${aws_placement_group.${id}.name}`,
    });
  });

  test("that exists is named, with up to 255 characters", () => {
    const name = "g".repeat(255);
    const { json } = synthPool({ placement: ClusterPlacement.existing(name), availabilityZones });
    expect(theOne(json, "aws_launch_template").placement).toEqual({ group_name: name });
    expect(allOf(json, "aws_placement_group")).toEqual([]);
  });

  test.each([undefined, ClusterPlacement.none()])("is not there unless asked for (%#)", (placement) => {
    expect(theOne(synthPool({ placement }).json, "aws_launch_template")).not.toHaveProperty("placement");
  });

  test("has another name in another stack, since names are unique in an account and region", () => {
    const stacks = synthApp((app) => {
      for (const name of ["blue", "green"]) {
        const stack = new TerraformStack(app, name);
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        addPool(stack, { placement: ClusterPlacement.own(), availabilityZones });
      }
    });
    const [blue, green] = Object.values(stacks).map(({ json }) => theOne(json, "aws_placement_group").name);
    expect(blue).not.toBe(green);
  });
});
