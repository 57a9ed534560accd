import { NodeTier, PurchasedNodes, PurchasePlan } from "cdktf-elastic-gpu";
import fc from "fast-check";
import { onDemandPart } from "../../lib/cluster/purchase-plan";
import { numberToken } from "../support/samples";
import { problemsOf } from "../support/synth";

/** Makers as a program without types calls them. */
const makers: any = PurchasePlan;

describe("plans of one market", () => {
  test.each<[string, keyof PurchasedNodes, NodeTier]>([
    ["reserved", "reserved", NodeTier.RESERVED],
    ["onDemand", "onDemand", NodeTier.ON_DEMAND],
    ["spot", "spot", NodeTier.SPOT],
  ])("%s() buys all nodes like that", (maker, market, tier) => {
    const plan: PurchasePlan = makers[maker]();
    const none = { reserved: 0, onDemand: 0, spot: 0 };
    expect(plan.tier).toBe(tier);
    for (const nodes of [1, 7, 40]) {
      expect(plan.at(nodes)).toEqual({ ...none, [market]: nodes });
      expect(plan.sharesAt(nodes)).toEqual({ ...none, [market]: 1 });
    }
    expect(plan.at(0)).toEqual(none);
    expect(plan.sharesAt(0)).toEqual(none);
  });
});

describe("a mixed plan", () => {
  // The examples of the EC2 Auto Scaling User Guide: base, percentage of Spot, On-Demand at 10, 20, 30 and 40 instances.
  test.each<[number, number, [number, number, number, number]]>([
    [10, 50, [10, 15, 20, 25]],
    [0, 100, [0, 0, 0, 0]],
    [0, 40, [6, 12, 18, 24]],
    [0, 0, [10, 20, 30, 40]],
    [12, 100, [10, 12, 12, 12]],
  ])("with a base of %i and %i %% Spot is divided as AWS's table says", (onDemandBase, spotPercentage, onDemand) => {
    const plan = PurchasePlan.mixed({ onDemandBase, spotPercentage });
    expect([10, 20, 30, 40].map((nodes) => plan.at(nodes).onDemand)).toEqual(onDemand);
  });

  test.each<[number, number, number]>([
    [0, 0, 0],
    [1, 1, 0],
    [2, 2, 0],
    [3, 3, 0],
    [4, 3, 1],
    [5, 3, 2],
    [7, 3, 4],
    [8, 4, 4],
    [10, 4, 6],
    [40, 10, 30],
  ])("with a base of 2 and 80 %% Spot, %i nodes are %i On-Demand and %i Spot", (nodes, onDemand, spot) => {
    const plan = PurchasePlan.mixed({ onDemandBase: 2, spotPercentage: 80 });
    expect(plan.at(nodes)).toEqual({ reserved: 0, onDemand, spot });
  });

  test("has On-Demand nodes in the reservation first, those above the base as well", () => {
    const plan = PurchasePlan.mixed({ onDemandBase: 2, spotPercentage: 80, reservedNodes: 3 });
    expect(plan.at(1)).toEqual({ reserved: 1, onDemand: 0, spot: 0 });
    expect(plan.at(10)).toEqual({ reserved: 3, onDemand: 1, spot: 6 });
    expect(plan.sharesAt(10)).toEqual({ reserved: 0.3, onDemand: 0.1, spot: 0.6 });
  });

  test("is as sure as its Spot nodes where it may have any", () => {
    const tierOf = (spotPercentage: number): NodeTier =>
      PurchasePlan.mixed({ onDemandBase: 2, spotPercentage, reservedNodes: 2 }).tier;
    expect([0, 1, 80, 100].map(tierOf)).toEqual([NodeTier.ON_DEMAND, NodeTier.SPOT, NodeTier.SPOT, NodeTier.SPOT]);
  });

  test("that is mixed of one market alone is like the plan of that market", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(50), (nodes, onDemandBase) => {
        const allSpot = PurchasePlan.mixed({ onDemandBase: 0, spotPercentage: 100 });
        expect(allSpot.at(nodes)).toEqual(PurchasePlan.spot().at(nodes));
        const noSpot = PurchasePlan.mixed({ onDemandBase, spotPercentage: 0 });
        expect(noSpot.at(nodes)).toEqual(PurchasePlan.onDemand().at(nodes));
      }),
    );
  });
});

