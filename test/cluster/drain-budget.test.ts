import { DrainBudget, DrainTimes, TrainingDrainTimes } from "cdktf-elastic-gpu";
import fc from "fast-check";
import { SPOT_NOTICE_SECONDS } from "../../lib/cluster/drain-budget";
import { numberToken } from "../support/samples";
import { problemsOf } from "../support/synth";

const NO_SPOT = "or run these pods on a pool without Spot";

/** Makers as a program without types calls them. */
const makers: any = DrainBudget;

const refusal = (maker: string, times: unknown): string => problemsOf(() => makers[maker](times));

describe("profiles", () => {
  test("inference keeps serving for 15 s, has 90 s after SIGTERM and fills the notice of Spot", () => {
    expect(DrainBudget.inference()).toMatchObject({
      detectionSeconds: 10,
      preStopSeconds: 15,
      afterSigtermSeconds: 90,
      deregistrationSeconds: 15,
      marginSeconds: 5,
      terminationGracePeriodSeconds: 105,
      totalSeconds: 120,
      heartbeatSeconds: 300,
      targetGroupAttributes: "deregistration_delay.timeout_seconds=15",
      sum: "10 s until it is noticed + 15 s preStop + 90 s after SIGTERM + 5 s margin = 120 s",
    });
  });

  test.each([
    ["training", 90, 105, "10 s until it is noticed + 90 s after SIGTERM + 5 s margin = 105 s"],
    ["tightTraining", 40, 55, "10 s until it is noticed + 40 s after SIGTERM + 5 s margin = 55 s"],
  ])("%s has %i s after SIGTERM, no preStop hook and no load balancer", (maker, seconds, totalSeconds, sum) => {
    expect(makers[maker]()).toMatchObject({
      detectionSeconds: 10,
      preStopSeconds: 0,
      afterSigtermSeconds: seconds,
      deregistrationSeconds: 0,
      marginSeconds: 5,
      terminationGracePeriodSeconds: seconds,
      totalSeconds,
      heartbeatSeconds: 300,
      targetGroupAttributes: "deregistration_delay.timeout_seconds=0",
      sum,
    });
  });

  test("each fits the two minutes of a Spot notice", () => {
    for (const budget of [DrainBudget.inference(), DrainBudget.training(), DrainBudget.tightTraining()]) {
      expect(budget._problemFor(SPOT_NOTICE_SECONDS)).toBeUndefined();
    }
  });
});

describe("preStop and deregistration run side by side", () => {
  test.each<[DrainTimes, number, number]>([
    [{ deregistrationSeconds: 30 }, 30, 30],
    [{ deregistrationSeconds: 10 }, 10, 10],
    [{ preStopSeconds: 30 }, 30, 15],
    [{ preStopSeconds: 5 }, 5, 5],
    [{ preStopSeconds: 0 }, 0, 0],
    [{ preStopSeconds: 20, deregistrationSeconds: 20 }, 20, 20],
    [{ preStopSeconds: 20, deregistrationSeconds: 0 }, 20, 0],
    [{ preStopSeconds: undefined, deregistrationSeconds: undefined }, 15, 15],
  ])("%j", (times, preStopSeconds, deregistrationSeconds) => {
    expect(DrainBudget.inference(times)).toMatchObject({ preStopSeconds, deregistrationSeconds });
  });

  test("30 s of both leave 75 s under the notice of Spot", () => {
    const fits = DrainBudget.inference({ deregistrationSeconds: 30, afterSigtermSeconds: 75 });
    expect(fits._problemFor(SPOT_NOTICE_SECONDS)).toBeUndefined();
    expect(DrainBudget.inference({ deregistrationSeconds: 30 })._problemFor(SPOT_NOTICE_SECONDS)).toBe(
      "must fit the 120 s of a Spot notice, got: 10 s until it is noticed + 30 s preStop + 90 s after SIGTERM + 5 s margin = 135 s, " +
        `15 s too long. Shorten afterSigtermSeconds to 75, or preStopSeconds and deregistrationSeconds to 15, ${NO_SPOT}`,
    );
  });
});

