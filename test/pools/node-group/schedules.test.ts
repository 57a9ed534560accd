import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformVariable } from "cdktf";
import { Capacity, NodeGroupType, NodeSchedule } from "cdktf-elastic-gpu";
import { addPool, PoolChoices } from "../../support/pool";
import { allOf, Json, problemsOf, resources, synth, theOne } from "../../support/synth";

const morning: NodeSchedule = { cron: "0 8 * * MON-FRI", timezone: "Europe/Berlin", minNodes: 2 };
const evening: NodeSchedule = { cron: "0 19 * * MON-FRI", timezone: "Europe/Berlin", minNodes: 0 };
const TIME_AND_SIZES = ["recurrence", "time_zone", "min_size", "max_size", "desired_capacity"];
const selfManaged: PoolChoices = { nodeGroupType: NodeGroupType.SELF_MANAGED };

function withSchedules(schedules: NodeSchedule[], choices: PoolChoices = {}): Json {
  return synth((stack) => {
    const pool = addPool(stack, choices);
    schedules.forEach((schedule) => pool.addSchedule(schedule));
  }).json;
}

/** What the group is to do, and when. */
function actions(json: Json): Json[] {
  return allOf(json, "aws_autoscaling_schedule").map((action) =>
    Object.fromEntries(TIME_AND_SIZES.map((property) => [property, action[property]])),
  );
}

/** The lines by which schedules are refused. They may be of any form, as in a program without types. */
function refusal(schedules: any[], choices: PoolChoices = {}): string[] {
  const text = problemsOf((stack) => {
    const pool = addPool(stack, choices);
    schedules.forEach((schedule) => pool.addSchedule(schedule));
  });
  return text.match(/^.*test\/pool: .*$/gm)?.map((line) => line.slice(line.indexOf("test/pool: "))) ?? [text];
}

describe("a schedule", () => {
  test("is an action of the Auto Scaling group, in which sizes left out stay as they are", () => {
    const json = withSchedules([morning, { ...evening, maxNodes: 3, minNodes: 0, desiredNodes: 1 }]);
    expect(actions(json)).toEqual([
      {
        recurrence: "0 8 * * MON-FRI",
        time_zone: "Europe/Berlin",
        min_size: 2,
        max_size: -1,
        desired_capacity: -1,
      },
      { recurrence: "0 19 * * MON-FRI", time_zone: "Europe/Berlin", min_size: 0, max_size: 3, desired_capacity: 1 },
    ]);
  });

  test.each<[string, PoolChoices, RegExp]>([
    ["that EKS made", {}, /^\$\{aws_eks_node_group\.\w+\.resources\[0\]\.autoscaling_groups\[0\]\.name\}$/],
    ["of the pool's own", selfManaged, /^\$\{aws_autoscaling_group\.\w+\.name\}$/],
  ])("belongs to the group %s", (_, choices, name) => {
    const { autoscaling_group_name: group } = theOne(withSchedules([morning], choices), "aws_autoscaling_schedule");
    expect(group).toMatch(name);
  });

  test("has an address and a name that follow its time alone, and so neither its sizes nor the order", () => {
    const named = (schedules: NodeSchedule[]) =>
      Object.fromEntries(
        Object.entries(resources(withSchedules(schedules), "aws_autoscaling_schedule")).map(([id, action]) => [
          action.recurrence,
          [id, action.scheduled_action_name],
        ]),
      );
    expect(named([morning, evening])).toEqual(named([evening, { ...morning, minNodes: 1, maxNodes: 4 }]));
  });

  test.each<[string, NodeSchedule]>([
    ["cron", { ...morning, cron: "30 8 * * MON-FRI" }],
    ["zone", { ...morning, timezone: "Europe/London" }],
  ])("with another %s is another action", (_, changed) => {
    const [before, after] = [morning, changed].map((schedule) => withSchedules([schedule]));
    const [[idBefore, first], [idAfter, second]] = [before, after].map(
      (json) => Object.entries(resources(json, "aws_autoscaling_schedule"))[0],
    );
    expect(idAfter).not.toBe(idBefore);
    expect(second.scheduled_action_name).not.toBe(first.scheduled_action_name);
  });

  test("of the same time as another is one action with it", () => {
    const json = withSchedules([morning, { ...morning, maxNodes: 4 }, { ...morning, desiredNodes: 3 }]);
    expect(actions(json)).toEqual([
      { recurrence: "0 8 * * MON-FRI", time_zone: "Europe/Berlin", min_size: 2, max_size: 4, desired_capacity: 3 },
    ]);
  });

  test("takes sizes that Terraform fills in", () => {
    const json = synth((stack) => {
      const nodes = new TerraformVariable(stack, "nodes", { type: "number" });
      addPool(stack, {}).addSchedule({ ...morning, minNodes: nodes.numberValue });
    }).json;
    expect(theOne(json, "aws_autoscaling_schedule").min_size).toBe("${var.nodes}");
  });

  test("has the provider of its pool and comes after what the pool comes after", () => {
    const json = synth((stack) => {
      const provider = new AwsProvider(stack, "west", { alias: "west", region: "us-west-2" });
      const { resource } = addPool(stack, selfManaged, "first");
      addPool(stack, { ...selfManaged, provider, dependsOn: [resource] }).addSchedule(morning);
    }).json;
    const { provider, depends_on: before } = theOne(json, "aws_autoscaling_schedule");
    expect(provider).toBe("aws.west");
    expect(before).toEqual([expect.stringMatching(/^aws_autoscaling_group\.first_/)]);
  });
});

