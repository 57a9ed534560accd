import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformStack } from "cdktf";
import {
  ClusterAutoscaler,
  ClusterProviders,
  ClusterProvidersProps,
  EndpointAccess,
  GpuCluster,
  IGpuCluster,
} from "cdktf-elastic-gpu";
import { requireProviders } from "../../lib/internal/providers";
import { addCluster, addressOf, prerequisites } from "../support/cluster";
import { addPool, clusterAttributes, clusterOf } from "../support/pool";
import { numberToken, Refusal, textToken } from "../support/samples";
import { allOf, Json, problemsOf, resources, synth, synthApp, theOne, warningsOf } from "../support/synth";

type Choices = Omit<ClusterProvidersProps, "cluster">;

function providersOf(choices: Choices, cluster: (stack: TerraformStack) => IGpuCluster = clusterOf): Json {
  return synth((stack) => new ClusterProviders(stack, "providers", { cluster: cluster(stack), ...choices })).json
    .provider;
}

const open = { endpointAccess: EndpointAccess.publicFrom(["203.0.113.0/24"]) };

describe("the providers of a cluster", () => {
  test("ask the AWS CLI for a token each time, in the region of the cluster's zones", () => {
    const exec = {
      api_version: "client.authentication.k8s.io/v1",
      command: "aws",
      args: ["eks", "get-token", "--output", "json", "--cluster-name", "prod", "--region", "us-east-1"],
    };
    const access = {
      host: clusterAttributes.endpoint,
      cluster_ca_certificate: `\${base64decode("${clusterAttributes.certificateAuthority}")}`,
    };
    expect(providersOf({})).toMatchObject({
      kubernetes: [{ ...access, exec: [exec] }],
      helm: [{ kubernetes: { ...access, exec } }],
    });
  });

  test("take a profile, a role and a region", () => {
    const choices = {
      region: "eu-central-1",
      profile: "gpu",
      roleArn: "arn:aws:iam::123456789012:role/ci/deployer",
    };
    expect(providersOf(choices).helm[0].kubernetes.exec.args.slice(4)).toEqual([
      "--cluster-name",
      "prod",
      "--region",
      "eu-central-1",
      "--profile",
      "gpu",
      "--role-arn",
      "arn:aws:iam::123456789012:role/ci/deployer",
    ]);
  });

  test("have an alias where there are several clusters", () => {
    const { kubernetes, helm } = providersOf({ alias: "training" });
    expect([kubernetes[0].alias, helm[0].alias]).toEqual(["training", "training"]);
  });

  test("refer to a cluster that is made in the same run", () => {
    const [helm] = providersOf({}, (stack) => addCluster(stack, open)).helm;
    expect(helm.kubernetes.host).toMatch(/^\$\{aws_eks_cluster\.cluster_\w+\.endpoint\}$/);
    expect(helm.kubernetes.cluster_ca_certificate).toMatch(
      /^\$\{base64decode\(aws_eks_cluster\.cluster_\w+\.certificate_authority\[0\]\.data\)\}$/,
    );
    expect(helm.kubernetes.exec.args[5]).toMatch(/^\$\{aws_eks_cluster\.cluster_\w+\.name\}$/);
  });

  test("reach a cluster that is read by its name", () => {
    const [kubernetes] = providersOf({}, (stack) =>
      GpuCluster.fromName(stack, "cluster", {
        clusterName: "prod",
        kubernetesVersion: "1.34",
        subnets: clusterAttributes.subnets,
      }),
    ).kubernetes;
    expect(kubernetes.host).toMatch(/^\$\{data\.aws_eks_cluster\.cluster_\w+\.endpoint\}$/);
  });
});

