import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Account } from "../support/account";
import { synthesizeExample, wholeExamples } from "../support/examples";
import { madeTooEarly, Need, removedTooLate } from "../support/order";
import { writeOverrides } from "../support/overrides";
import { describeWhere, findSimulatedAws } from "../support/rig";
import { addresses, Json, resources } from "../support/synth";
import { Step, TerraformFolder, Watched } from "../support/terraform";

const IN_CLUSTER = /^(helm|kubernetes)_/;
const NODES = /^aws_eks_node_group\./;
const SYSTEM_NODES = /^aws_eks_node_group\.cluster_SystemNodes_/;
const ON_EVERY_NODE = /^aws_eks_addon\.cluster_Addon-(vpc-cni|kube-proxy|eks-pod-identity-agent)_/;
const ON_SYSTEM_NODES = /^aws_eks_addon\.cluster_Addon-(coredns|aws-ebs-csi-driver)_/;

const NEEDS: Need[] = [
  { who: "what is in the cluster", what: "administrators", from: IN_CLUSTER, to: /^aws_eks_access_policy_assoc/ },
  { who: "what is in the cluster", what: "system nodes", from: IN_CLUSTER, to: SYSTEM_NODES },
  { who: "what is in the cluster", what: "add-ons on every node", from: IN_CLUSTER, to: ON_EVERY_NODE },
  { who: "what is in the cluster", what: "add-ons on system nodes", from: IN_CLUSTER, to: ON_SYSTEM_NODES },
  { who: "the autoscaler", what: "its rights", from: /^helm_release\.autoscaler_/, to: /^aws_\w+\.autoscaler_/ },
  {
    who: "the load balancer controller",
    what: "its rights",
    from: /^helm_release\.load-balancers_/,
    to: /^aws_\w+\.load-balancers_/,
  },
  { who: "nodes", what: "a way to AWS", from: NODES, to: /^aws_(route|route_table_association|vpc_endpoint)\./ },
  { who: "nodes", what: "add-ons on every node", from: NODES, to: ON_EVERY_NODE },
  { who: "add-ons on system nodes", what: "system nodes", from: ON_SYSTEM_NODES, to: SYSTEM_NODES },
  {
    who: "the cluster",
    what: "a log group with an end",
    from: /^aws_eks_cluster\./,
    to: /^aws_cloudwatch_log_group\./,
  },
];

/** The stack of an example, in an account of its own. */
class WholeStack {
  readonly terraform: TerraformFolder;
  readonly json: Json;
  /** Names of the releases by address. */
  readonly releases: Map<string, string>;
  private readonly journal: string;

  constructor(example: string, env: NodeJS.ProcessEnv) {
    const [folder = ""] = synthesizeExample(example);
    this.journal = join(folder, "journal.jsonl");
    this.terraform = new TerraformFolder(folder, { ...env, STANDIN_JOURNAL: this.journal });
    this.json = JSON.parse(readFileSync(join(folder, "cdk.tf.json"), "utf8"));
    this.releases = new Map(
      Object.entries(resources(this.json, "helm_release")).map(([id, { name }]) => [`helm_release.${id}`, name]),
    );
    writeOverrides(folder, env);
    this.terraform.init();
  }

  /** Addresses of all that it makes. */
  get managed(): string[] {
    return addresses(this.json).filter((address) => !address.startsWith("data."));
  }

  /** Names of what was made in the cluster, as the stand-ins for its providers tell it. */
  get made(): string[] {
    const lines = readFileSync(this.journal, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line).name).sort();
  }
}

describeWhere("from nothing", findSimulatedAws(), (aws) => {
  describe.each(wholeExamples)("examples/%s", (example) => {
    let account: Account;
    let stack: WholeStack;
    let applied: Watched;
    let removed: Step[];

    beforeAll(async () => {
      account = await Account.open(aws);
      stack = new WholeStack(example, account.env);
    });
    afterAll(() => account?.stop());

    test("stands after one apply, and a second plan finds no difference", () => {
      applied = stack.terraform.watch("apply");
      expect(applied.errors).toEqual([]);
      expect(applied.steps.map(({ address }) => address)).toEqual(expect.arrayContaining(stack.managed));
      expect(stack.made).toEqual(["gp3", ...stack.releases.values()].sort());
      expect(stack.terraform.planStatus()).toBe(0);
    });

    test.each(NEEDS)("is made with $what before $who", (need) => {
      expect(madeTooEarly(applied.steps, need)).toEqual([]);
    });

    test("is mended by the next apply, whichever release failed", () => {
      let missing: string[] = [];
      for (const [address, name] of stack.releases) {
        const failing = { STANDIN_FAIL: `helm_release/${name}:create` };
        const { errors, steps } = stack.terraform.watch("apply", failing, [`-replace=${address}`, "-refresh=false"]);
        expect(errors.map((error) => error.address)).toEqual([address]);
        expect(stack.terraform.state()).not.toContain(address);
        expect(steps.map((step) => step.address)).toEqual(expect.arrayContaining(missing));
        missing = [address];
      }
      const { errors, steps } = stack.terraform.watch("apply");
      expect(errors).toEqual([]);
      expect(steps.map((step) => step.address)).toEqual(missing);
      expect(stack.terraform.planStatus()).toBe(0);
    });

    test("keeps all that releases need while they cannot be removed", () => {
      const { errors, steps } = stack.terraform.watch("destroy", { STANDIN_FAIL: "helm_release/*:delete" });
      removed = steps;
      expect(errors).toHaveLength(stack.releases.size);
      const left = stack.terraform.state();
      expect(left).toEqual(expect.arrayContaining([...stack.releases.keys()]));
      for (const { to } of NEEDS.filter(({ from }) =>
        [...stack.releases.keys()].some((address) => from.test(address)),
      )) {
        const needed = stack.managed.filter((address) => to.test(address));
        expect(left).toEqual(expect.arrayContaining(needed));
      }
    });

    test("is gone after a destroy, and nothing is left", async () => {
      expect(await account.leftovers()).not.toEqual({});
      const { errors, steps } = stack.terraform.watch("destroy");
      removed.push(...steps);
      expect(errors).toEqual([]);
      expect(stack.terraform.state()).toEqual([]);
      expect(await account.leftovers()).toEqual({});
    });

    test.each(NEEDS)("is removed with $who before $what", (need) => {
      expect(removedTooLate(removed, need)).toEqual([]);
    });
  });
});