describe("sizes of a group with schedules", () => {
  const managed = (json: Json) => theOne(json, "aws_eks_node_group").lifecycle.ignore_changes;
  const own = (json: Json) => theOne(json, "aws_autoscaling_group").lifecycle.ignore_changes;

  test("are left alone by Terraform, of a managed group", () => {
    expect(managed(withSchedules([]))).toEqual(["scaling_config[0].desired_size"]);
    expect(managed(withSchedules([morning, evening]))).toEqual([
      "scaling_config[0].desired_size",
      "scaling_config[0].min_size",
      "scaling_config[0].max_size",
    ]);
  });

  test("are left alone by Terraform, of a self-managed group", () => {
    expect(own(withSchedules([], selfManaged))).toEqual(["desired_capacity"]);
    expect(own(withSchedules([morning, evening], selfManaged))).toEqual(["desired_capacity", "min_size", "max_size"]);
  });

  test("are left alone with all else where the program said so", () => {
    const { json } = synth((stack) => {
      const pool = addPool(stack, selfManaged);
      pool.resource.lifecycle = { ignoreChanges: "all" };
      pool.addSchedule(morning);
    });
    expect(own(json)).toBe("all");
  });

  test("keep the rest of the lifecycle", () => {
    expect(theOne(withSchedules([morning]), "aws_eks_node_group").lifecycle.create_before_destroy).toBe(true);
  });
});

describe("time zones", () => {
  test.each([
    "UTC",
    "Etc/UTC",
    "Etc/GMT+9",
    "Asia/Calcutta",
    "Asia/Kolkata",
    "America/Argentina/Buenos_Aires",
    "US/Eastern",
    "Japan",
    "EST5EDT",
    "America/Port-au-Prince",
    "Pacific/Tahiti",
  ])("%s is taken", (timezone) => {
    expect(actions(withSchedules([{ ...morning, timezone }]))).toEqual([
      expect.objectContaining({ time_zone: timezone }),
    ]);
  });

  test.each(["Europe/Berln", "CET+1", "UTC+2", "+02:00", "", "Local", "europe/berlin", "EUROPE/BERLIN", "Us/Eastern"])(
    "%j is refused",
    (timezone) => {
      expect(refusal([{ ...morning, timezone }])).toEqual([
        `test/pool: schedule.timezone: must be the name of an IANA time zone, in its exact spelling, got: "${timezone}". Such as Europe/Berlin or UTC`,
      ]);
    },
  );
});