describe("at any base, percentage, reservation and size", () => {
  const sizes = fc.nat(2000);
  const options = fc.record({ onDemandBase: fc.nat(200), spotPercentage: fc.nat(100), reservedNodes: fc.nat(300) });

  test("nodes are whole and add up, and shares follow them", () => {
    fc.assert(
      fc.property(options, sizes, (mixed, nodes) => {
        const plan = PurchasePlan.mixed(mixed);
        const { reserved, onDemand, spot } = plan.at(nodes);
        expect(reserved + onDemand + spot).toBe(nodes);
        for (const count of [reserved, onDemand, spot]) {
          expect(Number.isInteger(count) && count >= 0).toBe(true);
        }
        expect(reserved).toBe(Math.min(mixed.reservedNodes, reserved + onDemand));
        const shares = plan.sharesAt(nodes);
        expect(shares.spot * nodes).toBeCloseTo(spot, 9);
        expect(shares.reserved + shares.onDemand + shares.spot).toBeCloseTo(nodes === 0 ? 0 : 1, 9);
      }),
      { numRuns: 1000 },
    );
  });

  test("On-Demand above the base is the least whole number that is not under its percentage", () => {
    fc.assert(
      fc.property(options, sizes, ({ onDemandBase, spotPercentage }, nodes) => {
        const part = onDemandPart(nodes, onDemandBase, spotPercentage);
        const above = part - Math.min(nodes, onDemandBase);
        const hundredfold = Math.max(0, nodes - onDemandBase) * (100 - spotPercentage);
        expect(above * 100).toBeGreaterThanOrEqual(hundredfold);
        expect((above - 1) * 100).toBeLessThan(hundredfold);
      }),
      { numRuns: 1000 },
    );
  });

  test("one node more takes none of the others away, and more Spot never makes more On-Demand", () => {
    fc.assert(
      fc.property(options, sizes, (mixed, nodes) => {
        const [now, next] = [PurchasePlan.mixed(mixed).at(nodes), PurchasePlan.mixed(mixed).at(nodes + 1)];
        for (const market of ["reserved", "onDemand", "spot"] as const) {
          expect(next[market] - now[market]).toBeGreaterThanOrEqual(0);
        }
        const { onDemandBase, spotPercentage } = mixed;
        expect(onDemandPart(nodes, onDemandBase, Math.min(100, spotPercentage + 1))).toBeLessThanOrEqual(
          onDemandPart(nodes, onDemandBase, spotPercentage),
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("no percentage is rounded up by the inexactness of fractions", () => {
    for (let percentage = 0; percentage <= 100; percentage++) {
      expect(onDemandPart(100, 0, 100 - percentage)).toBe(percentage);
    }
  });
});

describe("bad numbers", () => {
  test.each<[object, string[]]>([
    [
      { onDemandBase: -1, spotPercentage: 80 },
      ["onDemandBase must be a whole number of at least 0, got: -1. Give 0 where all may be Spot"],
    ],
    [
      { onDemandBase: 2, spotPercentage: 101 },
      ["spotPercentage must be a whole number from 0 to 100, got: 101. Give 80 for four nodes of five"],
    ],
    [
      { onDemandBase: 2, spotPercentage: 80, reservedNodes: 1.5 },
      ["reservedNodes must be a whole number of at least 0, got: 1.5. Leave it out where nothing is reserved"],
    ],
    [
      { onDemandBase: "2", spotPercentage: 0.8, reservedNodes: Infinity },
      [
        'onDemandBase must be a whole number of at least 0, got: "2". Give 0 where all may be Spot',
        "spotPercentage must be a whole number from 0 to 100, got: 0.8. Give 80 for four nodes of five",
        "reservedNodes must be a whole number of at least 0, got: Infinity. Leave it out where nothing is reserved",
      ],
    ],
    [
      { onDemandBase: 2 },
      [
        "spotPercentage must be given, got: undefined. Check where it comes from, such as an environment variable that is not set",
      ],
    ],
  ])("PurchasePlan.mixed(%j) is refused with all that is wrong", (options, lines) => {
    expect(problemsOf(() => makers.mixed(options))).toBe(
      lines.map((line) => `PurchasePlan.mixed(): ${line}`).join("\n"),
    );
  });

  test("an option that there is not is refused by its name", () => {
    expect(problemsOf(() => makers.mixed({ onDemandBase: 2, spotPercentage: 80, spotShare: 1 }))).toBe(
      "spotShare is not an option of PurchasePlan.mixed(), which takes onDemandBase, spotPercentage and reservedNodes. " +
        "Correct its name, or remove it",
    );
  });

  test("a token cannot be divided", () => {
    expect(problemsOf((stack) => PurchasePlan.mixed({ onDemandBase: numberToken(stack), spotPercentage: 80 }))).toBe(
      "PurchasePlan.mixed(): onDemandBase must be a whole number of at least 0, got: a token. " +
        "Write the number out: it is calculated with at synth",
    );
  });

  test.each([
    [-1, "-1"],
    [2.5, "2.5"],
    [NaN, "NaN"],
    [undefined, "undefined"],
    ["4", '"4"'],
  ])("a group cannot have %j nodes", (nodes: any, got) => {
    for (const method of ["at", "sharesAt"] as const) {
      expect(() => PurchasePlan.spot()[method](nodes)).toThrow(
        new Error(
          `PurchasePlan.${method}(): nodes must be a whole number of at least 0, got: ${got}. Give a size that the group may have`,
        ),
      );
    }
  });
});

test("a plan is recognized, and nothing else is", () => {
  expect(PurchasePlan.isPurchasePlan(PurchasePlan.mixed({ onDemandBase: 2, spotPercentage: 80 }))).toBe(true);
  for (const other of [undefined, null, "spot", { ...PurchasePlan.spot() }]) {
    expect(PurchasePlan.isPurchasePlan(other)).toBe(false);
  }
});
