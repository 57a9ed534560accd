import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { SnsTopic } from "@cdktf/provider-aws/lib/sns-topic";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { KubernetesProvider } from "@cdktf/provider-kubernetes/lib/provider";
import { TerraformStack } from "cdktf";
import { ClusterAutoscaler, GpuSharing, Headroom, NodeTaint, TaintEffect, Workload } from "cdktf-elastic-gpu";
import fc from "fast-check";
import { theValues } from "../support/addon";
import { addCluster, addressOf, prerequisites } from "../support/cluster";
import { clusterOf } from "../support/pool";
import { numberToken } from "../support/samples";
import { addSpot, madeAt, ofBoth, SpotChoice, SpotChoices, spotRefusal, synthSpot, templateOf } from "../support/spot";
import { Json, problemsOf, resources, synth, synthApp, theOne } from "../support/synth";

const headroom = Headroom.nodes(1);
const jsonOf = (choices: SpotChoice = { headroom }): Json => synthSpot(choices).json;
const podOf = (json: Json): Json => theOne(json, "kubernetes_deployment_v1").spec.template.spec;
const name = expect.stringMatching(/^headroom-test-pool-[0-9a-f]{8}$/);

test("without headroom there are no objects in the cluster, and no provider for them is needed", () => {
  const { json } = synth((stack) => addSpot(stack));
  expect(Object.keys(json.resource).filter((type) => type.startsWith("kubernetes_"))).toEqual([]);
});

test("placeholders yield to every pod, preempt none and leave at once", () => {
  const json = jsonOf();
  const { address, block: priority } = madeAt(json, "PlaceholderPriority");
  expect(priority).toEqual({
    depends_on: [],
    metadata: { name },
    description: "Placeholders that hold nodes and yield to every other pod",
    value: -10,
    preemption_policy: "Never",
  });
  expect(podOf(json)).toMatchObject({
    priority_class_name: `\${${address}.metadata[0].name}`,
    termination_grace_period_seconds: 0,
  });
});

test("their priority is just not below the cutoff of the autoscaler, which starts nodes for them", () => {
  const { json } = synth((stack) => {
    new HelmProvider(stack, "helm", {});
    new KubernetesProvider(stack, "kubernetes", {});
    const cluster = clusterOf(stack);
    addSpot(stack, { cluster, headroom });
    new ClusterAutoscaler(stack, "autoscaler", { cluster });
  });
  expect(theValues(json).extraArgs["expendable-pods-priority-cutoff"]).toBe(
    String(theOne(json, "kubernetes_priority_class_v1").value),
  );
});

test("a deployment has one placeholder for each node, which does nothing, may be evicted and is not waited for", () => {
  const json = jsonOf({ headroom: Headroom.nodes(3) });
  const labels = { "app.kubernetes.io/name": "headroom", "app.kubernetes.io/instance": name };
  const selector = templateOf(madeAt(json, "Resource").block)["label/pool"];
  expect(madeAt(json, "Placeholders").block).toEqual({
    depends_on: [],
    metadata: { name, namespace: "kube-system", labels },
    wait_for_rollout: false,
    spec: {
      replicas: "3",
      selector: { match_labels: labels },
      template: {
        metadata: { labels, annotations: { "cluster-autoscaler.kubernetes.io/safe-to-evict": "true" } },
        spec: {
          priority_class_name: expect.any(String),
          termination_grace_period_seconds: 0,
          automount_service_account_token: false,
          enable_service_links: false,
          node_selector: { pool: selector },
          toleration: [
            { key: "nvidia.com/gpu", operator: "Equal", value: "present", effect: "NoSchedule" },
            { key: "node-tier", operator: "Equal", value: "fallback", effect: "PreferNoSchedule" },
          ],
          affinity: {
            node_affinity: {
              preferred_during_scheduling_ignored_during_execution: [
                {
                  weight: 100,
                  preference: {
                    match_expressions: [{ key: "node-lifecycle", operator: "In", values: ["on-demand"] }],
                  },
                },
              ],
            },
          },
          security_context: {
            run_as_non_root: true,
            run_as_user: "65535",
            seccomp_profile: { type: "RuntimeDefault" },
          },
          container: [
            {
              name: "placeholder",
              image: "registry.k8s.io/pause:3.10.1",
              resources: {
                requests: { "nvidia.com/gpu": "1", cpu: "10m", memory: "16Mi" },
                limits: { "nvidia.com/gpu": "1", cpu: "10m", memory: "16Mi" },
              },
              security_context: {
                allow_privilege_escalation: false,
                read_only_root_filesystem: true,
                capabilities: { drop: ["ALL"] },
              },
            },
          ],
        },
      },
    },
  });
});

