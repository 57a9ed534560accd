import { TerraformStack, TerraformVariable } from "cdktf";
import { Capacity, Headroom, NodeImage, SpotReturn, SpotWithFallback } from "cdktf-elastic-gpu";
import { inPool, listToken, numberToken, Refusal, textToken } from "../../support/samples";
import { spotRefusal } from "../../support/spot";
import { problemsOf } from "../../support/synth";

const refused = (_: string, choices: any, lines: string[]) => expect(spotRefusal(choices)).toEqual(inPool(lines));

describe("props that are none", () => {
  const propsRefusal = (props: any) => problemsOf((stack) => new SpotWithFallback(stack, "pool", props)).split("\n");

  test.each([
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["text", "pool", '"pool"'],
    ["a list", [], "[]"],
  ])("%s", (_, props, got) =>
    expect(propsRefusal(props)).toEqual(
      inPool([`props: must be an object with properties, got: ${got}. Write { cluster: … }`]),
    ),
  );

  test("all that is missing is said at once", () => {
    expect(propsRefusal({})).toEqual(
      inPool([
        "cluster: must be made by new GpuCluster(), GpuCluster.fromAttributes() or GpuCluster.fromName(), got: undefined. Pass the cluster itself",
        'instanceTypes: must be a list of one instance type or more, got: undefined. Such as ["g6.12xlarge"]',
        "maxNodes: must be a whole number of at least 1, got: undefined. Set it to the most nodes that may ever run at once",
      ]),
    );
  });

  test.each<Refusal>([
    ["a number", { fallback: 3 }, ["3"]],
    ["null", { fallback: null }, ["null"]],
    ["a list", { fallback: [60] }, ["[60]"]],
  ])("in the place of the fallback: %s", (_, choices, [got]) =>
    expect(spotRefusal(choices)).toEqual(
      inPool([
        `fallback: must be an object with properties, got: ${got}. Write { thresholdPercentage: … }, or leave it out`,
      ]),
    ),
  );
});

describe("properties that are misspelt", () => {
  const unknown = (property: string) =>
    `${property}: is not a property of this construct. Correct its name, or remove it`;
  test.each<Refusal>([
    ["the base", { ondemandBase: 2 }, [unknown("ondemandBase")]],
    ["the percentage", { spotPercent: 80 }, [unknown("spotPercent")]],
    ["the bounds of AWS", { maxSize: 4 }, [unknown("maxSize")]],
    ["the threshold", { fallback: { threshold: 60 } }, [unknown("fallback.threshold")]],
    [
      "two at once",
      { spotPercent: 80, fallback: { minutes: 3 } },
      [unknown("spotPercent"), unknown("fallback.minutes")],
    ],
  ])("%s", refused);
});

