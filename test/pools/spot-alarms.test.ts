import { PurchasePlan } from "cdktf-elastic-gpu";
import { AlarmState, MetricAlarm } from "../support/metric-alarm";
import { evaluateQueries, Series } from "../support/metric-math";
import { madeAt, SpotChoices, synthSpot } from "../support/spot";
import { Json } from "../support/synth";

const alarmOf = (id: string, choices: SpotChoices = {}): Json => madeAt(synthSpot(choices).json, id).block;

/** Data points of consecutive minutes by the ids of metrics; undefined is a missing one. */
type Points = { [id: string]: (number | undefined)[] };

const seriesOf = (points: (number | undefined)[] = []): Series =>
  new Map(points.flatMap((value, minute) => (value === undefined ? [] : [[minute, value] as const])));

const lengthOf = (points: Points): number => Math.max(...Object.values(points).map(({ length }) => length));

/** What the queries of an alarm return, minute by minute. */
function valuesOf(queries: Json[], points: Points): (number | undefined)[] {
  const range = { from: 0, to: lengthOf(points) - 1 };
  const result = evaluateQueries(queries, ({ id }) => seriesOf(points[id]), range);
  return Array.from({ length: range.to + 1 }, (_, minute) => result.get(minute));
}

/** The state of an alarm after all minutes, and the number by which its policy picks a step. */
function evaluationOf(alarm: Json, points: Points, before: AlarmState = "OK") {
  return new MetricAlarm(alarm).evaluate(lengthOf(points) - 1, ({ id }) => seriesOf(points[id]), before);
}

const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

describe("metric math, as the CloudWatch User Guide has it", () => {
  const points: Points = {
    m1: [30, 20, 0, 0],
    m2: [20, undefined, 20, undefined],
    condition: [1, 1, 0, 0, undefined],
    yes: [30, undefined, 0, 0, 30],
    no: [0, 0, 20, undefined, 20],
  };
  const valueOf = (expression: string): (number | undefined)[] =>
    valuesOf([...Object.keys(points).map((id) => ({ id, metric: {} })), { id: "e", expression, return_data: true }], {
      ...points,
    });

  test.each([
    ["m1 < m2", [0, 0, 1, 0, undefined]],
    ["m1 >= 30", [1, 0, 0, 0, undefined]],
    ["m1 > 15 AND m2 > 15", [1, 0, 0, 0, undefined]],
    ["m1 > 25 || m2 > 15", [1, 0, 1, 0, undefined]],
    ["m1 != 20 && m1 == 30", [1, 0, 0, 0, undefined]],
    ["IF(condition, yes, no)", [30, 0, 20, undefined, undefined]],
    ["IF(condition, 5, no)", [5, 5, 20, undefined, undefined]],
    ["IF(condition, yes, 5)", [30, 0, 5, 5, undefined]],
    ["IF(condition, yes)", [30, 0, undefined, undefined, undefined]],
    ["IF(1, m2, m1)", [20, 0, 20, 0, 0]],
    ["m1 + m2", [50, 20, 20, 0, undefined]],
    ["m1 - m2 * 2", [-10, 20, -40, 0, undefined]],
    ["(m1 - m2) * 2", [20, 40, -40, 0, undefined]],
    ["10 - m2 - 1", [-11, undefined, -11, undefined, undefined]],
    ["-m1 + 1", [-29, -19, 1, 1, undefined]],
    ["m1 / m2", [1.5, undefined, 0, undefined, undefined]],
    ["m2 / 0", [undefined, undefined, undefined, undefined, undefined]],
    ["CEIL(m1 / 7)", [5, 3, 0, 0, undefined]],
    ["FLOOR(m1 / 7) * 2", [8, 4, 0, 0, undefined]],
    ["FILL(m2, 7)", [20, 7, 20, 7, 7]],
    ["FILL(m2, REPEAT)", [20, 20, 20, 20, 20]],
    ["FILL(m2 - m1, REPEAT)", [-10, -20, 20, 0, 0]],
    ["FILL(IF(no == 20, no), REPEAT)", [undefined, undefined, 20, 20, 20]],
  ])("%s", (expression, expected) => expect(valueOf(expression)).toEqual(expected));

  test.each([
    ["MAX(m1)", "no function MAX of 1 arguments is known, got: MAX(m1)"],
    ["CEIL(m1, m2)", "no function CEIL of 2 arguments is known, got: CEIL(m1, m2)"],
    ["CEIL(7.5)", "the argument of CEIL must be a time series, got: the number 7.5"],
    ["FILL(m1, LINEAR)", "cannot read LINEAR in the expression, got: FILL(m1, LINEAR)"],
    ["FILL(m1, m2)", "FILL takes a number or REPEAT, got: FILL(m1, m2)"],
    ["m1 +", "cannot read the end in the expression, got: m1 +"],
    ["m1 m2", "cannot read m2 in the expression, got: m1 m2"],
    ["m1 % 2", "cannot read % 2 in the expression, got: m1 % 2"],
    ["1 + 2", "the expression of e must be a time series, got: the number 3"],
    ["m3", "no metric query has the id m3"],
    ["e + 1", "a circle of metric queries has the id e"],
  ])("%s is refused", (expression, message) => expect(() => valueOf(expression)).toThrow(new Error(message)));

  test("one query alone returns data", () => {
    const query = { id: "m1", metric: {}, return_data: true };
    expect(() => valuesOf([query, { ...query, id: "m2" }], points)).toThrow(
      new Error("expected one metric query that returns data, got: m1, m2"),
    );
  });
});

