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
