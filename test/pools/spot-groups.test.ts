import { Capacity, DrainBudget, NodeRole, SpotAllocationStrategy, UpdatePolicy } from "cdktf-elastic-gpu";
import { prerequisites } from "../support/cluster";
import { addSpot, madeAt, ofBoth, SpotChoices, synthSpot, templateOf } from "../support/spot";
import { addresses, allOf, Json, resources, synth, theOne } from "../support/synth";

const roleArn = "arn:aws:iam::111122223333:role/team/gpu-node";
const reservationId = "cr-0123456789abcdef0";
const groupsOf = (choices: SpotChoices = {}) => ofBoth(synthSpot(choices).json, "Resource");
const distributionOf = (group: Json) => group.mixed_instances_policy.instances_distribution;

describe("the mixed group", () => {
  test("is a base of On-Demand and mostly Spot above it, by price and capacity, without a price or weights of its own", () => {
    const json = synthSpot().json;
    const template = madeAt(json, "LaunchTemplate").address;
    const { mixed_instances_policy: policy, ...group } = madeAt(json, "Resource").block;
    expect(policy).toEqual({
      instances_distribution: {
        on_demand_allocation_strategy: "prioritized",
        on_demand_base_capacity: 2,
        on_demand_percentage_above_base_capacity: 20,
        spot_allocation_strategy: "price-capacity-optimized",
      },
      launch_template: {
        launch_template_specification: {
          launch_template_id: `\${${template}.id}`,
          version: `\${${template}.latest_version}`,
        },
        override: [{ instance_type: "g6.2xlarge" }, { instance_type: "g6.4xlarge" }, { instance_type: "g6.8xlarge" }],
      },
    });
    expect(group).toMatchObject({
      min_size: 0,
      max_size: 40,
      desired_capacity: 0,
      capacity_rebalance: true,
      vpc_zone_identifier: ["subnet-0aaa", "subnet-0bbb"],
      lifecycle: { ignore_changes: ["desired_capacity"] },
    });
    expect(group).not.toHaveProperty("launch_template");
    expect(group).not.toHaveProperty("capacity_reservation_specification");
  });

  test("takes base, percentage, strategy and sizes from the user", () => {
    const [mixed] = groupsOf({
      onDemandBase: 5,
      spotPercentage: 70,
      spotAllocationStrategy: SpotAllocationStrategy.CAPACITY_OPTIMIZED_PRIORITIZED,
      minNodes: 3,
      desiredNodes: 6,
    });
    expect(distributionOf(mixed)).toMatchObject({
      on_demand_base_capacity: 5,
      on_demand_percentage_above_base_capacity: 30,
      spot_allocation_strategy: "capacity-optimized-prioritized",
    });
    expect(mixed).toMatchObject({ min_size: 3, max_size: 40, desired_capacity: 6 });
  });

  test("has a policy for a single type, too, since it buys in two ways", () => {
    const json = synthSpot({ instanceTypes: ["g6.2xlarge"] }).json;
    expect(madeAt(json, "Resource").block.mixed_instances_policy.launch_template.override).toEqual([
      { instance_type: "g6.2xlarge" },
    ]);
    const fallback = madeAt(json, "Fallback/Resource").block;
    expect(fallback).toHaveProperty("launch_template");
    expect(fallback).not.toHaveProperty("mixed_instances_policy");
  });

  test("launches its On-Demand part into a reservation as far as it reaches, and the fallback does not", () => {
    const of = (baseCapacity: Capacity) => {
      const json = synthSpot({ baseCapacity }).json;
      ofBoth(json, "LaunchTemplate").forEach((template) =>
        expect(template).not.toHaveProperty("capacity_reservation_specification"),
      );
      return ofBoth(json, "Resource").map((group) => group.capacity_reservation_specification);
    };
    expect(of(Capacity.reservation({ reservationId }))).toEqual([
      {
        capacity_reservation_preference: "capacity-reservations-first",
        capacity_reservation_target: { capacity_reservation_ids: [reservationId] },
      },
      undefined,
    ]);
    const resourceGroupArn = "arn:aws:resource-groups:us-east-1:111122223333:group/gpus";
    expect(of(Capacity.reservationGroup({ resourceGroupArn }))).toEqual([
      {
        capacity_reservation_preference: "capacity-reservations-first",
        capacity_reservation_target: { capacity_reservation_resource_group_arns: [resourceGroupArn] },
      },
      undefined,
    ]);
    expect(of(Capacity.onDemand())).toEqual([undefined, undefined]);
  });
});