describe("a budget over the notice of Spot is refused with its sum and what would do", () => {
  test.each<[DrainBudget, string]>([
    [
      DrainBudget.inference({ preStopSeconds: 16 }),
      "10 s until it is noticed + 16 s preStop + 90 s after SIGTERM + 5 s margin = 121 s, 1 s too long. " +
        "Shorten afterSigtermSeconds to 89, or preStopSeconds to 15",
    ],
    [
      DrainBudget.inference({ afterSigtermSeconds: 106 }),
      "10 s until it is noticed + 15 s preStop + 106 s after SIGTERM + 5 s margin = 136 s, 16 s too long. " +
        "Shorten afterSigtermSeconds to 90",
    ],
    [
      DrainBudget.inference({ preStopSeconds: 200, afterSigtermSeconds: 1 }),
      "10 s until it is noticed + 200 s preStop + 1 s after SIGTERM + 5 s margin = 216 s, 96 s too long. " +
        "Shorten preStopSeconds to 104",
    ],
    [
      DrainBudget.inference({ preStopSeconds: 15, afterSigtermSeconds: 105 }),
      "10 s until it is noticed + 15 s preStop + 105 s after SIGTERM + 5 s margin = 135 s, 15 s too long. " +
        "Shorten afterSigtermSeconds to 90, or preStopSeconds and deregistrationSeconds to 0",
    ],
    [
      DrainBudget.training({ afterSigtermSeconds: 600 }),
      "10 s until it is noticed + 600 s after SIGTERM + 5 s margin = 615 s, 495 s too long. " +
        "Shorten afterSigtermSeconds to 105",
    ],
    [
      DrainBudget.tightTraining({ detectionSeconds: 120, marginSeconds: 0 }),
      "120 s until it is noticed + 40 s after SIGTERM = 160 s, 40 s too long. Shorten several of these times",
    ],
  ])("%#", (budget, text) => {
    expect(budget._problemFor(SPOT_NOTICE_SECONDS)).toBe(
      `must fit the 120 s of a Spot notice, got: ${text}, ${NO_SPOT}`,
    );
  });
});