test.each<[string, SpotChoices, string, number[]]>([
  ["GPUs", { instanceTypes: ["g6.12xlarge"] }, "nvidia.com/gpu", [4]],
  ["partitions", { instanceTypes: ["p5.48xlarge"], sharing: GpuSharing.mig("1g.10gb") }, "nvidia.com/gpu", [56]],
  ["Neuron devices", { instanceTypes: ["inf2.48xlarge"] }, "aws.amazon.com/neuron", [12]],
  [
    "slices, of which the device plugin admits one a container",
    { sharing: GpuSharing.timeSlicing({ replicas: 6 }) },
    "nvidia.com/gpu",
    Array(6).fill(1),
  ],
  [
    "shares, of which it admits one a container",
    { instanceTypes: ["g6.12xlarge"], sharing: GpuSharing.mps({ replicas: 3 }) },
    "nvidia.com/gpu",
    Array(12).fill(1),
  ],
])("a placeholder asks for all that a node has, so that it fills one: %s", (_, choices, resource, counts) => {
  const json = jsonOf({ ...choices, headroom });
  const containers: Json[] = podOf(json).container;
  expect(containers.map(({ resources: { requests } }) => Number(requests[resource]))).toEqual(counts);
  containers.forEach(({ resources: { requests, limits } }) => expect(limits).toEqual(requests));
  expect(new Set(containers.map((container) => container.name)).size).toBe(counts.length);
  const inAll = counts.reduce((sum, count) => sum + count);
  for (const group of ofBoth(json, "Resource")) {
    expect(templateOf(group)).toMatchObject({ [`resources/${resource}`]: String(inAll) });
  }
});

test("placeholders tolerate every taint of both groups, so that they hold nodes of either", () => {
  const json = jsonOf({
    headroom,
    workload: Workload.inference(),
    workloadTaint: TaintEffect.NO_SCHEDULE,
    taints: [NodeTaint.noExecute("team", "vision")],
  });
  const tolerated = podOf(json).toleration.map(
    ({ key, operator, value, effect }: Json) => `${key} ${operator} ${value}:${effect}`,
  );
  const tainted = ofBoth(json, "Resource")
    .flatMap((group) => Object.entries(templateOf(group)))
    .filter(([key]) => key.startsWith("taint/"))
    .map(([key, taint]) => `${key.slice("taint/".length)} Equal ${taint}`);
  expect([...tolerated].sort()).toEqual([...new Set(tainted)].sort());
  expect(tolerated).toHaveLength(4);
});

test("the number of nodes may be filled in by Terraform", () => {
  const json = jsonOf((stack) => ({ headroom: Headroom.nodes(numberToken(stack)) }));
  expect(theOne(json, "kubernetes_deployment_v1").spec.replicas).toBe("${var.number}");
});

test("the image comes from the cluster's own registry where it has one", () => {
  const { json } = synth((stack) => {
    new KubernetesProvider(stack, "kubernetes", {});
    const registry = "123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror";
    addSpot(stack, { cluster: clusterOf(stack, { registry }), headroom });
  });
  expect(podOf(json).container[0].image).toBe("123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror/pause:3.10.1");
});

test("objects come after the cluster that is made with them, and what else the user names", () => {
  const { json } = synth((stack) => {
    new KubernetesProvider(stack, "kubernetes", {});
    const topic = new SnsTopic(stack, "first", {});
    addSpot(stack, { cluster: addCluster(stack), headroom, dependsOn: [topic] });
  });
  for (const type of ["kubernetes_deployment_v1", "kubernetes_priority_class_v1"]) {
    const before = prerequisites(json, addressOf(json, type));
    expect(before).toContain("aws_sns_topic.first");
    expect([...before].filter((address) => address.startsWith("aws_eks_cluster."))).toHaveLength(1);
  }
});

