import { examples, synthesizeExample } from "../support/examples";
import { writeOverrides } from "../support/overrides";
import { describeWhere, findSimulatedAws, findTerraform } from "../support/rig";
import { Site } from "../support/site";
import { TerraformFolder } from "../support/terraform";

/** The stacks of an example, ready for Terraform. */
function stacksOf(example: string, env: NodeJS.ProcessEnv): TerraformFolder[] {
  return synthesizeExample(example).map((folder) => {
    writeOverrides(folder, env);
    const terraform = new TerraformFolder(folder, env);
    terraform.init();
    return terraform;
  });
}

describeWhere("terraform validate", findTerraform(), (env) => {
  test.each(examples)("has nothing to say about examples/%s", (example) => {
    for (const stack of stacksOf(example, env)) {
      expect(stack.validate()).toEqual([]);
    }
  });
});

describeWhere("terraform plan", findSimulatedAws(), (aws) => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.prepare(aws);
  });
  afterAll(() => site?.stop());

  test.each(examples)("creates all of examples/%s, without a warning", (example) => {
    for (const stack of stacksOf(example, site.env)) {
      const { diagnostics, actions } = stack.plan();
      expect(diagnostics).toEqual([]);
      expect(new Set(Object.values(actions))).toEqual(new Set(["create"]));
    }
  });
});
