import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { Vpc } from "@cdktf/provider-aws/lib/vpc";
import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { App, TerraformStack } from "cdktf";
import { NodeRole } from "cdktf-elastic-gpu";
import { addPool, PoolChoices, refusalOf } from "../../support/pool";
import { inPool, Refusal } from "../../support/samples";
import { problemsOf, synthApp } from "../../support/synth";

const policy = (name: string) => `arn:aws:iam::aws:policy/${name}`;

describe("what comes first and the provider must be there to refer to", () => {
  test.each<Refusal>([
    [
      "a composite, which CDKTF would leave out",
      (stack: TerraformStack) => ({ dependsOn: [addPool(stack, {}, "other")] as any }),
      [
        "dependsOn[0]: must be a Terraform resource, data source or module, got: test/other. Pass the resource that must come first, such as pool.resource",
      ],
    ],
    [
      "a text",
      { dependsOn: ["aws_vpc.main"] as any },
      [
        "dependsOn[0]: must be a Terraform resource, data source or module, got: aws_vpc.main. Pass the resource that must come first, such as pool.resource",
      ],
    ],
    [
      "one that is no list",
      { dependsOn: "aws_vpc.main" as any },
      [
        'dependsOn: must be a list that is written out; its members may be tokens, got: "aws_vpc.main". List the members one by one',
      ],
    ],
    [
      "the name of a provider",
      { provider: "aws.west" as any },
      ['provider: must be a provider of the stack, got: "aws.west". Pass the AwsProvider itself'],
    ],
  ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));

  /** A pool in the stack "second", with choices made from the stack "first". */
  const acrossStacks = (choices: (first: TerraformStack) => PoolChoices) => () =>
    synthApp((app: App) => {
      const [first, second] = ["first", "second"].map((name) => {
        const stack = new TerraformStack(app, name);
        new AwsProvider(stack, "aws", { region: "us-east-1" });
        return stack;
      }) as [TerraformStack, TerraformStack];
      addPool(second, choices(first));
    });

  test("a resource of another stack, to which Terraform has no address", () => {
    expect(acrossStacks((first) => ({ dependsOn: [new Vpc(first, "vpc", { cidrBlock: "10.0.0.0/16" })] }))).toThrow(
      "second/pool: dependsOn[0]: must be of the stack second, got: first/vpc. " +
        "Say second.addDependency(first) for the stacks, or refer to an attribute of it",
    );
  });

  test("a provider of something else than AWS", () => {
    const refusal = problemsOf((stack) =>
      addPool(stack, { provider: new KubernetesProvider(stack, "kubernetes", {}) }),
    );
    expect(refusal).toBe(
      "test/pool: provider: must be a provider of aws, got: test/kubernetes, which is one of kubernetes. Pass the AwsProvider",
    );
  });

  test("a provider of another stack", () => {
    expect(
      acrossStacks((first) => ({ provider: new AwsProvider(first, "west", { region: "us-west-2", alias: "west" }) })),
    ).toThrow(
      "second/pool: provider: must be of the stack second, got: first/west. Make one in each stack that needs it",
    );
  });
});

describe("policies of the node role", () => {
  test.each<Refusal>([
    [
      "one that every node role has, which would go from the role when it is removed here",
      { nodeRole: NodeRole.own({ managedPolicyArns: [policy("AmazonEKSWorkerNodePolicy")] }) },
      [
        'nodeRole.managedPolicyArns[0]: must not be a policy that every node role has, got: "AmazonEKSWorkerNodePolicy". Remove it',
      ],
    ],
    [
      "one twice",
      { nodeRole: NodeRole.own({ managedPolicyArns: [policy("A"), policy("A")] }) },
      ['nodeRole.managedPolicyArns[1]: must be given once, got: "arn:aws:iam::aws:policy/A". Remove the repetition'],
    ],
    [
      "more than a role takes",
      { nodeRole: NodeRole.own({ managedPolicyArns: Array.from({ length: 18 }, (_, index) => policy(`P${index}`)) }) },
      [
        "nodeRole.managedPolicyArns: must be at most 17, since a role takes 20 with those that nodes need, got: 18. Put several permissions into one policy",
      ],
    ],
  ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
});