describe("the kubernetes provider", () => {
  test.each<[string, any, string]>([
    [
      "a name",
      { kubernetesProvider: "kubernetes.other" },
      'must be a provider of the stack, got: "kubernetes.other". Pass the KubernetesProvider itself',
    ],
    [
      "null",
      { kubernetesProvider: null },
      "must be a provider of the stack, got: null. Pass the KubernetesProvider itself",
    ],
    [
      "one of AWS",
      (stack: TerraformStack) => ({ kubernetesProvider: new AwsProvider(stack, "west", { alias: "west" }) }),
      "must be a provider of kubernetes, got: test/west, which is one of aws. Pass the KubernetesProvider",
    ],
    [
      "one of another stack",
      (stack: TerraformStack) => ({
        kubernetesProvider: new KubernetesProvider(new TerraformStack(stack.node.root, "infra"), "kubernetes", {}),
      }),
      "must be of the stack test, got: infra/kubernetes. Make one in each stack that needs it",
    ],
  ])("is refused where it is something else, with headroom or without: %s", (_, choices, text) => {
    for (const others of [{}, { headroom }]) {
      const both = (stack: TerraformStack) => ({
        ...(typeof choices === "function" ? choices(stack) : choices),
        ...others,
      });
      expect(spotRefusal(both)).toEqual([`test/pool: kubernetesProvider: ${text}`]);
    }
  });

  test("is missed with the line to add", () => {
    expect(problemsOf((stack) => addSpot(stack, { headroom }))).toContain(
      "test/pool: kubernetesProvider: must be given, because the stack test has no kubernetes provider without an alias. " +
        'Add new ClusterProviders(stack, "providers", { cluster }) to the stack, or pass the provider',
    );
  });

  test("may be one of several, and may be declared after the pool", () => {
    const { json } = synth((stack) => {
      const kubernetesProvider = new KubernetesProvider(stack, "other", { alias: "other" });
      addSpot(stack, { headroom, kubernetesProvider }, "one");
      addSpot(stack, { headroom }, "two");
      new KubernetesProvider(stack, "kubernetes", {});
    });
    for (const type of ["kubernetes_deployment_v1", "kubernetes_priority_class_v1"]) {
      const providers = Object.entries(resources(json, type)).map(([id, { provider }]) => [id.slice(0, 3), provider]);
      expect(providers.sort()).toEqual([
        ["one", "kubernetes.other"],
        ["two", undefined],
      ]);
    }
  });
});

test("no name begins with system-, which Kubernetes keeps for its own, is longer than 63 or changes with a cluster's other pools", () => {
  const id = fc.oneof(
    fc.constantFrom("system", "System-node", "system-"),
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,100}$/),
  );
  const namesIn = (stackId: string, path: string, others: string[]): string[] => {
    const { [stackId]: synthesized } = synthApp((app) => {
      const stack = new TerraformStack(app, stackId);
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      new KubernetesProvider(stack, "kubernetes", {});
      [...others, path].forEach((each) => addSpot(stack, { headroom, cluster: clusterOf(stack) }, each));
    });
    const metadata = ["kubernetes_priority_class_v1", "kubernetes_deployment_v1"].flatMap((type) =>
      Object.values(resources(synthesized!.json, type)),
    );
    return metadata.map((each) => each.metadata.name).sort();
  };
  fc.assert(
    fc.property(id, (path) => {
      const names = namesIn("system", path, []);
      names.forEach((each) => expect(each).toMatch(/^(?!system-)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/));
      expect(namesIn("system", path, ["another0"])).toEqual(expect.arrayContaining(names));
    }),
    { numRuns: 12 },
  );
});

test("two pools have placeholders of their own", () => {
  const { json } = synth((stack) => {
    new KubernetesProvider(stack, "kubernetes", {});
    ["one", "two"].forEach((id) => addSpot(stack, { headroom }, id));
  });
  for (const type of ["kubernetes_deployment_v1", "kubernetes_priority_class_v1"]) {
    const names = Object.values(resources(json, type)).map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(2);
  }
  const selectors = Object.values(resources(json, "kubernetes_deployment_v1")).map(
    ({ spec }) => spec.template.spec.node_selector.pool,
  );
  expect(new Set(selectors).size).toBe(2);
});
