import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { SqsQueue } from "@cdktf/provider-aws/lib/sqs-queue";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack } from "cdktf";
import {
  Addon,
  ClusterAutoscaler,
  ClusterProviders,
  GpuCluster,
  HelmAddonProps,
  LoadBalancerController,
  MetricsServer,
  NeuronDevicePlugin,
  NodeTerminationHandler,
  NvidiaDevicePlugin,
} from "cdktf-elastic-gpu";
import { Construct } from "constructs";
import { synthInCluster, theRelease, theValues } from "../support/addon";
import { clusterOf } from "../support/pool";
import { textToken } from "../support/samples";
import { allOf, synth, synthApp, theOne } from "../support/synth";

const createdCluster = {
  clusterName: "training",
  kubernetesVersion: "1.34",
  availabilityZones: ["us-east-1a", "us-east-1b"],
};

type Make = new (scope: Construct, id: string, props: HelmAddonProps) => Construct;

interface Case {
  readonly make: Make;
  readonly addon: Addon;
  readonly chart: string;
  readonly repository: string;
  readonly version: string;
  readonly image: string;
}

const CASES: Case[] = [
  {
    make: ClusterAutoscaler,
    addon: Addon.CLUSTER_AUTOSCALER,
    chart: "cluster-autoscaler",
    repository: "https://kubernetes.github.io/autoscaler",
    version: "9.59.0",
    image: "autoscaling/cluster-autoscaler",
  },
  {
    make: NvidiaDevicePlugin,
    addon: Addon.NVIDIA_DEVICE_PLUGIN,
    chart: "nvidia-device-plugin",
    repository: "https://nvidia.github.io/k8s-device-plugin",
    version: "0.20.0",
    image: "nvidia/k8s-device-plugin",
  },
  {
    make: NeuronDevicePlugin,
    addon: Addon.NEURON_DEVICE_PLUGIN,
    chart: "neuron-helm-chart",
    repository: "oci://public.ecr.aws/neuron",
    version: "1.9.0",
    image: "neuron/neuron-device-plugin",
  },
  {
    make: MetricsServer,
    addon: Addon.METRICS_SERVER,
    chart: "metrics-server",
    repository: "https://kubernetes-sigs.github.io/metrics-server/",
    version: "3.13.1",
    image: "metrics-server/metrics-server",
  },
  {
    make: LoadBalancerController,
    addon: Addon.LOAD_BALANCER_CONTROLLER,
    chart: "aws-load-balancer-controller",
    repository: "https://aws.github.io/eks-charts",
    version: "3.5.0",
    image: "eks/aws-load-balancer-controller",
  },
  {
    make: NodeTerminationHandler,
    addon: Addon.NODE_TERMINATION_HANDLER,
    chart: "aws-node-termination-handler",
    repository: "oci://public.ecr.aws/aws-ec2/helm",
    version: "0.27.6",
    image: "aws-ec2/aws-node-termination-handler",
  },
];

