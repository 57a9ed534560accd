import { Headroom, PurchasePlan } from "cdktf-elastic-gpu";
import { ClosedLoop, Moment } from "../support/closed-loop";
import {
  between,
  falls,
  gaps,
  lastGone,
  least,
  most,
  nodeMinutes,
  recovery,
  rises,
  timesOf,
} from "../support/closed-loop/figures";
import { loopOf, LoopSettings, PolicySettings } from "../support/closed-loop/settings";
import { AutoscalerHealth, World } from "../support/closed-loop/world";
import { Json } from "../support/synth";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const PODS = 10;
const BOOT = 4 * MINUTE;
/** Between the notice and the end of a Spot instance. */
const NOTICE = 2 * MINUTE;
/** Until a size is measured and its data point read, and until Auto Scaling has launched what it is told to. */
const LAG = 2.5 * MINUTE;
/** When Spot dries up: the nodes before it are up for long enough that no delay of the autoscaler is left. */
const LOSS = 30 * MINUTE;
const BACK = LOSS + 20 * MINUTE;
/** More Spot instances than anybody asks for. */
const PLENTY = 1000;

const settings = loopOf();
const heldUp = loopOf({ minNodes: PODS });

const minutesOf = (name: string): number =>
  settings.alarms.find((alarm) => alarm.name === name)!.alarm.evaluation_periods * MINUTE;
const evaluation = minutesOf("ShortageAlarm");
const interval = minutesOf("ReturnAlarm");
const { onDemandBase, spotPercentage } = settings.mixed;
const spotNodes = PurchasePlan.mixed({ onDemandBase, spotPercentage }).at(PODS).spot;

/** Spot that cannot be had from one instant to another. */
const dry =
  (from: number, to: number) =>
  (now: number): number =>
    now >= from && now < to ? 0 : PLENTY;

const from =
  (start: number, health: AutoscalerHealth) =>
  (now: number): AutoscalerHealth =>
    now < start ? "working" : health;

function run(loop: LoopSettings, end: number, changes: Partial<World> = {}): ClosedLoop {
  const simulation = new ClosedLoop(loop, {
    spot: dry(LOSS, BACK),
    pods: () => PODS,
    autoscaler: () => "working",
    bootSeconds: BOOT,
    retrySeconds: MINUTE,
    failureForEach: true,
    detectionSeconds: 10,
    drainSeconds: 2 * MINUTE,
    metricDelaySeconds: MINUTE,
    ...changes,
  });
  simulation.runUntil(end);
  return simulation;
}

const rows: [string, string][] = [];
const report = (what: string, figure: string): number => rows.push([what, figure]);
afterAll(() => {
  const width = Math.max(...rows.map(([what]) => what.length));
  console.info(rows.map(([what, figure]) => `${what.padEnd(width)}  ${figure}`).join("\n"));
});

/** The least and the most, in minutes. */
const minutes = (...seconds: number[]): string =>
  [...new Set([Math.min(...seconds), Math.max(...seconds)])].map((each) => (each / MINUTE).toFixed(1)).join(" to ");

describe("all Spot nodes are lost at once", () => {
  /** What is not known: when within a minute it happens, how soon a launch is tried again, and what counts as one failure. */
  const unknowns = [0, 10, 20, 30, 40, 50].flatMap((shift) =>
    [20, 5 * MINUTE].flatMap((retrySeconds) =>
      [true, false].map((failureForEach) => ({ loss: LOSS + shift, retrySeconds, failureForEach })),
    ),
  );

  function atEachUnknown(health: AutoscalerHealth): { seconds: number[]; fallbacks: number[] } {
    const histories = unknowns.map(({ loss, ...unknown }) => {
      const world = { spot: dry(loss, loss + HOUR), autoscaler: from(loss, health), ...unknown };
      return { loss, history: run(settings, loss + interval, world).history };
    });
    return {
      seconds: histories.map(({ history, loss }) => recovery(history, loss)),
      fallbacks: histories.map(({ history }) => most(history, "fallbackDesired")),
    };
  }

  test("the autoscaler replaces them within three minutes and a boot, however often launches are tried again", () => {
    const { seconds, fallbacks } = atEachUnknown("working");
    report(`${spotNodes} of ${PODS} nodes lost, autoscaler works`, `pods run again after ${minutes(...seconds)} min`);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(3 * MINUTE + BOOT);
    expect(Math.max(...fallbacks)).toBeLessThanOrEqual(spotNodes);
  });

  test.each<[string, AutoscalerHealth]>([
    ["the autoscaler is down", "off"],
    ["the autoscaler lowers the one group and cannot raise the other", "without second tier"],
  ])(
    "the alarms do where %s, by what is missing, once the nodes are gone and the evaluation is over",
    (what, health) => {
      const { seconds, fallbacks } = atEachUnknown(health);
      report(`${spotNodes} of ${PODS} nodes lost, ${what}`, `pods run again after ${minutes(...seconds)} min`);
      expect(Math.max(...seconds)).toBeLessThanOrEqual(NOTICE + evaluation + LAG + BOOT);
      expect(new Set(fallbacks)).toEqual(new Set([spotNodes]));
    },
  );

  test("nobody does without alarms and autoscaler", () => {
    const { history } = run({ ...settings, alarms: [] }, BACK, { autoscaler: from(LOSS, "off") });
    expect(recovery(history, LOSS)).toBe(Infinity);
    expect(most(history, "fallbackDesired")).toBe(0);
  });
});