describe("states of alarms, as the CloudWatch User Guide has them", () => {
  const stateOf = (line: string, treatment: string | undefined, breaches: number): AlarmState => {
    const alarm = new MetricAlarm({
      comparison_operator: "GreaterThanThreshold",
      threshold: 3,
      evaluation_periods: 3,
      datapoints_to_alarm: breaches,
      treat_missing_data: treatment,
    });
    const points = line.split(" ").map((sign) => ({ X: 4, "0": 3 })[sign]);
    return alarm.stateOf(points, "ALARM");
  };

  // The columns are: treated as missing, ignored, breaching, not breaching.
  test.each([
    ["0 - X - X", 3, ["OK", "OK", "OK", "OK"]],
    ["0 - - - -", 3, ["OK", "OK", "OK", "OK"]],
    ["- - - - -", 3, ["INSUFFICIENT_DATA", "ALARM", "ALARM", "OK"]],
    ["0 X X - X", 3, ["ALARM", "ALARM", "ALARM", "ALARM"]],
    ["- - - - X", 3, ["INSUFFICIENT_DATA", "ALARM", "ALARM", "OK"]],
    ["X - - - -", 3, ["ALARM", "ALARM", "ALARM", "OK"]],
    ["0 - X - X", 2, ["ALARM", "ALARM", "ALARM", "ALARM"]],
    ["0 0 X 0 X", 2, ["ALARM", "ALARM", "ALARM", "ALARM"]],
    ["0 - X - -", 2, ["OK", "OK", "ALARM", "OK"]],
    ["- - - - 0", 2, ["OK", "OK", "ALARM", "OK"]],
    ["- - - - X", 2, ["INSUFFICIENT_DATA", "ALARM", "ALARM", "OK"]],
  ])("%s with %i data points to alarm, three evaluated, in ALARM before", (line, breaches, expected) => {
    const treatments = [undefined, "ignore", "breaching", "notBreaching"];
    expect(treatments.map((treatment) => stateOf(line, treatment, breaches))).toEqual(expected);
  });

  test.each([
    ["GreaterThanOrEqualToThreshold", ["OK", "ALARM", "ALARM"]],
    ["GreaterThanThreshold", ["OK", "OK", "ALARM"]],
    ["LessThanOrEqualToThreshold", ["ALARM", "ALARM", "OK"]],
    ["LessThanThreshold", ["ALARM", "OK", "OK"]],
  ])("%s", (comparison_operator, expected) => {
    const alarm = new MetricAlarm({ comparison_operator, threshold: 3, evaluation_periods: 1 });
    expect([2, 3, 4].map((value) => alarm.stateOf([value], "OK"))).toEqual(expected);
  });
});

