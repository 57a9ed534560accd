import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformStack } from "cdktf";
import { ElasticGpuNodePool, JoinMethod, NodeGroupType, NodeImage } from "cdktf-elastic-gpu";
import { addCluster, addressOf, prerequisites } from "../support/cluster";
import { addPool, clusterOf, refusalOf } from "../support/pool";
import { inPool, Refusal, textToken } from "../support/samples";
import { Json, problemsOf, resources, synth, synthApp, theOne } from "../support/synth";

const pool = { instanceTypes: ["g6.12xlarge"], maxNodes: 4 };

describe("a pool of a cluster that is made in the same run", () => {
  const json = (nodeGroupType: NodeGroupType): Json =>
    synth((stack) => new ElasticGpuNodePool(stack, "pool", { cluster: addCluster(stack), ...pool, nodeGroupType }))
      .json;

  test.each([
    [NodeGroupType.MANAGED, (made: Json) => addressOf(made, "aws_eks_node_group", "pool")],
    [NodeGroupType.SELF_MANAGED, (made: Json) => addressOf(made, "aws_autoscaling_group", "pool")],
  ])("starts nodes (%s) after their network and what runs on each, and ends them before", (type, groupOf) => {
    const made = json(type);
    const before = prerequisites(made, groupOf(made));
    const needed = [
      ...["vpc-cni", "kube-proxy", "eks-pod-identity-agent"].map((name) => addressOf(made, "aws_eks_addon", name)),
      ...["aws_nat_gateway", "aws_route", "aws_route_table_association", "aws_vpc_endpoint", "aws_eks_cluster"].flatMap(
        (kind) => Object.keys(resources(made, kind)).map((id) => `${kind}.${id}`),
      ),
    ];
    expect(needed.filter((address) => !before.has(address))).toEqual([]);
  });

  test("is named after the cluster's name, which is known although it is a reference", () => {
    const roleOf = (clusterName: string) => {
      const made = synth((stack) => addPool(stack, { cluster: addCluster(stack, { clusterName }) })).json;
      return Object.entries(resources(made, "aws_iam_role")).find(([id]) => id.startsWith("pool"))![1].name;
    };
    expect(roleOf("one")).not.toBe(roleOf("two"));
  });
});

test("a pool in another stack waits for nothing that is not in its own", () => {
  const stacks = synthApp((app) => {
    const infra = new TerraformStack(app, "infra");
    new AwsProvider(infra, "aws", { region: "us-east-1" });
    const cluster = addCluster(infra);
    const pools = new TerraformStack(app, "pools");
    new AwsProvider(pools, "aws", { region: "us-east-1" });
    new ElasticGpuNodePool(pools, "pool", { cluster, ...pool });
  });
  const { json } = stacks.pools!;
  const { depends_on, cluster_name } = theOne(json, "aws_eks_node_group");
  expect(depends_on.filter((address: string) => !address.includes(".pool_"))).toEqual([]);
  expect(cluster_name).toContain("data.terraform_remote_state.");
});

describe("the Kubernetes version of a pool", () => {
  test("is the cluster's where none is given", () => {
    expect(theOne(synth((stack) => addPool(stack, {})).json, "aws_eks_node_group").version).toBe("1.34");
  });

  test.each(["1.31", "1.32", "1.33", "1.34"])("may be %s in a cluster of 1.34", (kubernetesVersion) => {
    const managed = synth((stack) => addPool(stack, { kubernetesVersion })).json;
    expect(theOne(managed, "aws_eks_node_group").version).toBe(kubernetesVersion);
    const own = synth((stack) => addPool(stack, { kubernetesVersion, nodeGroupType: NodeGroupType.SELF_MANAGED })).json;
    expect(theOne(own, "data.aws_ssm_parameter").name).toContain(`/optimized-ami/${kubernetesVersion}/`);
  });

  test("decides which releases of the image there are", () => {
    const image = NodeImage.al2023Nvidia({ releaseVersion: "1.33.5-20251120" });
    synth((stack) => addPool(stack, { kubernetesVersion: "1.33", image }));
    expect(refusalOf({ kubernetesVersion: "1.32", image })).toEqual(
      inPool([
        "image: releaseVersion must be one of Kubernetes 1.32, the version of the nodes, got: 1.33.5-20251120 of Kubernetes 1.33; leave it out for the latest",
      ]),
    );
  });

  test("is not compared with a version that Terraform knows", () => {
    synth((stack) =>
      addPool(stack, { cluster: clusterOf(stack, { kubernetesVersion: textToken(stack) }), kubernetesVersion: "1.29" }),
    );
  });

  const skew = (got: string, remedy: string) =>
    `kubernetesVersion: must be from 1.31 to 1.34 for a cluster of 1.34, since kubelets may be 3 minor versions older than the API server, and never newer, got: "${got}". ${remedy}`;
  test.each<Refusal>([
    ["newer than the cluster", { kubernetesVersion: "1.35" }, [skew("1.35", "Upgrade the cluster first")]],
    ["too old", { kubernetesVersion: "1.30" }, [skew("1.30", "Upgrade the nodes, then the cluster")]],
    [
      "a patch version",
      { kubernetesVersion: "1.34.2" },
      [
        'kubernetesVersion: must be a minor version of Kubernetes such as 1.34, as text, got: "1.34.2". Leave it out for the cluster\'s',
        "image: kubernetesVersion must be a minor version such as 1.34, got: 1.34.2",
      ],
    ],
    [
      "a token",
      (stack: TerraformStack) => ({ kubernetesVersion: textToken(stack) }),
      [
        "kubernetesVersion: must be a literal text, because the image of the nodes follows from it, got: a token. Write it out",
      ],
    ],
    [
      "given for an image that has its own",
      {
        kubernetesVersion: "1.33",
        image: NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.nodeadm() }),
      },
      [
        'kubernetesVersion: must be left out for an image of your own, which has its version in it, got: "1.33". Remove it',
      ],
    ],
  ])("is refused when %s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
});

describe("GPU nodes never host controllers", () => {
  const line = (labels: string) =>
    `labels: must not be those of the nodes that controllers belong on (systemNodeSelector), which GPU nodes must not host, got: "${labels}". Use other labels`;

  test("of a cluster that is made", () => {
    expect(
      problemsOf((stack) => addPool(stack, { cluster: addCluster(stack), labels: { "node-role": "system" } })),
    ).toBe(`test/pool: ${line("node-role=system")}`);
  });

  test("of an imported cluster that says where they belong", () => {
    const labelled = (labels: { [key: string]: string }) => (stack: TerraformStack) =>
      addPool(stack, {
        cluster: clusterOf(stack, { systemNodeSelector: { role: "system", size: "small" } }),
        labels,
      });
    expect(problemsOf(labelled({ role: "system", size: "small" }))).toBe(
      `test/pool: ${line("role=system, size=small")}`,
    );
    synth(labelled({ role: "system" }));
  });
});
