import { TerraformStack } from "cdktf";
import { NodeSchedule, NodeTaint } from "cdktf-elastic-gpu";
import { addPool } from "../../support/pool";
import { inPool, numberToken } from "../../support/samples";
import { addSpot, spotRefusal } from "../../support/spot";
import { problemsOf, synth } from "../../support/synth";

describe("what is wrong with the fallback alone", () => {
  const tags = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`tag-${index}`, "x"]));
  const tooMany = (others: number, count: number) =>
    `labels: and taints make one tag each on the Auto Scaling group, which takes 50, with ${others} for tags and discovery, got: ${count}. Use fewer labels, taints and tags`;

  test("comes with what is wrong with both", () => {
    expect(spotRefusal({ tags: tags(36) })).toEqual(inPool([tooMany(41, 51)]));
    expect(spotRefusal({ tags: tags(36), imdsHopLimit: 65 })).toEqual(
      inPool([
        "imdsHopLimit: must be a whole number from 1 to 64, got: 65. 1 keeps pods from the node's role, 2 lets them reach it",
        tooMany(41, 51),
      ]),
    );
  });

  test("is not said again where the mixed group has it, too, and the larger number is said", () => {
    expect(spotRefusal({ tags: tags(40) })).toEqual(inPool([tooMany(45, 55)]));
  });

  test("is nothing where the pool's own properties are at fault", () => {
    const every = spotRefusal({
      labels: { "node-tier": "on-demand", "node-lifecycle": "spot" },
      taints: [NodeTaint.noSchedule("node-tier", "spot")],
      fallback: { minNodes: 35, maxNodes: 32 },
      scaleDown: { unneededMinutes: "soon" },
    });
    expect(every.map((line) => /^test\/pool: ([^:]+):/.exec(line)?.[1])).toEqual([
      "scaleDown.unneededMinutes",
      "fallback.minNodes",
      'taints["node-tier"]',
      'labels["node-tier"]',
      'labels["node-lifecycle"]',
    ]);
  });
});
describe("a schedule", () => {
  const scheduled = (choices: Partial<NodeSchedule> | ((stack: TerraformStack) => Partial<NodeSchedule>)) => {
    const build = (stack: TerraformStack) => {
      const sizes = typeof choices === "function" ? choices(stack) : choices;
      addSpot(stack).addSchedule({ cron: "0 7 * * 1-5", timezone: "UTC", ...sizes });
    };
    return build;
  };
  const above = (got: string) =>
    `schedule.maxNodes: must not be above the pool's maxNodes, by which the fallback, the steps and the quotas are worked out, got: "${got}". Raise the pool's maxNodes`;

  test.each<[string, Partial<NodeSchedule>, string[]]>([
    ["for more nodes than the pool's numbers are worked out by", { maxNodes: 41 }, [above("41 of 40")]],
    [
      "for more, with another mistake",
      { maxNodes: 50, minNodes: 60 },
      [
        "schedule: must have minNodes, desiredNodes and maxNodes in that order, got: minNodes 60, maxNodes 50. Correct the sizes",
        above("50 of 40"),
      ],
    ],
    [
      "that asks for more by its minimum alone",
      { minNodes: 41 },
      [
        'schedule: must not ask for more nodes than maxNodes allows at that time, got: 41 of 40 at "0 7 * * 1-5" UTC. Give maxNodes in the schedule, too',
      ],
    ],
  ])("is refused %s", (_, sizes, lines) => {
    for (const line of lines) {
      expect(problemsOf(scheduled(sizes))).toContain(`test/pool: ${line}`);
    }
  });

  test.each<[string, Partial<NodeSchedule> | ((stack: TerraformStack) => Partial<NodeSchedule>)]>([
    ["as many as the pool has", { maxNodes: 40, minNodes: 40 }],
    ["fewer", { maxNodes: 1 }],
    ["as many as Terraform fills in", (stack) => ({ maxNodes: numberToken(stack) })],
  ])("may be for %s", (_, sizes) => {
    expect(() => synth(scheduled(sizes))).not.toThrow();
  });

  test("of another pool may raise its most nodes", () => {
    const schedule = { cron: "0 7 * * 1-5", timezone: "UTC", maxNodes: 41 };
    expect(() => synth((stack) => addPool(stack, { maxNodes: 40 }).addSchedule(schedule))).not.toThrow();
  });
});