describe("numbers of the wrong form", () => {
  interface NumberRule {
    readonly property: string;
    readonly choices: (value: any) => object;
    readonly rule: string;
    readonly remedy: string;
    /** Below the least, and above the most where there is one. */
    readonly outside: number[];
  }

  const mixed: NumberRule[] = [
    {
      property: "maxNodes",
      choices: (maxNodes) => ({ maxNodes }),
      rule: "must be a whole number of at least 1",
      remedy: "Set it to the most nodes that the mixed group may have",
      outside: [0],
    },
    {
      property: "onDemandBase",
      choices: (onDemandBase) => ({ onDemandBase }),
      rule: "must be a whole number of at least 0",
      remedy: "Give 0 where every node may be Spot",
      outside: [],
    },
    {
      property: "spotPercentage",
      choices: (spotPercentage) => ({ spotPercentage }),
      rule: "must be a whole number from 0 to 100",
      remedy: "Give 80 for four of five nodes above the base",
      outside: [101],
    },
  ];
  const fallback: NumberRule[] = [
    {
      property: "fallback.evaluationMinutes",
      choices: (evaluationMinutes) => ({ fallback: { evaluationMinutes } }),
      rule: "must be a whole number from 1 to 1440",
      remedy: "The sizes of groups are measured once a minute; leave it out for 3",
      outside: [0, 1441],
    },
    {
      property: "fallback.minNodes",
      choices: (minNodes) => ({ fallback: { minNodes } }),
      rule: "must be a whole number of at least 0",
      remedy: "Leave it out for none while Spot can be had",
      outside: [],
    },
    {
      property: "fallback.maxNodes",
      choices: (maxNodes) => ({ fallback: { maxNodes } }),
      rule: "must be a whole number of at least 1",
      remedy: "Leave it out for the Spot nodes at maxNodes",
      outside: [0],
    },
    {
      property: "fallback.thresholdPercentage",
      choices: (thresholdPercentage) => ({ fallback: { thresholdPercentage } }),
      rule: "must be a whole number from 1 to 100",
      remedy: "Give 60 for nodes to stand in where fewer than three of five Spot nodes can be had",
      // The last two would be written with an exponent, or to many places.
      outside: [0, 101, 1e-7, 33.3],
    },
  ];
  const rules = [...mixed, ...fallback];

  test.each(rules)("$property", (each) => {
    for (const value of [...each.outside, 1.5, -1, NaN, Infinity, -Infinity]) {
      expect(spotRefusal(each.choices(value))).toEqual(
        inPool([`${each.property}: ${each.rule}, got: ${value}. ${each.remedy}`]),
      );
    }
    for (const [value, got] of [
      ["10", '"10"'],
      [null, "null"],
      [true, "true"],
      [[10], "[10]"],
    ]) {
      expect(spotRefusal(each.choices(value))).toEqual(
        inPool([`${each.property}: ${each.rule}, got: ${got}. ${each.remedy}`]),
      );
    }
  });

  test.each(rules)("a token, since policies and alarms are made from it: $property", (each) => {
    const text =
      "must be a literal number, because steps and expressions of the alarms are made from it, got: a token. Write it out";
    const line = `test/pool: ${each.property}: ${text}`;
    expect(spotRefusal((stack: TerraformStack) => each.choices(numberToken(stack)))).toEqual([line]);
    // One of which it is not known that it is a number.
    expect(spotRefusal((stack: TerraformStack) => each.choices(textToken(stack)))).toEqual([line]);
  });
});

describe("choices that were not made by their makers", () => {
  const made = (property: string, makers: string, got: string) =>
    `${property}: must be made by ${makers}, got: ${got}. Call one of them`;
  const capacities = "Capacity.onDemand(), .reservation() or .reservationGroup()";
  const budgets = "DrainBudget.inference(), .training() or .tightTraining()";
  const returns = "SpotReturn.every() or .off()";

  test.each<Refusal>([
    ["a number of nodes", { headroom: 1 }, [made("headroom", "Headroom.nodes()", "1")]],
    ["null for headroom", { headroom: null }, [made("headroom", "Headroom.nodes()", "null")]],
    [
      "a token for headroom",
      (stack: TerraformStack) => ({ headroom: textToken(stack) }),
      [made("headroom", "Headroom.nodes()", "a token")],
    ],
    ["seconds for a budget", { drain: 90 }, [made("drain", budgets, "90")]],
    ["an object for a budget", { drain: { preStopSeconds: 5 } }, [made("drain", budgets, '{"preStopSeconds":5}')]],
    ["minutes for the return", { fallback: { returnToSpot: 15 } }, [made("fallback.returnToSpot", returns, "15")]],
    ["false for the return", { fallback: { returnToSpot: false } }, [made("fallback.returnToSpot", returns, "false")]],
    ["text for a reservation", { baseCapacity: "cr-0" }, [made("baseCapacity", capacities, '"cr-0"')]],
    ["null for a reservation", { baseCapacity: null }, [made("baseCapacity", capacities, "null")]],
  ])("%s", refused);

  const strategies = '"price-capacity-optimized", "capacity-optimized" or "capacity-optimized-prioritized"';
  test.each<Refusal>([
    ["misspelt", { spotAllocationStrategy: "capacity-optimised" }, ['"capacity-optimised"']],
    ["one that is not offered", { spotAllocationStrategy: "lowest-price" }, ['"lowest-price"']],
    ["empty", { spotAllocationStrategy: "" }, ['""']],
    ["null", { spotAllocationStrategy: null }, ["null"]],
    ["a token", (stack: TerraformStack) => ({ spotAllocationStrategy: textToken(stack) }), ["a token"]],
  ])("a strategy: %s", (_, choices, [got]) =>
    expect(spotRefusal(choices)).toEqual(
      inPool([
        `spotAllocationStrategy: must be ${strategies}, got: ${got}. Choose one of SpotAllocationStrategy, or leave it out`,
      ]),
    ),
  );
});