describe("the default storage class", () => {
  test("comes with the first providers of a cluster that is made, after all that its volumes need", () => {
    const { json } = synth((stack) => {
      const cluster = addCluster(stack, open);
      new ClusterProviders(stack, "providers", { cluster });
      new ClusterProviders(stack, "others", { cluster, alias: "others" });
    });
    expect(theOne(json, "kubernetes_storage_class_v1")).toMatchObject({
      provider: "kubernetes",
      metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      storage_provisioner: "ebs.csi.aws.com",
      parameters: { type: "gp3", encrypted: "true" },
      volume_binding_mode: "WaitForFirstConsumer",
      reclaim_policy: "Delete",
      allow_volume_expansion: true,
    });
    const before = prerequisites(json, addressOf(json, "kubernetes_storage_class_v1"));
    const needed = [
      addressOf(json, "aws_eks_access_policy_association"),
      addressOf(json, "aws_eks_node_group"),
      ...Object.keys(resources(json, "aws_eks_addon")).map((id) => `aws_eks_addon.${id}`),
    ];
    expect(needed.filter((address) => !before.has(address))).toEqual([]);
  });

  test("is not made in clusters that exist, whose owners decide", () => {
    const { json } = synth((stack) => new ClusterProviders(stack, "providers", { cluster: clusterOf(stack) }));
    expect(json.resource).toBeUndefined();
  });

  test("is made in the stack of the providers, and waits for nothing of another", () => {
    const stacks = synthApp((app) => {
      const infra = new TerraformStack(app, "infra");
      new AwsProvider(infra, "aws", { region: "us-east-1" });
      const cluster = addCluster(infra, open);
      const inside = new TerraformStack(app, "inside");
      new ClusterProviders(inside, "providers", { cluster });
    });
    expect(allOf(stacks.infra!.json, "kubernetes_storage_class_v1")).toEqual([]);
    expect(theOne(stacks.inside!.json, "kubernetes_storage_class_v1").depends_on).toEqual([]);
  });
});

test("a program without providers synthesizes a cluster, without a storage class", () => {
  const { json } = synth((stack) => addCluster(stack));
  expect(Object.keys(json.resource).filter((type) => !type.startsWith("aws_"))).toEqual([]);
});

test("providers of a cluster that the VPC alone reaches say where Terraform must run", () => {
  const warning =
    "test/providers: test/cluster: endpointAccess: the API server is reached from the VPC only, so that Terraform must run there or in a network that is connected with it. Elsewhere, give your addresses to EndpointAccess.publicFrom()";
  const connect = (choices: object) =>
    warningsOf((stack) => new ClusterProviders(stack, "providers", { cluster: addCluster(stack, choices) }));
  expect(connect({})).toEqual([warning]);
  expect(connect(open)).toEqual([]);
});

describe("providers are refused with what to change", () => {
  const refusal = (choices: any) =>
    problemsOf((stack) => {
      const props = typeof choices === "function" ? choices(stack) : choices;
      new ClusterProviders(stack, "providers", { cluster: clusterOf(stack), ...props });
    }).split("\n");

  test.each<Refusal>([
    [
      "a cluster of which the way in is not known",
      (stack: TerraformStack) => ({
        cluster: clusterOf(stack, { endpoint: undefined, certificateAuthority: undefined }),
      }),
      [
        "cluster.endpoint: must be given, because the API server is reached by it, got: undefined. Pass it to GpuCluster.fromAttributes(), or use GpuCluster.fromName(), which reads it",
        "cluster.certificateAuthority: must be given, because the API server is reached by it, got: undefined. Pass it to GpuCluster.fromAttributes(), or use GpuCluster.fromName(), which reads it",
      ],
    ],
    [
      "a zone for a region",
      { region: "us-east-1a" },
      ['region: must be the name of a region such as us-east-1, got: "us-east-1a". Correct it'],
    ],
    [
      "a role by its name",
      { roleArn: "deployer" },
      ['roleArn: must be the ARN of a role, got: "deployer". Give arn:aws:iam::<account>:role/<name>'],
    ],
    [
      "an alias that Terraform does not take",
      { alias: "2nd" },
      [
        'alias: must be a literal name of letters, digits, hyphens and underscores that does not start with a digit, got: "2nd". Such as training',
      ],
    ],
    [
      "an alias as token",
      (stack: TerraformStack) => ({ alias: textToken(stack) }),
      [
        "alias: must be a literal name of letters, digits, hyphens and underscores that does not start with a digit, got: a token. Such as training",
      ],
    ],
    [
      "no cluster",
      { cluster: "prod" },
      [
        'cluster: must be made by new GpuCluster(), GpuCluster.fromAttributes() or GpuCluster.fromName(), got: "prod". Pass the cluster itself',
      ],
    ],
    [
      "number tokens within texts",
      (stack: TerraformStack) => {
        const text = `a-${numberToken(stack)}`;
        return { profile: text, region: text, roleArn: text };
      },
      ["profile", "region", "roleArn"].map(
        (property) =>
          `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`,
      ),
    ],
    ["a number for a profile", { profile: 1 }, ["profile: must be text, got: 1. Put it in quotes"]],
    [
      "a property that there is not",
      { role: "x" },
      ["role: is not a property of this construct. Correct its name, or remove it"],
    ],
  ])("%s", (_, choices, lines) => expect(refusal(choices)).toEqual(lines.map((line) => `test/providers: ${line}`)));

  test("a second pair without an alias", () => {
    const text = problemsOf((stack) => {
      const cluster = clusterOf(stack);
      new ClusterProviders(stack, "one", { cluster });
      new ClusterProviders(stack, "two", { cluster });
    });
    expect(text).toContain(
      "test/one/Kubernetes and test/two/Kubernetes have one address, provider kubernetes: give all but one of them an alias",
    );
    expect(text).toContain(
      "test/one/Helm and test/two/Helm have one address, provider helm: give all but one of them an alias",
    );
  });
});

