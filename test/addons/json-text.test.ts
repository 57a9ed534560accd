import { Lazy, TerraformOutput, TerraformVariable, Token } from "cdktf";
import fc from "fast-check";
import { jsonText } from "../../lib/addons/json-text";
import { listToken, mapToken, numberToken, textToken } from "../support/samples";
import { synth } from "../support/synth";

/** The document as Terraform gets it. */
function rendered(value: unknown | ((stack: any) => unknown)): string {
  const { json } = synth((stack) => {
    const document = typeof value === "function" ? value(stack) : value;
    const produced = Lazy.stringValue({ produce: () => jsonText(document) });
    new TerraformOutput(stack, "document", { value: produced, staticId: true });
  });
  return json.output.document.value;
}

/** What Terraform makes of a template without references. */
function evaluated(template: string): string {
  return template.replace(/\$\$\{/g, "${").replace(/%%\{/g, "%{");
}

test("what is known is plain JSON, and members that are undefined are left out", () => {
  const document = { text: 'a "b"\n\\d', list: [1, true, null], map: { left: undefined, kept: {} } };
  expect(rendered(document)).toBe('{"text":"a \\"b\\"\\n\\\\d","list":[1,true,null],"map":{"kept":{}}}');
});

test("each token is encoded in its place, whatever its type", () => {
  expect(
    rendered((stack: any) => ({
      text: textToken(stack),
      number: numberToken(stack),
      list: listToken(stack),
      map: mapToken(stack),
      any: new TerraformVariable(stack, "any", { type: "any" }).value,
      [textToken(stack, "key")]: 1,
    })),
  ).toBe(
    '{"text":${jsonencode(var.text)},"number":${jsonencode(var.number)},"list":${jsonencode(var.list)},' +
      '"map":${jsonencode(var.map)},"any":${jsonencode(var.any)},${jsonencode(var.key)}:1}',
  );
});

test("text around a token keeps its quotes, backslashes and dollar signs", () => {
  expect(rendered((stack: any) => `^a\\.${textToken(stack)}"\${x}%{y}${textToken(stack, "other")}$`)).toBe(
    '${jsonencode("^a\\\\.${var.text}\\"$${x}%%{y}${var.other}$")}',
  );
});

test("an iterator's or a function's token is no different", () => {
  expect(rendered((stack: any) => [Token.asString(new TerraformVariable(stack, "v", {}).value)])).toBe(
    "[${jsonencode(var.v)}]",
  );
});

test("a written dollar sign and brace do no harm to the tokens after it", () => {
  expect(rendered((stack: any) => ["${", textToken(stack), "a ${ b", `c ${textToken(stack, "other")}`])).toBe(
    '["$${",${jsonencode(var.text)},"a $${ b",${jsonencode("c ${var.other}")}]',
  );
});

test("any known value comes back as it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(evaluated(jsonText(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("dollar and percent signs before braces are kept from Terraform", () => {
  expect(jsonText("${a} %{b} $c")).toBe('"$${a} %%{b} $c"');
});