describe("Spot is dry for 20 minutes and comes back", () => {
  const end = LOSS + 4 * HOUR;
  const tooMany = ({ mixedThere, fallbackThere }: Moment): number => Math.max(0, mixedThere + fallbackThere - PODS);

  test.each([0, 20, 40])(
    "sizes settle while it is dry, and go one way when it is back (%i s into a minute)",
    (shift) => {
      const loop = run(settings, end, { spot: dry(LOSS + shift, BACK + shift) });
      const [firstReturn] = timesOf(loop, "lowered");
      expect(firstReturn).toBeGreaterThanOrEqual(LOSS + interval);
      const settled = between(loop.history, LOSS + shift + 3 * MINUTE, firstReturn);
      expect(most(settled, "mixedDesired")).toBe(least(settled, "mixedDesired"));
      // One more where the autoscaler counted on nodes that were on notice; it is idle, and goes.
      expect(least(settled, "fallbackDesired")).toBeGreaterThanOrEqual(spotNodes - 1);
      expect(most(settled, "fallbackDesired")).toBeLessThanOrEqual(spotNodes);

      const there = least(between(loop.history, BACK + shift), "mixedThere");
      const first = between(loop.history, BACK + shift).find(({ mixedThere }) => mixedThere > there)!.at;
      const back = between(loop.history, first);
      expect(rises(back, "mixedThere")).toBe(true);
      expect(falls(back, "fallbackDesired")).toBe(true);
      expect(most(between(back, first + BOOT), "podsWaiting")).toBeLessThanOrEqual(1);
      expect(least(loop.history.slice(-1), "mixedThere")).toBe(PODS);

      const gone = lastGone(loop.history) - BACK - shift;
      const overlap = nodeMinutes(back, tooMany);
      const inVain = timesOf(loop, "lowered").filter((at) => at < first - 3 * MINUTE).length;
      report(
        `Spot dry for 20 min, from ${shift} s into a minute`,
        `${inVain} go round in vain, the first Spot node is back after ${minutes(first - BACK - shift)} min, the last stand-in gone after ${minutes(gone)} min, both overlap by ${overlap} node minutes`,
      );
      const { mostBackoffSeconds } = settings.autoscaler;
      expect(gone).toBeLessThanOrEqual(mostBackoffSeconds + spotNodes * (interval + 3 * MINUTE));
    },
  );

  test("with the alarms alone both groups overlap, until the stand-ins have gone one by one", () => {
    const { history } = run(settings, end, { autoscaler: from(LOSS, "off") });
    expect(rises(between(history, LOSS, BACK), "fallbackDesired")).toBe(true);
    const back = between(history, BACK);
    expect(rises(back, "mixedThere")).toBe(true);
    expect(falls(back, "fallbackDesired")).toBe(true);
    expect(most(back, "podsWaiting")).toBeLessThanOrEqual(1);

    const gone = lastGone(history) - BACK;
    const overlap = nodeMinutes(back, tooMany);
    report(
      "Spot dry for 20 min, alarms alone",
      `the last stand-in gone after ${minutes(gone)} min, both overlap by ${overlap} node minutes`,
    );
    expect(gone).toBeLessThanOrEqual((spotNodes + 1) * (interval + 2 * MINUTE));
  });

  test("a pod that has to move finds the headroom, where there is some", () => {
    const longest = (loop: LoopSettings): number => {
      const waits = between(run(loop, end).history, BACK).map(({ podsWaiting }) => (podsWaiting > 0 ? "x" : " "));
      return (
        10 *
        Math.max(
          ...waits
            .join("")
            .split(" ")
            .map(({ length }) => length),
        )
      );
    };
    const [without, withOne] = [longest(settings), longest(loopOf({ headroom: Headroom.nodes(1) }))];
    report("A pod that moves back to Spot waits", `${without} s, with one node of headroom ${withOne} s`);
    expect(without).toBeGreaterThanOrEqual(BOOT);
    expect(withOne).toBe(0);
  });
});