describe.each(CASES)("$addon", ({ make: Make, addon, chart, repository, version, image }) => {
  function release(props: Partial<HelmAddonProps> = {}, attributes = {}) {
    return synthInCluster((stack, cluster) => new Make(stack, "addon", { cluster, ...props }), attributes).json;
  }

  test("is one release of an exact version that mends itself", () => {
    const made = theRelease(release());
    expect(made).toEqual({
      "//": expect.anything(),
      name: addon,
      namespace: "kube-system",
      chart,
      repository,
      version,
      values: [expect.any(String)],
      upgrade_install: true,
      atomic: true,
      max_history: 10,
      timeout: 600,
      depends_on: expect.anything(),
    });
    expect(made.depends_on.every((address: string) => /^aws_/.test(address))).toBe(true);
  });

  test("version, name and time are the user's where given", () => {
    const changed = theRelease(release({ version: "v1.2.3-rc.1", releaseName: "other", timeoutSeconds: 1200 }));
    expect(changed).toMatchObject({ version: "v1.2.3-rc.1", name: "other", timeout: 1200 });
  });

  test("the user's values come last: maps are merged, lists replaced, null kept", () => {
    const before = theValues(release());
    const after = theValues(
      release({ values: { priorityClassName: "mine", resources: { requests: { cpu: "1" } }, added: [1], gone: null } }),
    );
    expect(after).toMatchObject({ priorityClassName: "mine", added: [1], gone: null });
    expect(after.resources).toEqual({
      ...before.resources,
      requests: { ...before.resources?.requests, cpu: "1" },
    });
  });

  test("chart and images come from the cluster's registry where it has one", () => {
    const json = release({}, { registry: "registry.example/mirror" });
    expect(theRelease(json)).toMatchObject({ chart, repository: "oci://registry.example/mirror/charts" });
    const images = JSON.stringify(theValues(json)).match(/registry\.example\/mirror\/[a-z0-9/-]+/g);
    expect(images).toEqual([`registry.example/mirror/${image}`]);
  });

  test("it waits for what the user names, and its pods for their rights", () => {
    const { json } = synthInCluster((stack, cluster) => {
      const queue = new SqsQueue(stack, "queue", {});
      new Make(stack, "addon", { cluster, dependsOn: [queue] });
    });
    const rights = [...allOf(json, "aws_iam_role_policy"), ...allOf(json, "aws_eks_pod_identity_association")];
    expect(theRelease(json).depends_on).toContain("aws_sqs_queue.queue");
    expect(theRelease(json).depends_on).toHaveLength(1 + rights.length);
    rights.forEach((right) => expect(right.depends_on).toEqual(["aws_sqs_queue.queue"]));
  });

  test("it takes the provider that it is given, and then needs no other", () => {
    const { json } = synth((stack) => {
      const helmProvider = new HelmProvider(stack, "helm", { alias: "other" });
      new Make(stack, "addon", { cluster: clusterOf(stack), helmProvider });
    });
    expect(theRelease(json).provider).toBe("helm.other");
  });

  test("the cluster has it from then on", () => {
    synthInCluster((stack, cluster) => {
      new Make(stack, "addon", { cluster });
      expect(cluster.addons).toEqual([addon]);
    });
  });

  test("instances are recognized without instanceof", () => {
    synthInCluster((stack, cluster) => {
      const made = new Make(stack, "addon", { cluster });
      const isMade = (Make as any)[`is${Make.name}`];
      expect(isMade(made)).toBe(true);
      expect([undefined, null, {}, stack].some(isMade)).toBe(false);
    });
  });
});

test("values may hold tokens, commas, braces and quotes", () => {
  const { json } = synthInCluster((stack, cluster) => {
    const values = { args: ["--a=b,c", "{x}", 'say "hi"', "${HOME}"], label: textToken(stack) };
    new MetricsServer(stack, "metrics", { cluster, values });
  });
  expect(theValues(json)).toMatchObject({
    args: ["--a=b,c", "{x}", 'say "hi"', "${HOME}"],
    label: "${jsonencode(var.text)}",
  });
});

test("a created cluster is ready to run pods before any release, and the releases go first", () => {
  const { json } = synth((stack) => {
    const cluster = new GpuCluster(stack, "cluster", createdCluster);
    new ClusterProviders(stack, "providers", { cluster });
    new MetricsServer(stack, "metrics", { cluster });
  });
  const before: string[] = theRelease(json).depends_on;
  expect(before.some((address) => address.startsWith("aws_eks_access_policy_association."))).toBe(true);
  expect(before.some((address) => address.startsWith("aws_eks_node_group."))).toBe(true);
  expect(theValues(json).nodeSelector).toEqual({ "node-role": "system" });
});

test("a cluster of another stack is named across stacks, and not waited for", () => {
  const { apps } = synthApp((app) => {
    const base = new TerraformStack(app, "base");
    new AwsProvider(base, "aws", { region: "us-east-1" });
    const cluster = new GpuCluster(base, "cluster", createdCluster);
    const stack = new TerraformStack(app, "apps");
    new AwsProvider(stack, "aws", { region: "us-east-1" });
    new HelmProvider(stack, "helm", {});
    new LoadBalancerController(stack, "controller", { cluster });
  });
  const release = theOne(apps!.json, "helm_release");
  expect(release.values[0]).toContain('"clusterName":${jsonencode(data.terraform_remote_state.');
  expect(release.depends_on.map((address: string) => address.split(".")[0])).toEqual([
    "aws_iam_role_policy",
    "aws_eks_pod_identity_association",
  ]);
});