describe("what needs providers", () => {
  const line = (kind: string) =>
    `test: ${kind}Provider: must be given, because the stack test has no ${kind} provider without an alias. Add new ClusterProviders(stack, "providers", { cluster }) to the stack, or pass the provider`;

  test("is refused where the stack has none", () => {
    const text = problemsOf((stack) => requireProviders(stack, ["kubernetes", "helm"]));
    expect(text).toContain(line("kubernetes"));
    expect(text).toContain(line("helm"));
  });

  test("is refused where all have an alias, or are of the other kind", () => {
    const text = problemsOf((stack) => {
      const helm = new HelmProvider(stack, "helm", { alias: "other" });
      requireProviders(stack, ["kubernetes", "helm"], [helm]);
    });
    expect(text).toContain(line("kubernetes"));
    expect(text).not.toContain(line("helm"));
  });

  const aws = (path: string): string =>
    `${path}: provider: must be given, because the stack test has no aws provider without an alias. Add new AwsProvider(stack, "aws", { region: "…" }) to the stack, or pass the provider`;
  const refusedOf = (build: (stack: TerraformStack, provider: AwsProvider) => void): string => {
    try {
      synthApp((app) => {
        const stack = new TerraformStack(app, "test");
        build(stack, new AwsProvider(stack, "aws", { region: "us-east-1", alias: "only" }));
      });
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };

  test("is refused where the only AWS provider has an alias and is not given", () => {
    const text = refusedOf((stack) => {
      const cluster = GpuCluster.fromName(stack, "cluster", {
        clusterName: "prod",
        kubernetesVersion: "1.34",
        subnets: clusterAttributes.subnets,
      });
      addPool(stack, { cluster });
      new ClusterProviders(stack, "providers", { cluster });
      new ClusterAutoscaler(stack, "autoscaler", { cluster });
    });
    expect(text).toContain(aws("test/cluster"));
    expect(text).toContain(aws("test/pool"));
    expect(text).toContain(aws("test/autoscaler"));
  });

  test("is refused for a cluster of its own in the same way", () => {
    expect(refusedOf((stack) => addCluster(stack))).toContain(aws("test/cluster"));
  });

  test("takes an AWS provider with an alias that is given", () => {
    expect(refusedOf((stack, provider) => addPool(stack, { provider }))).toBe("");
  });

  test("takes providers that are declared later", () => {
    synth((stack) => {
      requireProviders(stack, ["kubernetes", "helm"]);
      new ClusterProviders(stack, "providers", { cluster: clusterOf(stack) });
    });
  });

  test("takes the user's own", () => {
    synth((stack) => {
      requireProviders(stack, ["kubernetes"]);
      new KubernetesProvider(stack, "kubernetes", {});
    });
  });
});
