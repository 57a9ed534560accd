import { examples, synthesizeExample, wholeExamples } from "../support/examples";
import { relocate } from "../support/relocate";
import { describeWhere, findSimulatedAws } from "../support/rig";
import { Site } from "../support/site";
import { TerraformFolder } from "../support/terraform";

const onExistingClusters = examples.filter((example) => !wholeExamples.includes(example));

describeWhere("every example on an existing cluster", findSimulatedAws(), (aws) => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.prepare(aws);
  });
  afterAll(() => site?.stop());

  test.each(onExistingClusters)(
    "examples/%s is applied, needs no second apply, and leaves nothing behind",
    async (example) => {
      const stacks = synthesizeExample(example).map((folder) => {
        relocate(folder, site.cluster, site.env);
        return new TerraformFolder(folder, site.env);
      });
      for (const stack of stacks) {
        stack.init();
        stack.apply();
        expect(stack.planStatus()).toBe(0);
      }
      expect(await site.leftovers()).not.toEqual({});
      for (const stack of stacks.reverse()) {
        stack.destroy();
        expect(stack.state()).toEqual([]);
      }
      expect(await site.leftovers()).toEqual({});
    },
  );
});
