import { execFileSync } from "node:child_process";
import { AcceleratorType, DrainBudget, PurchasePlan } from "cdktf-elastic-gpu";
import { parse } from "yaml";
import { PAUSE_IMAGE } from "../../lib/cluster/pause-image";
import { valuesOf } from "../support/addon";
import { evaluateQueries } from "../support/metric-math";
import { Json } from "../support/synth";
import { pages, plainTextOf, run, sectionOf, snippetsOf, Synthesized, textOf } from "./pages";

const PAGE = "docs/spot.md";
const page = plainTextOf(PAGE);
const [sketch] = snippetsOf(PAGE);
const { resources } = run(sketch!) as Synthesized;

/** A resource of the page's first snippet, by the path that its construct ends with. */
function made(type: string, path: string): Json {
  const found = Object.values<Json>(resources[type]).find((each) => each["//"].metadata.path.endsWith(path));
  expect([type, path, found]).toEqual([type, path, expect.any(Object)]);
  return found!;
}

const mixed = made("aws_autoscaling_group", "/inference/Resource");
const fallback = made("aws_autoscaling_group", "/Fallback/Resource");
const shortage = made("aws_cloudwatch_metric_alarm", "/ShortageAlarm");
const returning = made("aws_cloudwatch_metric_alarm", "/ReturnAlarm");
const autoscaler = valuesOf(made("helm_release", "/autoscaler/Resource"));
const handler = valuesOf({
  values: [made("helm_release", "/termination-handler/Resource").values[0].replace(/\$\{[^}]*\}/g, '""')],
});
const { on_demand_base_capacity: base, on_demand_percentage_above_base_capacity: onDemandPercentage } =
  mixed.mixed_instances_policy.instances_distribution;
const plan = PurchasePlan.mixed({ onDemandBase: base, spotPercentage: 100 - onDemandPercentage });

/** Rows of a table in a section, by what they begin with. */
function rowsOf(heading: string): Record<string, string[]> {
  const rows = [...sectionOf(PAGE, heading).matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split(" | "));
  return Object.fromEntries(rows.map(([first, ...others]) => [first!, others]));
}

const minutesOf = (duration: string): number => Number(/^(\d+)m/.exec(duration)?.[1]);
const unneededMinutes = minutesOf(autoscaler.extraArgs["scale-down-unneeded-time"]);
const fallbackMinutes = minutesOf(fallback.tag.find(({ key }: Json) => key.endsWith("/scaledownunneededtime")).value);

test("the two groups are as the page says", () => {
  const priorities = parse(autoscaler.expanderPriorities) as Record<string, string[]>;
  const priorityOf = ({ name }: Json) =>
    Object.keys(priorities).find((each) => priorities[each]!.includes(`^${name}$`));
  const rows = rowsOf("## The two groups");
  expect(rows["bought as"]![0]).toContain(`first ${base} On-Demand`);
  expect(rows["bought as"]![0]).toContain(`${100 - onDemandPercentage} % Spot`);
  expect(rows.nodes![0]).toContain(`${mixed.min_size} to ${mixed.max_size}`);
  expect(rows.nodes![1]).toContain(`${fallback.min_size} to ${fallback.max_size}`);
  expect(rows["priority in the autoscaler"]).toEqual([priorityOf(mixed), priorityOf(fallback)]);
  expect(rows["an idle node goes after"]).toEqual([`${unneededMinutes} minutes`, `${fallbackMinutes} minutes`]);
  const taint = fallback.tag.find(({ key }: Json) => key.endsWith("/taint/node-tier"));
  expect(rows["taint beyond the usual one"]![1]).toContain(`\`node-tier=${taint.value}\``);
});

/** How many nodes the alarm wants to stand in while the mixed group has so many of those that it wants. */
function missing(desired: number, inService: number): number | undefined {
  const sizes: Json = { desired, in_service: inService, pending: 0, fallback: 0 };
  const series = ({ id }: Json) => new Map([[0, sizes[id]]]);
  return evaluateQueries(shortage.metric_query, series, { from: 0, to: 0 }).get(0);
}

test("On-Demand stands in at the numbers of Spot nodes that the page says", () => {
  const rows = Object.entries(rowsOf("## How it gives way")).filter(([nodes]) => /^\d+$/.test(nodes));
  expect(rows.length).toBeGreaterThan(4);
  for (const [nodes, [onDemand, spot, atMost]] of rows) {
    const asked = plan.at(Number(nodes));
    expect([nodes, onDemand, spot]).toEqual([nodes, `${asked.onDemand}`, `${asked.spot}`]);
    const breaching = Array.from({ length: asked.spot + 1 }, (_, there) => there).filter(
      (there) => missing(Number(nodes), asked.onDemand + there)! >= shortage.threshold,
    );
    const most = breaching.length - 1;
    expect(breaching).toEqual(breaching.map((_, there) => there));
    expect([nodes, atMost]).toEqual([nodes, most < 0 ? "never" : `${most} ${most === 1 ? "is" : "are"} there`]);
  }
});