describe("nodes that Spot does not give", () => {
  const shortage = alarmOf("ShortageAlarm");
  const sizes = (desired: number, there: number, fallback = 0, minutes = 3): Points => ({
    desired: times(minutes, desired),
    in_service: times(minutes, there),
    pending: times(minutes, 0),
    fallback: times(minutes, fallback),
  });

  // Of 2 and 20 % of what is above them, rounded up, On-Demand; the percentage is of the Spot nodes, rounded down.
  test.each([
    // desired, On-Demand, granted %, Spot nodes granted of those asked for, missing
    [4, 3, 0, "0 of 1", 1],
    [4, 3, 40, "0 of 1", 1],
    [4, 3, 59, "0 of 1", 1],
    [4, 3, 60, "0 of 1", 1],
    [5, 3, 0, "0 of 2", 2],
    [5, 3, 40, "0 of 2", 2],
    [5, 3, 59, "1 of 2", 1],
    [5, 3, 60, "1 of 2", 1],
    [10, 4, 0, "0 of 6", 6],
    [10, 4, 40, "2 of 6", 4],
    [10, 4, 59, "3 of 6", 3],
    [10, 4, 60, "3 of 6", 3],
    [40, 10, 0, "0 of 30", 30],
    [40, 10, 40, "12 of 30", 18],
    [40, 10, 59, "17 of 30", 13],
    [40, 10, 60, "18 of 30", 0],
  ])(
    "desired %i, %i On-Demand, %i %% of the Spot part is %s: %i missing",
    (desired, onDemand, percent, text, missing) => {
      const spot = Math.floor(((desired - onDemand) * percent) / 100);
      expect(`${spot} of ${desired - onDemand}`).toBe(text);
      const points = sizes(desired, onDemand + spot);
      expect(valuesOf(shortage.metric_query, points)).toEqual(times(3, missing));
      expect(evaluationOf(shortage, points)).toEqual({ state: missing > 0 ? "ALARM" : "OK", value: missing });
    },
  );

  test.each([
    ["half of them stands in", sizes(10, 4, 3), 3],
    ["all of them stand in", sizes(10, 4, 6), 0],
    ["more than are missing stand in", sizes(10, 4, 8), 0],
    ["exactly the threshold is there", sizes(9, 7), 0],
    ["one less than the threshold is there", sizes(9, 6), 3],
    ["On-Demand itself falls short, too", sizes(10, 1), 9],
    ["On-Demand alone falls short, within the base", sizes(2, 0), 0],
    ["nothing is wanted", sizes(0, 0), 0],
    ["the group is above its size while it shrinks", sizes(4, 10), 0],
  ])("where %s", (_, points, missing) => expect(valuesOf(shortage.metric_query, points)).toEqual(times(3, missing)));

  test("an instance that starts counts as one that is there", () => {
    expect(valuesOf(shortage.metric_query, { ...sizes(10, 4), pending: [0, 3, 6] })).toEqual([6, 3, 0]);
  });

  test("it takes three minutes in a row", () => {
    const short = sizes(10, 4, 0, 6);
    expect(evaluationOf(shortage, { ...short, in_service: [10, 10, 10, 10, 4, 4] }).state).toBe("OK");
    expect(evaluationOf(shortage, { ...short, in_service: [10, 10, 10, 4, 4, 4] }).state).toBe("ALARM");
    expect(evaluationOf(shortage, { ...short, in_service: [4, 4, 4, 4, 10, 4] }, "ALARM").state).toBe("OK");
  });

  const minutes = 6;
  const ids = ["desired", "in_service", "pending", "fallback"];
  test("without any metric there is no alarm", () => {
    expect(evaluationOf(shortage, { desired: times(minutes, undefined) })).toEqual({ state: "OK", value: undefined });
  });

  test.each(ids)("without the metric %s there is no alarm, whatever the others say", (id) => {
    const points = { ...sizes(10, 4, 0, minutes), [id]: times(minutes, undefined) };
    expect(evaluationOf(shortage, points)).toEqual({ state: "OK", value: undefined });
  });

  test.each(ids)("a minute without the metric %s decides nothing", (id) => {
    const gap = (points: Points): Points => ({
      ...points,
      [id]: points[id]!.map((value, at) => (at === 4 ? undefined : value)),
    });
    expect(evaluationOf(shortage, gap(sizes(10, 10, 0, minutes))).state).toBe("OK");
    expect(evaluationOf(shortage, gap(sizes(10, 4, 2, minutes)))).toEqual({ state: "ALARM", value: 4 });
  });

  test("metrics that are late do not end an alarm", () => {
    const late = Object.entries(sizes(10, 4, 0, 5)).map(([id, points]) => [id, [...points.slice(0, 4), undefined]]);
    expect(evaluationOf(shortage, Object.fromEntries(late), "ALARM")).toEqual({ state: "ALARM", value: 6 });
  });

  test.each<[string, SpotChoices, number, number, number]>([
    ["the defaults", {}, 2, 80, 60],
    ["no base", { onDemandBase: 0 }, 0, 80, 60],
    ["a base above most sizes", { onDemandBase: 30 }, 30, 80, 60],
    ["no Spot", { spotPercentage: 0 }, 2, 0, 60],
    ["nothing but Spot above the base", { spotPercentage: 100 }, 2, 100, 60],
    ["nothing but Spot", { onDemandBase: 0, spotPercentage: 100 }, 0, 100, 60],
    [
      "a third of Spot, and a threshold that is no even part",
      { spotPercentage: 33, fallback: { thresholdPercentage: 7 } },
      2,
      33,
      7,
    ],
    ["a threshold of all", { fallback: { thresholdPercentage: 100 } }, 2, 80, 100],
  ])("with %s the number is right at every size", (_, choices, onDemandBase, spotPercentage, threshold) => {
    const { metric_query } = alarmOf("ShortageAlarm", choices);
    const plan = PurchasePlan.mixed({ onDemandBase, spotPercentage });
    const cases: { desired: number; there: number; fallback: number; missing: number }[] = [];
    for (let desired = 0; desired <= 40; desired++) {
      const { onDemand, spot } = plan.at(desired);
      for (let there = 0; there <= desired; there++) {
        const short = spot >= 1 && (there - onDemand) * 100 < spot * threshold;
        for (const fallback of [0, 1, 7]) {
          cases.push({ desired, there, fallback, missing: short ? Math.max(0, desired - there - fallback) : 0 });
        }
      }
    }
    const points = {
      desired: cases.map(({ desired }) => desired),
      in_service: cases.map(({ there }) => Math.floor(there / 2)),
      pending: cases.map(({ there }) => Math.ceil(there / 2)),
      fallback: cases.map(({ fallback }) => fallback),
    };
    expect(valuesOf(metric_query, points)).toEqual(cases.map(({ missing }) => missing));
  });
});