describe("whatever the times", () => {
  // Their sums lie on both sides of the notice.
  const seconds = (min: number): fc.Arbitrary<number> => fc.integer({ min, max: 70 });
  const inferenceTimes = fc.record({
    detectionSeconds: seconds(0),
    preStopSeconds: seconds(0),
    afterSigtermSeconds: seconds(1),
    marginSeconds: seconds(0),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const budgets: fc.Arbitrary<[DrainBudget, DrainTimes]> = inferenceTimes.map(({ share, ...rest }) => {
    const times = { ...rest, deregistrationSeconds: Math.floor(share * rest.preStopSeconds) };
    return [DrainBudget.inference(times), times];
  });

  test("a budget fits exactly where its times add up to no more than the notice", () => {
    fc.assert(
      fc.property(budgets, ([budget, times]) => {
        const total =
          times.detectionSeconds! + times.preStopSeconds! + times.afterSigtermSeconds! + times.marginSeconds!;
        expect(budget).toMatchObject({ ...times, totalSeconds: total });
        const start = `must fit the 120 s of a Spot notice, got: ${budget.sum}, ${total - 120} s too long. Shorten `;
        const text = budget._problemFor(SPOT_NOTICE_SECONDS);
        expect(text?.slice(0, start.length)).toBe(total <= 120 ? undefined : start);
      }),
      { numRuns: 2000 },
    );
  });

  test("the written sum adds up, and leaves out what takes no time", () => {
    fc.assert(
      fc.property(budgets, ([budget]) => {
        const [summands, total] = budget.sum.split(" = ");
        const numbers = summands!.split(" + ").map((summand) => parseInt(summand, 10));
        expect(numbers.reduce((sum, each) => sum + each, 0)).toBe(budget.totalSeconds);
        expect(total).toBe(`${budget.totalSeconds} s`);
        expect(numbers).not.toContain(0);
      }),
    );
  });

  test("each way out that the text names fits to the second", () => {
    let tried = 0;
    fc.assert(
      fc.property(budgets, ([budget, times]) => {
        const text = budget._problemFor(SPOT_NOTICE_SECONDS) ?? "";
        for (const [, names, value] of text.matchAll(/(\w+Seconds(?: and \w+Seconds)?) to (\d+)/g)) {
          const changes = Object.fromEntries(names!.split(" and ").map((name) => [name, Number(value)]));
          expect(DrainBudget.inference({ ...times, ...changes }).totalSeconds).toBe(SPOT_NOTICE_SECONDS);
          tried++;
        }
      }),
      { numRuns: 500 },
    );
    expect(tried).toBeGreaterThan(100);
  });

  test("the grace period holds the preStop hook, and the hook of the group waits for all of it", () => {
    fc.assert(
      fc.property(budgets, ([budget]) => {
        expect(budget.terminationGracePeriodSeconds - budget.preStopSeconds).toBe(budget.afterSigtermSeconds);
        expect(budget.deregistrationSeconds).toBeLessThanOrEqual(budget.preStopSeconds);
        expect(budget.heartbeatSeconds).toBe(Math.max(300, budget.totalSeconds));
      }),
    );
  });

  test("training adds up like inference without preStop and deregistration", () => {
    const times: fc.Arbitrary<TrainingDrainTimes> = fc.record({
      detectionSeconds: seconds(0),
      afterSigtermSeconds: seconds(1),
      marginSeconds: seconds(0),
    });
    fc.assert(
      fc.property(times, (given) => {
        const inference = DrainBudget.inference({ ...given, preStopSeconds: 0 });
        for (const budget of [DrainBudget.training(given), DrainBudget.tightTraining(given)]) {
          expect(budget).toEqual(inference);
          expect(budget._problemFor(SPOT_NOTICE_SECONDS)).toBe(inference._problemFor(SPOT_NOTICE_SECONDS));
        }
      }),
    );
  });
});

describe("the heartbeat of the group's hook", () => {
  test.each([
    [285, 300],
    [286, 301],
    [7185, 7200],
  ])("%i s after SIGTERM need one of %i s", (afterSigtermSeconds, heartbeatSeconds) => {
    expect(DrainBudget.training({ afterSigtermSeconds }).heartbeatSeconds).toBe(heartbeatSeconds);
  });

  test("cannot be longer than two hours", () => {
    expect(refusal("training", { afterSigtermSeconds: 7186 })).toBe(
      "DrainBudget.training(): all times must be over in 7200 s, the longest that a lifecycle hook waits without a heartbeat, " +
        "got: 10 s until it is noticed + 7186 s after SIGTERM + 5 s margin = 7201 s. Shorten them",
    );
  });
});

describe("bad times", () => {
  const number = "Give the seconds as a number";

  test.each<[string, unknown, string[]]>([
    [
      "inference",
      { afterSigtermSeconds: 0 },
      [`afterSigtermSeconds must be a whole number of at least 1, got: 0. ${number}`],
    ],
    [
      "training",
      { afterSigtermSeconds: -1 },
      [`afterSigtermSeconds must be a whole number of at least 1, got: -1. ${number}`],
    ],
    [
      "tightTraining",
      { marginSeconds: 2.5 },
      [`marginSeconds must be a whole number of at least 0, got: 2.5. ${number}`],
    ],
    [
      "inference",
      { detectionSeconds: NaN },
      [`detectionSeconds must be a whole number of at least 0, got: NaN. ${number}`],
    ],
    [
      "inference",
      { preStopSeconds: "15" },
      [`preStopSeconds must be a whole number of at least 0, got: "15". ${number}`],
    ],
    [
      "inference",
      { preStopSeconds: 15, deregistrationSeconds: 3601 },
      [`deregistrationSeconds must be a whole number from 0 to 3600, got: 3601. ${number}`],
    ],
    [
      "inference",
      { preStopSeconds: 15, deregistrationSeconds: 30 },
      [
        "deregistrationSeconds must be over when SIGTERM comes, at most preStopSeconds, got: 30 s beside 15 s of preStop. " +
          "Leave preStopSeconds out, and it is 30",
      ],
    ],
    [
      "inference",
      {
        detectionSeconds: -1,
        preStopSeconds: 5,
        deregistrationSeconds: 6,
        afterSigtermSeconds: Infinity,
        marginSeconds: [5],
      },
      [
        `detectionSeconds must be a whole number of at least 0, got: -1. ${number}`,
        "deregistrationSeconds must be over when SIGTERM comes, at most preStopSeconds, got: 6 s beside 5 s of preStop. " +
          "Leave preStopSeconds out, and it is 6",
        `afterSigtermSeconds must be a whole number of at least 1, got: Infinity. ${number}`,
        `marginSeconds must be a whole number of at least 0, got: [5]. ${number}`,
      ],
    ],
  ])("DrainBudget.%s(%j) is refused with all that is wrong", (maker, times, lines) => {
    expect(refusal(maker, times)).toBe(lines.map((line) => `DrainBudget.${maker}(): ${line}`).join("\n"));
  });

  test.each([
    ["deregistrationSeconds", -5, "from 0 to 3600"],
    ["deregistrationSeconds", "long", "from 0 to 3600"],
    ["preStopSeconds", "long", "of at least 0"],
  ])("what follows %s is not refused with it (%j)", (name, value, range) => {
    expect(refusal("inference", { [name]: value })).toBe(
      `DrainBudget.inference(): ${name} must be a whole number ${range}, got: ${JSON.stringify(value)}. ${number}`,
    );
  });

  test("a token cannot be added up", () => {
    expect(problemsOf((stack) => DrainBudget.training({ afterSigtermSeconds: numberToken(stack) }))).toBe(
      "DrainBudget.training(): afterSigtermSeconds must be a whole number of at least 1, got: a token. " +
        "Write the number out: it is calculated with at synth",
    );
  });

  test.each([
    ["training", "preStopSeconds"],
    ["tightTraining", "deregistrationSeconds"],
  ])("%s has no %s", (maker, name) => {
    expect(refusal(maker, { [name]: 15 })).toBe(
      `${name} is not an option of DrainBudget.${maker}(), which takes detectionSeconds, afterSigtermSeconds and marginSeconds. ` +
        "Correct its name, or remove it",
    );
  });

  test.each([null, 90, "90", [90]])("%j in place of times is refused", (times) => {
    for (const maker of ["inference", "training", "tightTraining"]) {
      expect(refusal(maker, times)).toMatch(
        new RegExp(
          `^DrainBudget\\.${maker}\\(\\): options must be an object, got: .+\\. Write \\{ detectionSeconds: …`,
        ),
      );
    }
  });
});

test("a budget is recognized, and nothing else is", () => {
  expect(DrainBudget.isDrainBudget(DrainBudget.training())).toBe(true);
  for (const other of [undefined, null, 120, { ...DrainBudget.training() }]) {
    expect(DrainBudget.isDrainBudget(other)).toBe(false);
  }
});
