import { LocalBackend, TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import { jsonText } from "../../lib/addons/json-text";
import { describeWhere, findTerraform } from "../support/rig";
import { synthApp } from "../support/synth";
import { TerraformFolder } from "../support/terraform";

const NASTY = 'a "b"\n\\c ${d} %{e} $$';

describeWhere("values of a chart", findTerraform(), (env) => {
  test("come out of Terraform as they went in, whatever they and their tokens hold", () => {
    const { values } = synthApp((app) => {
      const stack = new TerraformStack(app, "values");
      new LocalBackend(stack, { path: "terraform.tfstate" });
      const variable = (id: string, type: string, value: unknown) =>
        new TerraformVariable(stack, id, { type, default: value });
      const text = variable("text", "string", 'q" \\ \n').stringValue;
      const document = {
        written: NASTY,
        text,
        mixed: `${NASTY} ${text} ${NASTY}`,
        twice: `^${text}\\.${text}$`,
        list: variable("list", "list(string)", ["a", 'b"']).listValue,
        map: variable("map", "map(string)", { k: "v" }).value,
        number: variable("number", "number", 5).numberValue,
        nested: [{ [text]: [text, 1, true, null] }],
      };
      new TerraformOutput(stack, "document", { value: jsonText(document), staticId: true });
    });
    const folder = new TerraformFolder(values!.folder, env);
    folder.init();
    folder.apply();
    const q = 'q" \\ \n';
    expect(JSON.parse(folder.outputs().document)).toEqual({
      written: NASTY,
      text: q,
      mixed: `${NASTY} ${q} ${NASTY}`,
      twice: `^${q}\\.${q}$`,
      list: ["a", 'b"'],
      map: { k: "v" },
      number: 5,
      nested: [{ [q]: [q, 1, true, null] }],
    });
  });
});