describe("the fallback group", () => {
  test("is On-Demand alone, of the same types in the same order, from zero", () => {
    const [mixed, fallback] = groupsOf({ minNodes: 3, desiredNodes: 6 });
    expect(distributionOf(fallback)).toMatchObject({
      on_demand_base_capacity: 0,
      on_demand_percentage_above_base_capacity: 100,
    });
    expect(fallback.mixed_instances_policy.launch_template.override).toEqual(
      mixed.mixed_instances_policy.launch_template.override,
    );
    expect(fallback).toMatchObject({ min_size: 0, max_size: 30, desired_capacity: 0 });
    expect(fallback).not.toHaveProperty("capacity_rebalance");
  });

  test("has the bounds that the user gives, and starts at the least", () => {
    const [, fallback] = groupsOf({ fallback: { minNodes: 2, maxNodes: 35 } });
    expect(fallback).toMatchObject({ min_size: 2, max_size: 35, desired_capacity: 2 });
  });

  test("keeps idle nodes half as long as the autoscaler does, or shorter where the pool says so", () => {
    const unneeded = (minutes?: number) =>
      groupsOf(minutes === undefined ? {} : { scaleDown: { unneededMinutes: minutes, unreadyMinutes: 30 } }).map(
        (group) => templateOf(group)["autoscaling-options/scaledownunneededtime"],
      );
    expect(unneeded()).toEqual([undefined, "5m0s"]);
    expect(unneeded(30)).toEqual(["30m0s", "5m0s"]);
    expect(unneeded(3)).toEqual(["3m0s", "3m0s"]);
    const unready = groupsOf({ scaleDown: { unreadyMinutes: 30 } }).map(
      (group) => templateOf(group)["autoscaling-options/scaledownunreadytime"],
    );
    expect(unready).toEqual(["30m0s", "30m0s"]);
  });
});

