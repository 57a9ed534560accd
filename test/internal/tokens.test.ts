import { SqsQueue } from "@cdktf/provider-aws/lib/sqs-queue";
import {
  App,
  DefaultTokenResolver,
  Fn,
  StringConcat,
  TerraformStack,
  TerraformVariable,
  Token,
  Tokenization,
} from "cdktf";
import { hasListInText, hasNumberInText, identityOf, isKnown, withTextNumbers } from "../../lib/internal/tokens";

const app = new App();
const stack = new TerraformStack(app, "tokens");
const variable = new TerraformVariable(stack, "variable", { type: "any" });
const text = variable.stringValue;
const number = variable.numberValue;
const list = variable.listValue;
const map = Token.asAnyMap(variable.value);
const flag = variable.booleanValue;

describe("a value is not known", () => {
  test.each<[string, unknown]>([
    ["text", text],
    ["text with a token in it", `a-${text}-b`],
    ["a number", number],
    ["text with a number in it", `at most ${number} nodes`],
    ["text with a negative number token", `${Token.asString(number)} and ${number}`],
    ["a list", list],
    ["text with a list in it", `--flags=${list}`],
    ["a list of numbers", Token.asNumberList(variable.value)],
    ["a map", map],
    ["a map of texts", Token.asStringMap(variable.value)],
    ["a truth value", flag],
    ["what a function gives", Fn.lengthOf(list)],
    ["what stands for anything", variable.value],
    ["a token in a list", ["a", text]],
    ["a token in a map", { a: 1, b: { c: [{ d: number }] } }],
    ["a token in a key", { [text]: 1 }],
    ["a list in a map", { a: list }],
  ])("%s", (_, value) => {
    expect(isKnown(value)).toBe(false);
  });
});

describe("a value is known", () => {
  test.each<[string, unknown]>([
    ["no text", ""],
    ["text of a shell", "${HOME} $(ls) %{if} #{x} &{y}"],
    ["text like a large number", "about -1.5e+300 and 6e+23"],
    ["a large number", 1.5e300],
    ["not a number", NaN],
    ["nothing", undefined],
    ["null", null],
    ["false", false],
    ["an empty list", []],
    ["an empty map", {}],
    ["a list in a map", { a: [1, "b", null, { c: undefined }] }],
    ["a construct, which refers to itself in circles", stack],
  ])("%s", (_, value) => {
    expect(isKnown(value)).toBe(true);
  });
});

test("number tokens within a text become text tokens, and other numbers stay", () => {
  const turned = withTextNumbers(`${number} of 1.5e+300 in ${text}`);
  expect(turned).toMatch(/^\$\{TfToken\[TOKEN\.\d+\]\} of 1\.5e\+300 in /);
  const resolver = new DefaultTokenResolver(new StringConcat());
  expect(Tokenization.resolve(turned, { scope: stack, preparing: false, resolver })).toBe(
    "${var.variable} of 1.5e+300 in ${var.variable}",
  );
});

test.each<[string, boolean]>([
  [`pool-${number}`, true],
  [`${number}`, true],
  [`a-${text}-${number}`, true],
  [`pool-${Token.asString(number)}`, false],
  [`pool-${Fn.tostring(number)}`, false],
  ["1.5e+300 and -6e+23", false],
  ["", false],
])("whether %p has a number token in it: %p", (value, found) => {
  expect(hasNumberInText(value)).toBe(found);
});

describe("a list within a text is found", () => {
  test.each<[string, unknown]>([
    ["by itself", `--flags=${list}`],
    ["in the only member of a list", [`--flags=${list}`]],
    ["in a list", ["a", `${list}`]],
    ["in a map", { a: { b: [`${list},c`] } }],
  ])("%s", (_, value) => {
    expect(hasListInText(value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ["a list of its own", list],
    ["a list of its own in a map", { a: list, b: [list] }],
    ["a joined list", `--flags=${Fn.join(",", list)}`],
    ["a member of a list", `--flag=${Fn.element(list, 0)}`],
    ["other tokens", { a: text, b: number, c: map, d: flag, e: [text] }],
    ["no tokens", { a: "#{x}", b: null, c: undefined, d: [] }],
  ])("which is not so for %s", (_, value) => {
    expect(hasListInText(value)).toBe(false);
  });
});

describe("two texts stand for one thing", () => {
  const queue = new SqsQueue(stack, "queue");
  const elsewhere = new SqsQueue(new TerraformStack(app, "elsewhere"), "queue");

  test.each<[string, string, string]>([
    ["equal texts", "sg-1", "sg-1"],
    ["two readings of one attribute", queue.arn, queue.arn],
    ["a token and itself", `a-${text}`, `a-${text}`],
    ["two readings of one attribute, in equal texts", `a-${queue.arn}:1`, `a-${queue.arn}:1`],
    ["two readings each of two attributes", `${queue.arn}/${queue.url}`, `${queue.arn}/${queue.url}`],
  ])("%s", (_, one, other) => {
    expect(identityOf(one)).toBe(identityOf(other));
  });

  test.each<[string, string, string]>([
    ["other texts", "sg-1", "sg-2"],
    ["two attributes", queue.arn, queue.url],
    ["resources of one name in two stacks", queue.arn, elsewhere.arn],
    ["a reference and a text with it", queue.arn, `${queue.arn}/x`],
    ["two readings of one attribute, in other texts", `${queue.arn}:1`, `${queue.arn}:2`],
    ["two attributes in another order", `${queue.arn}${queue.url}`, `${queue.url}${queue.arn}`],
    ["two references and one of them", `${queue.arn}${queue.url}`, queue.arn],
  ])("which is not so for %s", (_, one, other) => {
    expect(identityOf(one)).not.toBe(identityOf(other));
  });
});
