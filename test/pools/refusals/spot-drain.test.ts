import { DrainBudget } from "cdktf-elastic-gpu";
import fc from "fast-check";
import { inPool } from "../../support/samples";
import { addSpot, SpotChoices, spotRefusal } from "../../support/spot";
import { synth } from "../../support/synth";

describe("the drain budget is held against the notice of two minutes", () => {
  const seconds = fc.integer({ min: 0, max: 130 });

  test("in every combination of times: refused where they are longer together, and in no other", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("inference", "training", "tightTraining"),
        seconds,
        seconds,
        seconds,
        fc.integer({ min: 1, max: 130 }),
        (maker, detectionSeconds, marginSeconds, preStopSeconds, afterSigtermSeconds) => {
          const common = { detectionSeconds, marginSeconds, afterSigtermSeconds };
          const isInference = maker === "inference";
          const drain = isInference
            ? DrainBudget.inference({ ...common, preStopSeconds })
            : maker === "training"
              ? DrainBudget.training(common)
              : DrainBudget.tightTraining(common);
          const sum = detectionSeconds + marginSeconds + afterSigtermSeconds + (isInference ? preStopSeconds : 0);
          const build = () => synth((stack) => addSpot(stack, { drain }));
          if (sum <= 120) {
            expect(build).not.toThrow();
          } else {
            expect(build).toThrow(
              new RegExp(
                `^test/pool: drain: must fit the 120 s of a Spot notice, got: .* = ${sum} s, ${sum - 120} s too long\\. .*$`,
              ),
            );
          }
        },
      ),
      {
        numRuns: 60,
        examples: [
          ["inference", 10, 5, 15, 90],
          ["inference", 10, 5, 15, 91],
          ["training", 30, 0, 0, 90],
          ["training", 30, 1, 0, 90],
        ],
      },
    );
  });

  test("with the sum spelled out, and what to shorten", () => {
    expect(spotRefusal({ drain: DrainBudget.inference({ preStopSeconds: 30 }) })).toEqual(
      inPool([
        "drain: must fit the 120 s of a Spot notice, got: 10 s until it is noticed + 30 s preStop + 90 s after SIGTERM + 5 s margin = 135 s, 15 s too long. " +
          "Shorten afterSigtermSeconds to 75, or preStopSeconds to 15, or run these pods on a pool without Spot",
      ]),
    );
  });

  test.each<[string, SpotChoices]>([
    ["by percentage", { spotPercentage: 0 }],
    ["by the base", { onDemandBase: 40 }],
    ["by the default base", { maxNodes: 2 }],
    ["by rounding", { maxNodes: 3 }],
  ])("and not where no node is Spot: %s", (_, choices) => {
    synth((stack) => addSpot(stack, { ...choices, drain: DrainBudget.training({ afterSigtermSeconds: 3600 }) }));
  });

  test("and again where one is", () => {
    expect(spotRefusal({ maxNodes: 4, drain: DrainBudget.training({ afterSigtermSeconds: 3600 }) })).toHaveLength(1);
  });
});