describe("a schedule is refused", () => {
  test.each<[string, any, string[]]>([
    [
      "whose cron is none",
      { ...morning, cron: "0 8 * * MON-FRY" },
      [
        'schedule.cron: must have a day of the week from 0 to 7, as a number, a list, a range that runs forwards, or a step, got: "0 8 * * MON-FRY". Such as "0 8 * * MON-FRI"',
      ],
    ],
    [
      "with all that is wrong at once",
      { cron: "0 8 30 2 *", timezone: "Mars/Olympus", minNodes: 1.5, desiredNodes: -1 },
      [
        'schedule.cron: must match a day that exists, got: "0 8 30 2 *". Such as "0 8 * * MON-FRI"',
        'schedule.timezone: must be the name of an IANA time zone, in its exact spelling, got: "Mars/Olympus". Such as Europe/Berlin or UTC',
        "schedule.minNodes: must be a whole number of at least 0, got: 1.5. Leave a size out to keep it",
        "schedule.desiredNodes: must be a whole number of at least 0, got: -1. Leave a size out to keep it",
      ],
    ],
    [
      "that changes nothing",
      { cron: "0 8 * * *", timezone: "UTC" },
      [
        'schedule: must change at least one of minNodes, maxNodes and desiredNodes, got: {"cron":"0 8 * * *","timezone":"UTC"}. Give the size that the clock is to change',
      ],
    ],
    [
      "with a minimum above its maximum",
      { ...morning, minNodes: 3, maxNodes: 2 },
      [
        "schedule: must have minNodes, desiredNodes and maxNodes in that order, got: minNodes 3, maxNodes 2. Correct the sizes",
      ],
    ],
    [
      "with a desired size outside of its bounds",
      { ...morning, minNodes: 1, maxNodes: 2, desiredNodes: 3 },
      [
        "schedule: must have minNodes, desiredNodes and maxNodes in that order, got: minNodes 1, maxNodes 2, desiredNodes 3. Correct the sizes",
      ],
    ],
  ])("%s", (_, schedule, lines) => {
    expect(refusal([schedule])).toEqual(lines.map((line) => `test/pool: ${line}`));
  });

  test("whose time is a token, since its address is made from it", () => {
    const message = problemsOf((stack) => {
      const zone = new TerraformVariable(stack, "zone", { type: "string" });
      addPool(stack, {}).addSchedule({ ...morning, timezone: zone.stringValue });
    });
    expect(message).toBe(
      "test/pool: schedule: must have a literal cron and timezone, because the action's address is made from them, got: a token. Write them out",
    );
  });

  test.each<[string, any, string]>([
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a cron alone", "0 8 * * *", '"0 8 * * *"'],
    ["a list", [morning], '[{"cron":"0 8 * * MON-FRI","timezone":"Europe/Berlin","minNodes":2}]'],
  ])("that is %s", (_, schedule, got) => {
    expect(refusal([schedule])).toEqual([
      `test/pool: addSchedule: must be given a schedule, got: ${got}. Give cron, timezone and at least one size`,
    ]);
  });

  test("with a property that there is not", () => {
    expect(refusal([{ ...evening, minNodes: undefined, replicas: 3 }])).toEqual([
      "test/pool: schedule.replicas: is not a property of this construct. Correct its name, or remove it",
      'test/pool: schedule: must change at least one of minNodes, maxNodes and desiredNodes, got: {"cron":"0 19 * * MON-FRI","timezone":"Europe/Berlin","replicas":3}. Give the size that the clock is to change',
    ]);
  });

  test.each<[string, NodeSchedule[], string]>([
    [
      "a desired size below its minimum",
      [{ ...morning, minNodes: undefined, desiredNodes: 1 }],
      "minNodes 2, desiredNodes 1",
    ],
    ["a maximum below its minimum", [{ ...morning, minNodes: undefined, maxNodes: 1 }], "minNodes 2, maxNodes 1"],
    [
      "a maximum below its desired size, in a third call",
      [
        { ...morning, minNodes: undefined, desiredNodes: 4 },
        { ...morning, minNodes: undefined, maxNodes: 3 },
      ],
      "minNodes 2, maxNodes 3, desiredNodes 4",
    ],
  ])("that gives another of the same time %s", (_, schedules, sizes) => {
    expect(refusal([morning, ...schedules])).toEqual([
      `test/pool: schedule: must have minNodes, desiredNodes and maxNodes in that order, got: ${sizes}. Correct the sizes`,
    ]);
  });

  const reserved: PoolChoices = {
    availabilityZones: ["us-east-1a"],
    capacity: Capacity.reservation({ reservationId: "cr-0123456789abcdef0", instanceCount: 4 }),
  };
  const notReserved = (size: string): string =>
    `test/pool: schedule.${size}: must not be above the instances reserved, since nothing is launched outside of the reservation, got: "5 of 4". Lower it, or schedule a second pool for the rest`;

  test.each([["minNodes"], ["maxNodes"], ["desiredNodes"]])("whose %s is above what is reserved", (size) => {
    const { cron, timezone } = morning;
    expect(refusal([{ cron, timezone, [size]: 5 }], reserved)).toEqual([notReserved(size)]);
    expect(actions(withSchedules([{ cron, timezone, [size]: 4 }], reserved))).toHaveLength(1);
  });

  test("whose sizes are above a Capacity Block", () => {
    const block = Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", instanceCount: 4 });
    const choices = { ...reserved, instanceTypes: ["p5.48xlarge"], capacity: block };
    expect(refusal([{ ...morning, minNodes: 5, maxNodes: 5 }], choices)).toEqual(
      ["minNodes", "maxNodes"].map(notReserved),
    );
  });

  test("that says otherwise than another of the same time", () => {
    expect(refusal([morning, { ...morning, minNodes: 3, maxNodes: 4 }])).toEqual([
      'test/pool: schedule.minNodes: must have one value for one time, and is 2 at "0 8 * * MON-FRI" Europe/Berlin already, got: 3. Say it in one place',
    ]);
  });

  const together = (first: string, second: string, time: string): string =>
    "test/pool: schedule.cron: must not fall due together with another of the pool, because Auto Scaling takes one action " +
    `for an instant, got: ${first} and ${second}, both at ${time}. Take the day out of one, or shift it by a minute`;

  test.each<[string, NodeSchedule, string]>([
    [
      "in one zone",
      { cron: "0 8 * * FRI", timezone: "Europe/Berlin", maxNodes: 4 },
      together('"0 8 * * FRI" Europe/Berlin', '"0 8 * * MON-FRI" Europe/Berlin', "Fri 7 Jan, 08:00"),
    ],
    [
      "in another zone",
      { cron: "0 2 * * *", timezone: "America/New_York", maxNodes: 4 },
      together('"0 2 * * *" America/New_York', '"0 8 * * MON-FRI" Europe/Berlin', "Mon 3 Jan, 02:00"),
    ],
    [
      "when written otherwise",
      { cron: "00 08 * * 1-5", timezone: "Europe/Berlin", minNodes: 2 },
      together('"00 08 * * 1-5" Europe/Berlin', '"0 8 * * MON-FRI" Europe/Berlin', "Mon 3 Jan, 08:00"),
    ],
  ])("that falls due together with another, %s", (_, schedule, line) => {
    expect(refusal([morning, schedule])).toEqual([line]);
  });

  test("without having changed anything", () => {
    const json = synth((stack) => {
      const pool = addPool(stack, {});
      expect(() => pool.addSchedule({ ...morning, timezone: "Mars/Olympus" })).toThrow("IANA");
    }).json;
    expect(allOf(json, "aws_autoscaling_schedule")).toEqual([]);
    expect(theOne(json, "aws_eks_node_group").lifecycle.ignore_changes).toEqual(["scaling_config[0].desired_size"]);
  });
});