describe("a minimum is held up while Spot is dry", () => {
  const spot = dry(0, 2 * HOUR);

  test("the autoscaler waits for nodes that do not come, for as long as Spot is dry", () => {
    const { history } = run({ ...heldUp, alarms: [] }, 2 * HOUR, { spot });
    expect(most(history, "fallbackDesired")).toBe(0);
    expect(history[history.length - 1]).toMatchObject({ mixedThere: PODS - spotNodes, podsWaiting: spotNodes });
  });

  test("the alarm raises the fallback once, by what is missing", () => {
    const loop = run(heldUp, 2 * HOUR, { spot });
    const recovered = recovery(loop.history, 0);
    report(`A minimum of ${PODS} with as many pods on dry Spot`, `pods run after ${minutes(recovered)} min`);
    expect(recovered).toBeLessThanOrEqual(evaluation + LAG + BOOT);
    expect(timesOf(loop, "raised")).toHaveLength(1);
    expect(least(between(loop.history, recovered), "fallbackDesired")).toBe(spotNodes);
    expect(most(loop.history, "fallbackDesired")).toBe(spotNodes);
  });

  test.each([12, 30])("a schedule that raises it %i minutes ahead of the pods has nodes for them, or soon", (lead) => {
    const [opening, pods] = [HOUR, HOUR + lead * MINUTE];
    const { history } = run(settings, 2 * HOUR, {
      spot,
      minNodes: (now) => (now >= opening ? PODS : 0),
      pods: (now) => (now >= pods ? PODS : 2),
    });
    const waiting = between(history, pods).filter(({ podsWaiting }) => podsWaiting > 0);
    report(`A minimum raised on dry Spot ${lead} min ahead of ${PODS} pods`, `they wait ${waiting.length * 10} s`);
    expect(waiting.length * 10).toBeLessThanOrEqual(evaluation + LAG + BOOT);
    expect(least(history.slice(-1), "podsWaiting")).toBe(0);
  });

  test("without pods the autoscaler takes the stand-ins back, and the alarm raises them again, round after round", () => {
    const loop = run(heldUp, 2 * HOUR, { spot, pods: () => 0 });
    const rounds = gaps(timesOf(loop, "raised"));
    const idle = nodeMinutes(loop.history, ({ fallbackThere }) => fallbackThere);
    report(
      `A minimum of ${PODS} without pods on dry Spot`,
      `raised every ${minutes(...rounds)} min, ${rounds.length + 1} times in 2 h: ${idle} node minutes`,
    );
    expect(most(loop.history, "fallbackDesired")).toBeLessThanOrEqual(spotNodes);
    expect(Math.min(...rounds)).toBeGreaterThanOrEqual(evaluation + BOOT + settings.fallback.unneededSeconds!);
  });
});

describe("an action that CloudWatch repeats every minute", () => {
  const changed = (loop: LoopSettings, change: Partial<PolicySettings>): LoopSettings => ({
    ...loop,
    alarms: loop.alarms.map((alarm) => ({
      ...alarm,
      policies: alarm.policies.map((policy) => ({ ...policy, ...change })),
    })),
  });

  test("raises nothing twice, although metrics lag behind", () => {
    const lags = [MINUTE, 1.5 * MINUTE, 2 * MINUTE];
    const largest = (loop: LoopSettings): number[] =>
      lags.map((metricDelaySeconds) => {
        const { history } = run(loop, HOUR, { spot: dry(0, HOUR), metricDelaySeconds });
        return most(history, "fallbackDesired");
      });
    expect(largest(heldUp)).toEqual(lags.map(() => spotNodes));
    // It is the warm-up that keeps it from doing so.
    expect(Math.max(...largest(changed(heldUp, { estimated_instance_warmup: 0 })))).toBeGreaterThan(spotNodes);
  });

  test("lowers by one node in each interval", () => {
    const shortest = (loop: LoopSettings): number => {
      const lowered = timesOf(run(loop, LOSS + 4 * HOUR, { autoscaler: from(LOSS, "off") }), "lowered");
      expect(lowered).toHaveLength(spotNodes);
      return Math.min(...gaps(lowered));
    };
    expect(shortest(settings)).toBeGreaterThanOrEqual(interval);
    // It is the cooldown that keeps it from more.
    expect(shortest(changed(settings, { cooldown: 0 }))).toBeLessThan(interval / 2);
  });
});