describe("launches that failed while the autoscaler hid what is missing", () => {
  const failures = alarmOf("LaunchFailureAlarm");
  const lowered: Points = {
    desired: [4, 10, 4, 4, 4],
    in_service: times(5, 4),
    pending: times(5, 0),
    fallback: times(5, 0),
    failed: [undefined, 6, undefined, undefined, undefined],
  };

  test("what was wanted when a launch failed is missing for as long as nothing stands in", () => {
    expect(valuesOf(failures.metric_query, lowered)).toEqual([0, 6, 6, 6, 6]);
    expect(evaluationOf(failures, lowered)).toEqual({ state: "ALARM", value: 6 });
  });

  test.each([1, 6, 24])("%i events say the same: attempts are many, and an event is not an instance", (count) => {
    const failed = [undefined, count, undefined, undefined, undefined];
    expect(evaluationOf(failures, { ...lowered, failed })).toEqual({ state: "ALARM", value: 6 });
  });

  test.each<[string, Points]>([
    ["no launch failed", { ...lowered, failed: times(5, undefined) }],
    ["the autoscaler itself raised the fallback", { ...lowered, fallback: [0, 0, 6, 6, 6] }],
    ["Spot came after all", { ...lowered, desired: [4, 10, 10, 10, 10], in_service: [4, 4, 6, 10, 10] }],
    ["a replacement failed before anything was lost", { ...lowered, desired: times(5, 10), in_service: times(5, 10) }],
    ["a launch within the base failed", { ...lowered, desired: [1, 2, 1, 1, 1], in_service: times(5, 1) }],
    ["nothing but failures is known", { failed: lowered.failed! }],
  ])("there is no alarm where %s", (_, points) => expect(evaluationOf(failures, points).state).toBe("OK"));

  test("sizes that are late leave the newest minute out", () => {
    const late = (id: string): (number | undefined)[] => [...lowered[id]!.slice(0, 4), undefined];
    const points = {
      ...lowered,
      ...Object.fromEntries(["desired", "in_service", "pending", "fallback"].map((id) => [id, late(id)])),
    };
    expect(valuesOf(failures.metric_query, points)).toEqual([0, 6, 6, 6, undefined]);
  });
});