test("the example of a shortage comes to what the page says", () => {
  const { onDemand, spot } = plan.at(10);
  const there = 6;
  const given = there - onDemand;
  expect(page.replace(/\n/g, " ")).toContain(
    `At 10 nodes ${onDemand} are never Spot and ${spot} are. If ${there} nodes are there in all, ${given} of ${spot} are Spot, ` +
      `${Math.round((100 * given) / spot)} %, and ${missing(10, there)} are missing; counted over all nodes it would be ${there * 10} %`,
  );
});

test("who moves a size after how long is as the page says", () => {
  const rows = rowsOf("### Who moves which size when");
  const raise = made("aws_autoscaling_policy", "/RaiseFallback");
  const lower = made("aws_autoscaling_policy", "/ReturnToSpot");
  expect(rows["the two shortage alarms"]![2]).toBe(
    `after ${shortage.evaluation_periods} minutes; again when the last nodes are ${raise.estimated_instance_warmup} seconds old`,
  );
  expect(rows["`ReturnAlarm`"]![2]).toBe(
    `after ${returning.evaluation_periods} minutes without a shortage and with room in the mixed group, once in ${lower.cooldown / 60} minutes`,
  );
  expect(lower.scaling_adjustment).toBe(-1);
  const exact = raise.step_adjustment.findIndex((step: Json, index: number) => step.scaling_adjustment !== index + 1);
  expect(sectionOf(PAGE, "## How it gives way")).toContain(`here up to ${exact} nodes at once`);
  expect(rows["Cluster Autoscaler"]![0]).toContain(`idle for ${unneededMinutes} minutes`);
  expect(rows["Cluster Autoscaler"]![1]).toContain(`idle for ${fallbackMinutes} minutes`);
  const backoff = minutesOf(autoscaler.extraArgs["initial-node-group-backoff-duration"]);
  expect(page).toContain(`leaves the group alone for ${backoff} minutes`);
});

const budgets = [DrainBudget.inference(), DrainBudget.training(), DrainBudget.tightTraining()];

test.each([
  ["until the notice is noticed, `detectionSeconds`", (budget: DrainBudget) => budget.detectionSeconds],
  ["preStop, while the balancer stops sending, `preStopSeconds`", (budget: DrainBudget) => budget.preStopSeconds],
  ["after SIGTERM, `afterSigtermSeconds`", (budget: DrainBudget) => budget.afterSigtermSeconds],
  ["planned for nothing, `marginSeconds`", (budget: DrainBudget) => budget.marginSeconds],
  ["together, of the 120 of a Spot notice", (budget: DrainBudget) => budget.totalSeconds],
  ["`terminationGracePeriodSeconds` of the pods", (budget: DrainBudget) => budget.terminationGracePeriodSeconds],
  ["beside preStop: `deregistrationSeconds`", (budget: DrainBudget) => budget.deregistrationSeconds],
  ["heartbeat of the terminate hooks", (budget: DrainBudget) => budget.heartbeatSeconds],
])("the profiles' times, %s, are the library's", (row, of) => {
  expect(rowsOf("## Drain budget")[row]).toEqual(budgets.map((budget) => `${of(budget)}`));
});

test("the pod in YAML has the times of the default budget", () => {
  const [, text = ""] = /^```yaml\n(.*?)^```$/ms.exec(textOf(PAGE)) ?? [];
  const { terminationGracePeriodSeconds, preStopSeconds } = DrainBudget.inference();
  const { spec } = parse(text);
  expect(spec.terminationGracePeriodSeconds).toBe(terminationGracePeriodSeconds);
  expect(spec.containers[0].lifecycle.preStop.sleep.seconds).toBe(preStopSeconds);
});

