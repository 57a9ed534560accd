import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformStack } from "cdktf";
import { ElasticGpuNodePool, GpuCluster, GpuClusterName, NodeGroupType } from "cdktf-elastic-gpu";
import { clusterAttributes } from "../support/pool";
import { numberToken, Refusal, textToken } from "../support/samples";
import { allOf, problemsOf, synth, theOne } from "../support/synth";

const { subnets } = clusterAttributes;

function named(stack: TerraformStack, choices: Partial<GpuClusterName> = {}) {
  return GpuCluster.fromName(stack, "cluster", {
    clusterName: "prod",
    kubernetesVersion: "1.34",
    subnets,
    ...choices,
  });
}

describe("a cluster by its name", () => {
  test("is read by one data source, and nothing is made", () => {
    const { json } = synth((stack) => named(stack));
    expect(theOne(json, "data.aws_eks_cluster")).toMatchObject({ name: "prod" });
    expect(json.resource).toBeUndefined();
  });

  test("tells self-managed nodes how to join", () => {
    const { json } = synth((stack) => {
      const cluster = named(stack);
      const nodeGroupType = NodeGroupType.SELF_MANAGED;
      new ElasticGpuNodePool(stack, "pool", { cluster, instanceTypes: ["g6.12xlarge"], maxNodes: 4, nodeGroupType });
    });
    const template = JSON.stringify(theOne(json, "aws_launch_template"));
    for (const attribute of [
      "endpoint",
      "certificate_authority[0].data",
      "kubernetes_network_config[0].service_ipv4_cidr",
      "vpc_config[0].cluster_security_group_id",
    ]) {
      expect(template).toContain(`.${attribute}`);
    }
  });

  test("fails the plan where it has another version", () => {
    const { json } = synth((stack) => named(stack));
    const [{ condition, error_message }] = theOne(json, "data.aws_eks_cluster").lifecycle.postcondition;
    expect(condition).toMatch(/^\$\{\(data\.aws_eks_cluster\.cluster_\w+\.version == "1\.34"\)\}$/);
    expect(error_message).toBe(
      "test/cluster: kubernetesVersion is 1.34, and the cluster has another. Give the version that aws eks describe-cluster prints.",
    );
  });

  test("is read with the provider that it is given", () => {
    const { json } = synth((stack) => {
      const provider = new AwsProvider(stack, "eu", { alias: "eu", region: "eu-central-1" });
      named(stack, { provider, subnets: [{ subnetId: "subnet-0aaa", availabilityZone: "eu-central-1a" }] });
    });
    expect(theOne(json, "data.aws_eks_cluster").provider).toBe("aws.eu");
  });

  test("has the labels of its controllers' nodes, its registry and its subnets from the program", () => {
    synth((stack) => {
      const cluster = named(stack, {
        systemNodeSelector: { "node-role": "controllers" },
        registry: "registry.example.com/mirror",
      });
      expect(cluster.systemNodeSelector).toEqual({ "node-role": "controllers" });
      expect(cluster.registry).toBe("registry.example.com/mirror");
      expect(cluster.subnets).toEqual(subnets);
      expect(cluster.clusterName).toBe("prod");
    });
  });

  test("takes a version that Terraform knows, which then is not compared", () => {
    const { json } = synth((stack) => named(stack, { kubernetesVersion: textToken(stack) }));
    expect(theOne(json, "data.aws_eks_cluster")).not.toHaveProperty("lifecycle");
  });

  test.each<Refusal>([
    [
      "its ARN",
      { clusterName: "arn:aws:eks:us-east-1:123456789012:cluster/prod" },
      [
        'clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: "arn:aws:eks:us-east-1:123456789012:cluster/prod". Give the name that `aws eks list-clusters` prints',
      ],
    ],
    [
      "no version",
      { kubernetesVersion: undefined },
      [
        "kubernetesVersion: must be a minor version of Kubernetes such as 1.34, got: undefined. Give the cluster's version without a patch number, as text",
      ],
    ],
    [
      "no subnets",
      { subnets: undefined },
      ["subnets: must name at least one subnet, got: undefined. List the private subnets that pools may use"],
    ],
    [
      "a misspelt property",
      { name: "prod" },
      ["name: is not a property of this construct. Correct its name, or remove it"],
    ],
    [
      "a number token within its name",
      (stack: TerraformStack) => ({ clusterName: `prod-${numberToken(stack)}` }),
      [
        "clusterName: must not have a number token within text, got: a token. Write Token.asString(number) in its place",
      ],
    ],
    [
      "a selector as text",
      { systemNodeSelector: "node-role=system" },
      [
        'systemNodeSelector: must be a map that is written out; its values may be tokens, got: "node-role=system". Write its keys and values out',
      ],
    ],
    [
      "a provider's name",
      { provider: "aws.eu" },
      ['provider: must be a provider of the stack, got: "aws.eu". Pass the AwsProvider itself'],
    ],
  ])("is refused with %s", (_, choices, lines) =>
    expect(
      problemsOf((stack) => named(stack, typeof choices === "function" ? choices(stack) : choices)).split("\n"),
    ).toEqual(lines.map((line) => `test/cluster: ${line}`)),
  );
});

test("two clusters by name are read once each", () => {
  const { json } = synth((stack) => {
    named(stack);
    GpuCluster.fromName(stack, "other", { clusterName: "dev", kubernetesVersion: "1.33", subnets });
  });
  expect(allOf(json, "data.aws_eks_cluster").map(({ name }) => name)).toEqual(["prod", "dev"]);
});
