import { examples, synthesizeExample, wholeExamples } from "../support/examples";
import { madeTooEarly, Need, removedTooLate } from "../support/order";
import { relocate } from "../support/relocate";
import { describeWhere, findSimulatedAws } from "../support/rig";
import { Site } from "../support/site";
import { TerraformFolder } from "../support/terraform";

const onExistingClusters = examples.filter((example) => !wholeExamples.includes(example));

/** What programs of examples say of order, beside what follows from references. */
const NEEDS: Record<string, Need[]> = {
  "spot-inference": [
    { who: "the load balancer", what: "its controller", from: /^kubernetes_ingress_v1\./, to: /^helm_release\.load-/ },
    {
      who: "pods of the server",
      what: "nodes",
      from: /^kubernetes_(namespace|deployment)_v1\.(namespace|deployment)$/,
      to: /^aws_autoscaling_group\.inference_[0-9A-F]{8}$/,
    },
  ],
};

describeWhere("every example on an existing cluster", findSimulatedAws(), (aws) => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.prepare(aws);
  });
  afterAll(() => site?.stop());

  test.each(onExistingClusters)(
    "examples/%s is applied, needs no second apply, and leaves nothing behind",
    async (example) => {
      const needs = NEEDS[example] ?? [];
      const stacks = synthesizeExample(example).map((folder) => {
        relocate(folder, site.cluster, site.env);
        return new TerraformFolder(folder, site.env);
      });
      for (const stack of stacks) {
        stack.init();
        const { errors, steps } = stack.watch("apply");
        expect(errors).toEqual([]);
        expect(needs.flatMap((need) => madeTooEarly(steps, need))).toEqual([]);
        expect(stack.planStatus()).toBe(0);
      }
      expect(await site.leftovers()).not.toEqual({});
      for (const stack of stacks.reverse()) {
        const { errors, steps } = stack.watch("destroy");
        expect(errors).toEqual([]);
        expect(needs.flatMap((need) => removedTooLate(steps, need))).toEqual([]);
        expect(stack.state()).toEqual([]);
      }
      expect(await site.leftovers()).toEqual({});
    },
  );
});