describe("there is nothing to return to, or nothing to replace", () => {
  test("while Spot stays dry, one node goes round in each interval, and no more", () => {
    const loop = run(settings, LOSS + 4 * HOUR, { spot: dry(LOSS, LOSS + 5 * HOUR) });
    const lowered = timesOf(loop, "lowered");
    const later = between(loop.history, LOSS + 3 * MINUTE + BOOT);
    const waits = nodeMinutes(later, ({ podsWaiting }) => podsWaiting);
    report("Spot dry for 4 h", `${lowered.length} nodes go round, pods wait for ${waits} min in all`);
    expect(lowered.length).toBeGreaterThan(1);
    expect(Math.min(...gaps(lowered))).toBeGreaterThanOrEqual(interval);
    expect(most(later, "podsWaiting")).toBeLessThanOrEqual(1);
    expect(most(later, "fallbackDesired")).toBeLessThanOrEqual(spotNodes);
    expect(least(later, "fallbackDesired")).toBeGreaterThanOrEqual(spotNodes - 2);
  });

  describe("more pods than the mixed group may have nodes", () => {
    const small = loopOf({ maxNodes: PODS });
    const [end, excess] = [4 * HOUR, 4];
    const world = { spot: () => PLENTY, pods: (now: number) => (now < end ? PODS + excess : PODS - 2) };

    test("stay on what stands in for as long as there are, and none of it goes round", () => {
      const loop = run(small, end, world);
      const settled = between(loop.history, 3 * MINUTE + 2 * BOOT);
      report(
        `${PODS + excess} pods on a pool of ${PODS} nodes, with Spot`,
        `${excess} nodes stand in, ${timesOf(loop, "lowered").length} go round`,
      );
      expect(loop.events).toEqual([]);
      expect([least(settled, "fallbackThere"), most(settled, "fallbackThere")]).toEqual([excess, excess]);
      expect([least(settled, "mixedThere"), most(settled, "podsWaiting")]).toEqual([PODS, 0]);
    });

    test("leave it when they are fewer", () => {
      const { history } = run(small, end + 2 * HOUR, world);
      expect(history[history.length - 1]).toMatchObject({ mixedThere: PODS - 2, fallbackThere: 0, podsWaiting: 0 });
    });

    test("is not the case with as many: the last node that stands in returns, too", () => {
      const { history } = run(small, LOSS + 4 * HOUR);
      expect(most(history, "fallbackThere")).toBe(spotNodes);
      expect(history[history.length - 1]).toMatchObject({ mixedThere: PODS, fallbackThere: 0, podsWaiting: 0 });
    });

    test("would have it go round for ever, if the return did not ask for room", () => {
      const withoutRoom = {
        ...small,
        alarms: small.alarms.map(({ alarm, ...each }) => ({
          ...each,
          alarm: {
            ...alarm,
            metric_query: alarm.metric_query.map((query: Json) => ({
              ...query,
              expression: query.expression?.replace(" AND (desired < max_size)", ""),
            })),
          },
        })),
      };
      const lowered = timesOf(run(withoutRoom, end, world), "lowered");
      expect(lowered.length).toBeGreaterThan(5);
      expect(Math.max(...gaps(lowered))).toBeLessThan(2 * interval);
    });
  });

  test("replacements that fail raise nothing while the instances that EC2 expects to take still run", () => {
    const loop = run(settings, LOSS + HOUR, {
      spot: (now) => (now < LOSS ? PLENTY : spotNodes),
      atRisk: (now) => (now < LOSS ? 0 : spotNodes),
      retrySeconds: 20,
    });
    expect(loop.mixed.failures.size).toBeGreaterThan(50);
    expect(loop.events).toEqual([]);
    expect(most(loop.history, "fallbackDesired")).toBe(0);
  });

  test("a day without a shortage raises nothing, and at night no node is left", () => {
    const loop = run(settings, 4 * HOUR, {
      spot: () => PLENTY,
      pods: (now) => [4, 35, PODS, 0][Math.floor(now / HOUR)]!,
    });
    expect(loop.events).toEqual([]);
    expect(most(loop.history, "mixedThere")).toBe(35);
    expect(loop.history[loop.history.length - 1]).toMatchObject({ mixedThere: 0, fallbackDesired: 0, podsWaiting: 0 });
  });
});