describe("both groups", () => {
  test("follow the autoscaler's sizes, hold no apply up, and end no busy node to even out the zones", () => {
    for (const group of groupsOf()) {
      expect(group).toMatchObject({
        suspended_processes: ["AZRebalance"],
        wait_for_capacity_timeout: "0",
        ignore_failed_scaling_activities: true,
        lifecycle: { ignore_changes: ["desired_capacity"] },
      });
    }
  });

  test("share one role, profile, access entry and image", () => {
    const json = synthSpot().json;
    const role = Object.keys(resources(json, "aws_iam_role"));
    expect(role).toHaveLength(1);
    expect(theOne(json, "aws_eks_access_entry").principal_arn).toBe(`\${aws_iam_role.${role[0]}.arn}`);
    const [profile] = Object.keys(resources(json, "aws_iam_instance_profile"));
    const [image] = Object.keys(resources(json, "data.aws_ssm_parameter"));
    expect(theOne(json, "aws_iam_instance_profile").role).toBe(`\${aws_iam_role.${role[0]}.name}`);
    expect(theOne(json, "data.aws_ssm_parameter").name).toContain("/nvidia/recommended/image_id");
    for (const template of ofBoth(json, "LaunchTemplate")) {
      expect(template).toMatchObject({
        iam_instance_profile: { arn: `\${aws_iam_instance_profile.${profile}.arn}` },
        image_id: `\${data.aws_ssm_parameter.${image}.insecure_value}`,
        vpc_security_group_ids: ["sg-0123456789abcdef0"],
      });
    }
  });

  test("use a role that is there already", () => {
    const json = synthSpot({ nodeRole: NodeRole.existing({ roleArn }) }).json;
    expect(allOf(json, "aws_iam_role")).toEqual([]);
    expect(theOne(json, "aws_eks_access_entry").principal_arn).toBe(roleArn);
    expect(theOne(json, "aws_iam_instance_profile").role).toBe("gpu-node");
  });

  test("ask for no replacement ahead of a reclaim where nothing is Spot", () => {
    const [mixed] = groupsOf({ spotPercentage: 0 });
    expect(mixed).not.toHaveProperty("capacity_rebalance");
    expect(templateOf(mixed)["label/node-tier"]).toBe("on-demand");
  });

  test("are found by the autoscaler and the termination handler, and are no managed node groups", () => {
    for (const { tag } of groupsOf({ tags: { team: "ml" } })) {
      const tags: [string, string, boolean][] = tag.map((each: Json) => [
        each.key,
        each.value,
        each.propagate_at_launch,
      ]);
      expect(tags).toEqual(
        expect.arrayContaining([
          ["k8s.io/cluster-autoscaler/enabled", "true", false],
          ["k8s.io/cluster-autoscaler/prod", "owned", false],
          ["kubernetes.io/cluster/prod", "owned", true],
          ["aws-node-termination-handler/managed", "true", true],
          ["aws-node-termination-handler/prod", "true", true],
          ["team", "ml", false],
        ]),
      );
      expect(tags.map(([key]) => key)).not.toContain("eks:nodegroup-name");
    }
  });

  test("replace running nodes only where an instance refresh is asked for", () => {
    groupsOf().forEach((group) => expect(group).not.toHaveProperty("instance_refresh"));
    groupsOf({ updatePolicy: UpdatePolicy.newNodesOnly() }).forEach((group) =>
      expect(group).not.toHaveProperty("instance_refresh"),
    );
    groupsOf({ updatePolicy: UpdatePolicy.instanceRefresh({ minHealthyPercentage: 75 }) }).forEach((group) =>
      expect(group.instance_refresh).toEqual({ strategy: "Rolling", preferences: { min_healthy_percentage: 75 } }),
    );
  });

  test("follow a change of the launch template by its number", () => {
    const json = synthSpot({ instanceTypes: ["g6.2xlarge"], spotPercentage: 0 }).json;
    for (const place of ["", "Fallback/"]) {
      const template = madeAt(json, `${place}LaunchTemplate`).address;
      expect(madeAt(json, `${place}Resource`).block.launch_template).toEqual({
        id: `\${${template}.id}`,
        version: `\${${template}.latest_version}`,
      });
    }
  });

  test.each([
    ["300 s at least", undefined, 300],
    ["the whole budget", DrainBudget.inference({ afterSigtermSeconds: 600 }), 630],
  ])("hold nodes that go until they are drained: %s", (_, drain, seconds) => {
    // A budget beyond the Spot notice is for pools without Spot.
    const json = synthSpot({ drain, spotPercentage: drain === undefined ? 80 : 0 }).json;
    for (const place of ["", "Fallback/"]) {
      expect(madeAt(json, `${place}TerminateHook`).block).toEqual({
        name: "drain",
        autoscaling_group_name: `\${${madeAt(json, `${place}Resource`).address}.name}`,
        lifecycle_transition: "autoscaling:EC2_INSTANCE_TERMINATING",
        heartbeat_timeout: seconds,
        default_result: "CONTINUE",
      });
    }
    expect(allOf(json, "aws_autoscaling_lifecycle_hook")).toHaveLength(2);
  });

  test("go before what their nodes need, and after the hooks and alarms that refer to them", () => {
    const json = synthSpot().json;
    const needed = ["aws_iam_role_policy_attachment", "aws_eks_access_entry"].flatMap((type) =>
      Object.keys(resources(json, type)).map((id) => `${type}.${id}`),
    );
    expect(needed).toHaveLength(4);
    const before = (path: string) => prerequisites(json, madeAt(json, path).address);
    for (const place of ["", "Fallback/"]) {
      const group = madeAt(json, `${place}Resource`).address;
      expect(madeAt(json, `${place}Resource`).block.depends_on).toEqual(expect.arrayContaining(needed));
      expect(before(`${place}TerminateHook`)).toContain(group);
      expect(before("ShortageAlarm")).toContain(group);
      expect(before("ReturnAlarm")).toContain(group);
    }
  });
});

test("a schedule changes the mixed group's sizes", () => {
  const { json } = synth((stack) => {
    addSpot(stack).addSchedule({ cron: "0 7 * * 1-5", timezone: "Europe/Berlin", minNodes: 4 });
  });
  const { address, block } = madeAt(json, "Resource");
  expect(theOne(json, "aws_autoscaling_schedule")).toMatchObject({
    autoscaling_group_name: `\${${address}.name}`,
    min_size: 4,
  });
  expect(block.lifecycle.ignore_changes).toEqual(expect.arrayContaining(["min_size", "max_size", "desired_capacity"]));
});

test("the order of the types moves no address and no name", () => {
  const one = synthSpot({ instanceTypes: ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"] }).json;
  const other = synthSpot({ instanceTypes: ["g6.2xlarge", "g6.8xlarge", "g6.4xlarge"] }).json;
  expect(addresses(one)).toEqual(addresses(other));
  const withoutTypes = (json: Json) => {
    const copy = structuredClone(json);
    ofBoth(copy, "Resource").forEach((group) => delete group.mixed_instances_policy.launch_template.override);
    return copy;
  };
  expect(withoutTypes(one)).toEqual(withoutTypes(other));
  expect(one).not.toEqual(other);
});