describe("schedules that contradict each other, or the pool, are refused at synth", () => {
  test.each<[string, NodeSchedule[], string[]]>([
    [
      "more nodes than the pool may have",
      [{ ...morning, minNodes: 5 }],
      [
        'schedule: must not ask for more nodes than maxNodes allows at that time, got: 5 of 4 at "0 8 * * MON-FRI" Europe/Berlin. Give maxNodes in the schedule, too',
      ],
    ],
    [
      "fewer nodes than every minimum that may hold then",
      [{ ...evening, minNodes: undefined, desiredNodes: 1 }],
      [
        'schedule: must not ask for fewer nodes than the minNodes of that time, got: 1 under 2 at "0 19 * * MON-FRI" Europe/Berlin. Give minNodes in the schedule, too',
      ],
    ],
    [
      "a maximum below every minimum that may hold then",
      [{ cron: evening.cron, timezone: evening.timezone, maxNodes: 1 }],
      [
        'schedule: must not lower maxNodes below the minNodes of that time, got: 1 under 2 at "0 19 * * MON-FRI" Europe/Berlin. Give minNodes in the schedule, too',
      ],
    ],
  ])("%s", (_, schedules, lines) => {
    expect(refusal(schedules, { minNodes: 2 })).toEqual(lines.map((line) => `test/pool: ${line}`));
  });

  test("but not where another schedule may have made room", () => {
    const schedules = [
      { cron: "30 18 * * MON-FRI", timezone: "Europe/Berlin", desiredNodes: 1 },
      evening,
      { ...morning, minNodes: 5 },
      { cron: "50 7 * * MON-FRI", timezone: "Europe/Berlin", maxNodes: 6 },
    ];
    expect(actions(withSchedules(schedules, { minNodes: 2 }))).toHaveLength(4);
  });

  test("but not where the pool's bounds are tokens", () => {
    const json = synth((stack) => {
      const most = new TerraformVariable(stack, "most", { type: "number" });
      addPool(stack, { maxNodes: most.numberValue }).addSchedule({ ...morning, minNodes: 500 });
    }).json;
    expect(actions(json)).toEqual([expect.objectContaining({ min_size: 500 })]);
  });
});

