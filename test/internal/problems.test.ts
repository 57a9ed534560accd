import { App, TerraformStack, TerraformVariable } from "cdktf";
import { Construct } from "constructs";
import { list, Problems, show } from "../../lib/internal/problems";

const stack = new TerraformStack(new App(), "stack");
const variable = new TerraformVariable(stack, "variable", { type: "any" });

describe("problems", () => {
  test("are thrown together, each with its construct, property, rule, value and remedy", () => {
    const problems = new Problems(new Construct(stack, "pool"));
    problems.add("maxNodes", "must be a whole number", 1.5, "Correct it");
    problems.addText("image", "must not be there. Remove it");
    expect(problems.count).toBe(2);
    expect(() => problems.throwIfAny()).toThrow(
      new Error(
        "stack/pool: maxNodes: must be a whole number, got: 1.5. Correct it\nstack/pool: image: must not be there. Remove it",
      ),
    );
  });

  test("name a construct without the marks of tokens in its path", () => {
    const id = `pool-${variable.stringValue}-${variable.numberValue}`;
    const problems = new Problems(new Construct(new Construct(stack, id), "1.5e+300"));
    problems.addText("id", "must be a literal text");
    expect(problems.lines).toEqual(["stack/pool-<token>-<token>/1.5e+300: id: must be a literal text"]);
  });

  test("of checks that were made twice are there once, with the larger number where they only count", () => {
    const problems = new Problems(new Construct(stack, "twice"));
    problems.add("name", "must be short", "5 characters", "Cut it");
    problems.add("tags", "must be few", 52, "Remove some");
    problems.add("labels", "must be few", 60, "Remove some");
    problems.add("image", "must be known", "x1", "Correct it");
    const again = problems.another();
    again.add("name", "must be short", "5 characters", "Cut it");
    again.add("tags", "must be few", 55, "Remove some");
    again.add("labels", "must be few", 9, "Remove some");
    again.add("image", "must be known", "x2", "Correct it");
    again.add("taints", "must be few", 51, "Remove some");
    problems.adopt(again);
    expect(problems.lines).toEqual(
      [
        'name: must be short, got: "5 characters". Cut it',
        "tags: must be few, got: 55. Remove some",
        "labels: must be few, got: 60. Remove some",
        'image: must be known, got: "x1". Correct it',
        'image: must be known, got: "x2". Correct it',
        "taints: must be few, got: 51. Remove some",
      ].map((line) => `stack/twice: ${line}`),
    );
  });

  test("are nothing to throw where there are none", () => {
    expect(() => new Problems(stack).throwIfAny()).not.toThrow();
  });
});

describe("a value is shown as its writer would recognize it", () => {
  test.each<[unknown, string]>([
    ["a b", '"a b"'],
    ["", '""'],
    ['say "yes"', String.raw`"say \"yes\""`],
    [1.5, "1.5"],
    [Infinity, "Infinity"],
    [NaN, "NaN"],
    [true, "true"],
    [undefined, "undefined"],
    [null, "null"],
    [["a", 1], '["a",1]'],
    [{ a: { b: 1 } }, '{"a":{"b":1}}'],
    [Symbol("a"), "Symbol(a)"],
    [Object.create(null), "{}"],
    [new Map([["a", 1]]), "an instance of Map"],
    [stack, "an instance of TerraformStack"],
    [variable, "an instance of TerraformVariable"],
    [variable.value, "a token"],
    [variable.stringValue, "a token"],
    [variable.numberValue, "a token"],
    [variable.listValue, "a token"],
    [`a-${variable.numberValue}`, "a token"],
    [{ a: [variable.stringValue] }, "a token"],
  ])("%p", (value, text) => {
    expect(show(value)).toBe(text);
  });
});

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j is listed as %j", (items, text) => {
  expect(list(items)).toBe(text);
});