test("the seconds of a reclaim follow from the pool's budget, its hook and the handler", () => {
  const budget = DrainBudget.inference();
  const rows = rowsOf("## One reclaim, second by second");
  const evicted = budget.detectionSeconds;
  const sigterm = evicted + budget.preStopSeconds;
  const sigkill = sigterm + budget.afterSigtermSeconds;
  const end = sigkill + budget.marginSeconds;
  expect(Object.keys(rows).sort()).toEqual(
    ["second", "------", "before", "0", evicted, sigterm, sigkill, end].map(String).sort(),
  );
  expect(rows[0]![0]).toContain(`has ${end} seconds`);
  expect(rows[evicted]![1]).toContain(`in flight ${budget.deregistrationSeconds} seconds`);
  expect(rows[sigterm]![0]).toContain(`has ${budget.afterSigtermSeconds} seconds`);
  expect(rows[sigkill]![0]).toContain(`grace period of ${budget.terminationGracePeriodSeconds} seconds`);
  expect(rows[sigkill]![1]).toContain(`after ${handler.nodeTerminationGracePeriod} seconds`);
  expect(rows[end]![0]).toContain(`margin of ${budget.marginSeconds} seconds`);
  expect(rows[end]![1]).toContain(`idle for ${unneededMinutes} minutes`);
  for (const hook of Object.values<Json>(resources.aws_autoscaling_lifecycle_hook)) {
    expect(rows.before![1]).toContain(`up to ${hook.heartbeat_timeout} seconds`);
  }
});

test("names in commands are those of the page's pool", () => {
  for (const prefix of ["gpu-inference-inference", "gpu-inference-inference-spot-shortage"]) {
    expect(page).toContain(`--alarm-name-prefix ${prefix} `);
    expect(shortage.alarm_name).toMatch(new RegExp(`^${prefix}-`));
  }
  expect(mixed.name).toMatch(/^gpu-inference-inference-(?!.*Fallback)/);
  expect(fallback.name).toMatch(/^gpu-inference-inference-.*Fallback/);
});

test("each group of the page's pool has a command that finds its name", () => {
  const [, definition = ""] = /^(of_pool\(\) \{.*?\})\n/ms.exec(textOf(PAGE)) ?? [];
  // In the place of AWS: the query that it would get.
  const queryOf = (which: string) =>
    execFileSync("bash", ["-c", `aws() { printf %s "\${@: -1}"; }; ${definition}\nof_pool ${which}`], {
      encoding: "utf8",
    });
  const [, mixedIs = ""] = /^mixed=\$\(of_pool (\w+)\)$/m.exec(page) ?? [];
  const [, fallbackIs = ""] = /^fallback=\$\(of_pool (\w+)\)$/m.exec(page) ?? [];
  const query = (is: string) =>
    `AutoScalingGroups[?starts_with(AutoScalingGroupName, 'gpu-inference-inference-') && contains(AutoScalingGroupName, 'Fallback') == \`${is}\`].AutoScalingGroupName | [0]`;
  expect([mixedIs, fallbackIs]).toEqual(["false", "true"]);
  expect([mixedIs, fallbackIs].map((is) => queryOf(is).replace(/\s+/g, " "))).toEqual([query("false"), query("true")]);
});

test("no command has a sign that an interactive bash takes for a command of before", () => {
  const commands = pages.flatMap((each) =>
    [...textOf(each).matchAll(/^```bash\n(.*?)^```$/gms)].map(([, code]) => ({ page: each, code })),
  );
  expect(commands.length).toBeGreaterThan(20);
  expect(commands.filter(({ code }) => code!.includes("!"))).toEqual([]);
});

test("the image of placeholders is the library's", () => {
  expect(page).toContain(`\`${PAUSE_IMAGE}\``);
  expect(page).toContain(`\`${PAUSE_IMAGE.split("/").pop()}\``);
});

test("what it costs is the catalogue's price times the pool's numbers", () => {
  const section = sectionOf(PAGE, "## What it costs, and what it costs to get wrong").replace(/\n/g, " ");
  const [smallest, , largest] = ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"].map(
    (type) => AcceleratorType.of(type).onDemandUsdPerHour!,
  );
  const most = mixed.max_size + fallback.max_size;
  const alarms = Object.values<Json>(resources.aws_cloudwatch_metric_alarm).filter(({ metric_query }) => metric_query);
  const metrics = alarms.flatMap(({ metric_query }) => metric_query.filter(({ metric }: Json) => metric)).length;
  expect(section).toContain(`about ${(metrics / 10).toFixed(2)} USD a month for the ${metrics} metrics`);
  expect(section).toContain(
    `${most} nodes: ${(most * smallest!).toFixed(2)} an hour if all are On-Demand \`g6.2xlarge\`, ${(most * largest!).toFixed(2)} if all are \`g6.8xlarge\``,
  );
  expect(section).toContain(`each node ${Math.round(smallest! * 730)} a month`);
  const { spot } = plan.at(10);
  expect(section).toContain(
    `${spot} nodes that stood in once stay On-Demand: ${(spot * smallest!).toFixed(2)} an hour`,
  );
  expect(plainTextOf("README.md")).toContain(`${most} nodes, ${(most * smallest!).toFixed(2)} USD an hour`);
});