describe("many schedules", () => {
  const ZONES = ["Europe/Berlin", "America/New_York", "UTC", "Asia/Kolkata", "Africa/Casablanca"];
  const many = (count: number, schedule: (index: number) => NodeSchedule) =>
    Array.from({ length: count }, (_, index) => schedule(index));
  const yearly = (index: number): NodeSchedule => ({
    cron: `0 9 ${1 + (index % 28)} ${1 + Math.floor(index / 28)} *`,
    timezone: "UTC",
    minNodes: 1,
  });

  test("are at most 125", () => {
    expect(actions(withSchedules(many(125, yearly)))).toHaveLength(125);
    expect(refusal(many(126, yearly))).toEqual([
      "test/pool: addSchedule: must be called for at most 125 times of one pool, got: 126. Merge some with lists in cron",
    ]);
  });

  test("may be added to while their times are not new", () => {
    const schedules = [...many(125, yearly), { ...yearly(0), maxNodes: 4 }];
    expect(actions(withSchedules(schedules))).toHaveLength(125);
  });

  test.each<[string, (index: number) => NodeSchedule]>([
    ["of one time on different days", yearly],
    [
      "of whole days in several zones",
      (index) => ({
        cron: `0 * ${2 + 2 * (index % 14)} ${1 + Math.floor(index / 14)} *`,
        timezone: ZONES[index % ZONES.length],
        minNodes: 1,
      }),
    ],
  ])("take less than two seconds, %s", (_, schedule) => {
    synth((stack) => {
      const pool = addPool(stack, {});
      const started = performance.now();
      many(125, schedule).forEach((one) => pool.addSchedule(one));
      expect(performance.now() - started).toBeLessThan(2000);
    });
  });
});

describe("the end of a Capacity Block", () => {
  const block = (endsAt: string): PoolChoices => ({
    ...selfManaged,
    instanceTypes: ["p5.48xlarge"],
    availabilityZones: ["us-east-1a"],
    capacity: Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0", endsAt }),
  });

  test.each<[string, string, string]>([
    ["on the same day", "2026-12-24T11:30:00Z", "50 10 24 12 *"],
    ["written without seconds", "2026-12-24T11:30Z", "50 10 24 12 *"],
    ["across midnight", "2026-12-24T00:10:00Z", "30 23 23 12 *"],
    ["across the end of a month", "2026-05-01T00:39:00Z", "59 23 30 4 *"],
    ["across the end of February", "2027-03-01T00:00:00Z", "20 23 28 2 *"],
    ["across the end of a February in a leap year", "2028-03-01T00:00:00Z", "20 23 29 2 *"],
    ["across the end of a year", "2027-01-01T00:00:00Z", "20 23 31 12 *"],
  ])("finds a self-managed group at zero 40 minutes before: %s", (_, endsAt, recurrence) => {
    const json = withSchedules([], block(endsAt));
    expect(actions(json)).toEqual([{ recurrence, time_zone: "UTC", min_size: 0, max_size: 0, desired_capacity: 0 }]);
    expect(theOne(json, "aws_autoscaling_group").lifecycle.ignore_changes).toContain("max_size");
  });

  test("is left to EKS in a managed group", () => {
    const capacity = Capacity.capacityBlock({ reservationId: "cr-0123456789abcdef0" });
    const json = withSchedules([], { ...block(""), capacity, nodeGroupType: NodeGroupType.MANAGED });
    expect(allOf(json, "aws_autoscaling_schedule")).toEqual([]);
  });

  test("is a time at which nothing else may be scheduled", () => {
    const sameDay = { cron: "50 11 24 12 *", timezone: "Europe/Berlin", maxNodes: 4 };
    expect(refusal([sameDay], block("2026-12-24T11:30:00Z"))).toEqual([
      expect.stringContaining(
        'got: "50 11 24 12 *" Europe/Berlin and "50 10 24 12 *" UTC, both at Sun 24 Dec, 11:50. Take the day out',
      ),
    ]);
  });
});
