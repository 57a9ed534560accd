import { App, TerraformStack, TerraformVariable } from "cdktf";
import { Construct } from "constructs";
import { checkId } from "../../lib/internal/ids";
import { Problems } from "../../lib/internal/problems";
import { addPool, clusterAttributes, clusterOf } from "../support/pool";
import { problemsOf } from "../support/synth";
import { GpuCluster } from "cdktf-elastic-gpu";

function problemsOfId(id: string): string[] {
  const construct = new Construct(new TerraformStack(new App(), "stack"), id);
  const problems = new Problems(construct);
  checkId(construct, problems);
  return problems.lines.map((line) => line.slice("stack/".length + construct.node.id.length));
}

test.each(["pool", "Pool_2", "_pool", "a", "a--b", "gpu-pool-1"])("the id %j is taken", (id) => {
  expect(problemsOfId(id)).toEqual([]);
});

test.each(["1pool", "-pool", "a.b", "a b", "größe", "プール", "a:b", "a\nb", "a$b", "a+b"])(
  "the id %j is refused",
  (id) => {
    expect(problemsOfId(id)).toEqual([
      `: id: must start with a letter or an underscore and hold letters, digits, hyphens and underscores only, got: ${JSON.stringify(id)}. Terraform addresses are made from it: choose another id`,
    ]);
  },
);

test("an id with a token in it is refused, since it would change with the order of evaluation", () => {
  const message = problemsOf((stack) => {
    const variable = new TerraformVariable(stack, "variable", { type: "string" });
    addPool(stack, {}, `pool-${variable.stringValue}`);
  });
  expect(message).toMatch(/id: must be a literal text, got: a token\. Use a name that is known when the program runs$/);
});

test("an id with a number token in it is refused as well", () => {
  const message = problemsOf((stack) => {
    const variable = new TerraformVariable(stack, "variable", { type: "number" });
    addPool(stack, {}, `pool-${variable.numberValue}`);
  });
  expect(message).toMatch(/id: must be a literal text, got: a token\. Use a name that is known when the program runs$/);
});

test("pools and clusters alike check theirs", () => {
  expect(problemsOf((stack) => addPool(stack, { cluster: clusterOf(stack) }, "a.b"))).toContain("test/a.b: id: must");
  expect(problemsOf((stack) => GpuCluster.fromAttributes(stack, "2nd", clusterAttributes))).toContain(
    "test/2nd: id: must",
  );
});