describe("choices with a number that cannot be", () => {
  test.each([0, -1, 1.5, NaN, Infinity])("room for %p nodes", (nodes) => {
    expect(spotRefusal({ headroom: Headroom.nodes(nodes) })).toEqual(
      inPool([`headroom: must be a whole number of at least 1, got: ${nodes}. Leave it out for none`]),
    );
  });

  test.each([0, -1, 1.5, NaN, 1441])("a return every %p minutes", (minutes) => {
    expect(spotRefusal({ fallback: { returnToSpot: SpotReturn.every(minutes) } })).toEqual(
      inPool([
        `fallback.returnToSpot: must be a whole number from 1 to 1440, got: ${minutes}. Use SpotReturn.off() where no node is to be taken`,
      ]),
    );
  });

  test("a return after minutes that are a token", () => {
    const choices = (stack: TerraformStack) => ({ fallback: { returnToSpot: SpotReturn.every(numberToken(stack)) } });
    expect(spotRefusal(choices)).toEqual(
      inPool([
        "fallback.returnToSpot: must be a literal number, because steps and expressions of the alarms are made from it, got: a token. Write it out",
      ]),
    );
  });

  test.each([undefined, null])("%p, which is refused where it is made", (missing: any) => {
    const whence = `got: ${missing}. Check where it comes from, such as an environment variable that is not set`;
    expect(() => Headroom.nodes(missing)).toThrow(new Error(`Headroom.nodes(): nodes must be given, ${whence}`));
    expect(() => SpotReturn.every(missing)).toThrow(new Error(`SpotReturn.every(): minutes must be given, ${whence}`));
  });
});

describe("what Terraform knows first", () => {
  const any = (stack: TerraformStack) => new TerraformVariable(stack, "any", { type: "any" }).value as any;
  const noText = (property: string) =>
    `${property}: must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()`;
  const numberInText = (property: string) =>
    `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`;
  const TEXTS: [string, (text: any) => object][] = [
    ["notificationTopicArn", (notificationTopicArn) => ({ notificationTopicArn })],
    ["baseCapacity.reservationId", (reservationId) => ({ baseCapacity: Capacity.reservation({ reservationId }) })],
    [
      "baseCapacity.resourceGroupArn",
      (resourceGroupArn) => ({ baseCapacity: Capacity.reservationGroup({ resourceGroupArn }) }),
    ],
    ["images[0]", (image) => ({ images: [image] })],
    ["name", (name) => ({ name })],
  ];

  test.each(TEXTS)("anything for a text: %s", (property, choices) =>
    expect(spotRefusal((stack: TerraformStack) => choices(any(stack)))).toEqual(inPool([noText(property)])),
  );

  test.each(TEXTS)("a number within a text: %s", (property, choices) =>
    expect(spotRefusal((stack: TerraformStack) => choices(`a-${numberToken(stack)}`))).toEqual(
      inPool([numberInText(property)]),
    ),
  );

  test.each<Refusal>([
    [
      "a list of images",
      (stack: TerraformStack) => ({ images: listToken(stack) }),
      [
        "images: must be a list that is written out; its members may be tokens, got: a token. List the members one by one",
      ],
    ],
    [
      "a list of types",
      (stack: TerraformStack) => ({ instanceTypes: listToken(stack) }),
      [
        "instanceTypes: must be literal texts, because GPUs, network interfaces and tags are read off them, got: a token. Choose the types in the program",
      ],
    ],
    [
      "a release, from which a parameter's path is made",
      (stack: TerraformStack) => ({ image: NodeImage.al2023Nvidia({ releaseVersion: textToken(stack) }) }),
      [
        "image: must have a literal releaseVersion for a self-managed group, because the path of its image is made from it, got: a token. Write it out",
      ],
    ],
    [
      "minutes that become part of a tag",
      (stack: TerraformStack) => ({ scaleDown: { unneededMinutes: numberToken(stack) } }),
      [
        "scaleDown.unneededMinutes: must be a whole number of minutes of at least 1, got: a token. It becomes text in a tag, so that it must be known, too; leave it out for the autoscaler's own",
      ],
    ],
  ])("%s", refused);
});
