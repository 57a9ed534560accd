import { App, DefaultTokenResolver, StringConcat, TerraformStack, TerraformVariable, Tokenization } from "cdktf";
import fc from "fast-check";
import { base64, Fragment, plain, quoted } from "../../../lib/pools/node-group/boot/encode";

const stack = new TerraformStack(new App(), "stack");
const tokens = ["a", "b", "c"].map((name) => new TerraformVariable(stack, name, { type: "string" }).stringValue);
const resolver = new DefaultTokenResolver(new StringConcat());
const resolved = (value: unknown): any => Tokenization.resolve(value, { scope: stack, preparing: false, resolver });

/** What a shell, JSON, TOML and Terraform take for their own, between signs of any script. */
const sign = fc.oneof(
  fc.constantFrom(
    "$",
    "${",
    "%{",
    "}",
    "$${",
    "%%{",
    '"',
    "'",
    "\\",
    "\\n",
    "\n",
    "\r\n",
    "\t",
    "#{",
    "&{",
    "EOF",
    "\u2028",
    "\0",
  ),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
);
const literal = fc
  .array(sign, { maxLength: 8 })
  .map((signs) => signs.join(""))
  .filter((text) => text !== "");
const pieces = fc.array(fc.oneof(literal, fc.constantFrom(...tokens)), { minLength: 1, maxLength: 8 });

const isToken = (piece: string): boolean => tokens.includes(piece);

/** The pieces as they should come out: those that are written out joined, tokens by themselves. */
function expected(given: string[]): Fragment[] {
  const fragments: Fragment[] = [];
  for (const piece of given) {
    const last = fragments[fragments.length - 1];
    if (isToken(piece)) {
      fragments.push({ expression: piece });
    } else if (typeof last === "string") {
      fragments[fragments.length - 1] = last + piece;
    } else {
      fragments.push(piece);
    }
  }
  return fragments;
}

test("a text without tokens comes out of base64 as it went in", () => {
  fc.assert(
    fc.property(literal, (text) => {
      expect(Buffer.from(base64(plain(text)), "base64").toString("utf8")).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("a text with tokens is taken apart at the tokens alone", () => {
  fc.assert(
    fc.property(pieces, (given) => {
      expect(resolved(plain(given.join("")))).toEqual(resolved(expected(given)));
    }),
  );
});

test("each piece travels whole, and in its place", () => {
  fc.assert(
    fc.property(pieces, (given) => {
      fc.pre(given.some(isToken));
      const expression: string = resolved(base64(plain(given.join(""))));
      const [, inner] = /^\$\{base64encode\(join\("", \[(.*)\]\)\)\}$/.exec(expression) ?? [];
      const sent = `${inner}`.split(", ").map((argument) => {
        const [, encoded] = /^base64decode\("([A-Za-z0-9+/=]*)"\)$/.exec(argument) ?? [];
        return encoded === undefined ? argument : Buffer.from(encoded, "base64").toString("utf8");
      });
      expect(sent).toEqual(
        expected(given).map((piece) =>
          typeof piece === "string" ? piece : resolved(piece.expression).replace(/^\$\{(.*)\}$/, "$1"),
        ),
      );
    }),
  );
});

describe("tokens in quoted strings are written as JSON", () => {
  const JSON_OF_A = "jsonencode(var.a)";
  const WITHIN = String.raw`trimsuffix(trimprefix(jsonencode(join("", [var.a])), "\""), "\"")`;

  test.each<[string, string, string[]]>([
    ["with their quotes where they are all of the string", `{"x": "${tokens[0]}"}`, ['{"x": ', JSON_OF_A, "}"]],
    ["within the quotes before a text", `{"x": "${tokens[0]}-"}`, ['{"x": "', WITHIN, '-"}']],
    ["within the quotes after a text", `{"x": "-${tokens[0]}"}`, ['{"x": "-', WITHIN, '"}']],
    [
      "within the quotes between quotes of the text",
      String.raw`{"x": "\"${tokens[0]}\""}`,
      [String.raw`{"x": "\"`, WITHIN, String.raw`\""}`],
    ],
    ["within the quotes side by side", `{"x": "${tokens[0]}${tokens[0]}"}`, ['{"x": "', WITHIN, WITHIN, '"}']],
    ["each by itself", `["${tokens[0]}","${tokens[0]}"]`, ["[", JSON_OF_A, ",", JSON_OF_A, "]"]],
  ])("%s", (_, text, sent) => {
    const fragments = quoted(text).map((fragment) =>
      typeof fragment === "string" ? fragment : resolved(fragment.expression).replace(/^\$\{(.*)\}$/, "$1"),
    );
    expect(fragments).toEqual(sent);
  });
});