describe("the way back", () => {
  const back = alarmOf("ReturnAlarm");
  const whole = (minutes: number): Points => ({
    desired: times(minutes, 10),
    in_service: times(minutes, 10),
    max_size: times(minutes, 40),
    fallback: times(minutes, 6),
  });

  test("a node goes after 15 minutes in which the mixed group was whole", () => {
    expect(evaluationOf(back, whole(15))).toEqual({ state: "ALARM", value: 1 });
    expect(evaluationOf(back, whole(14)).state).toBe("OK");
    expect(evaluationOf(back, { ...whole(20), in_service: [...times(12, 10), 9, ...times(7, 10)] }).state).toBe("OK");
  });

  test.each<[string, Points]>([
    ["nobody stands in", { ...whole(20), fallback: times(20, 0) }],
    ["the mixed group waits for Spot", { ...whole(20), in_service: times(20, 9) }],
    ["the mixed group has no room", { ...whole(20), max_size: times(20, 10) }],
    ["a schedule has lowered its most nodes below what it has", { ...whole(20), max_size: times(20, 8) }],
    ["its most nodes are missing", { ...whole(20), max_size: times(20, undefined) }],
    ["sizes of the mixed group are missing", { fallback: times(20, 6) }],
    ["its desired capacity is missing", { ...whole(20), desired: times(20, undefined) }],
    [
      "what it has is missing, and nothing is wanted",
      { ...whole(20), desired: times(20, 0), in_service: times(20, undefined) },
    ],
    ["nothing is known", { desired: times(20, undefined) }],
  ])("none goes where %s", (_, points) => expect(evaluationOf(back, points).state).toBe("OK"));

  test("room for one is enough", () => {
    expect(evaluationOf(back, { ...whole(15), max_size: times(15, 11) })).toEqual({ state: "ALARM", value: 1 });
  });

  test("none goes below the least that is to stand in", () => {
    const alarm = alarmOf("ReturnAlarm", { fallback: { minNodes: 2 } });
    expect(
      [2, 3].map((fallback) => evaluationOf(alarm, { ...whole(15), fallback: times(15, fallback) }).state),
    ).toEqual(["OK", "ALARM"]);
  });
});
