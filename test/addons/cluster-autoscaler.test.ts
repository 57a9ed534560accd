import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack } from "cdktf";
import { Capacity, ClusterAutoscaler, ClusterAutoscalerProps, NodeGroupType } from "cdktf-elastic-gpu";
import { parse } from "yaml";
import { Build, synthInCluster, theValues, valuesOf } from "../support/addon";
import { addPool, clusterOf, PoolChoices } from "../support/pool";
import { numberToken, textToken } from "../support/samples";
import { Json, synth, synthApp, theOne } from "../support/synth";

const reserved: PoolChoices = {
  capacity: Capacity.reservation({ reservationId: "cr-0123456789abcdef0", instanceCount: 4 }),
  availabilityZones: ["us-east-1a"],
};
const spot: PoolChoices = { capacity: Capacity.spot() };

/** The values of an autoscaler that is declared before the pools. */
function autoscalerValues(pools: Record<string, PoolChoices>, props: Partial<ClusterAutoscalerProps> = {}): Json {
  const build: Build = (stack, cluster) => {
    new ClusterAutoscaler(stack, "autoscaler", { cluster, ...props });
    Object.entries(pools).forEach(([id, choices]) => addPool(stack, choices, id));
  };
  return theValues(synthInCluster(build).json);
}

describe("flags", () => {
  test("are these where there is one tier", () => {
    expect(autoscalerValues({ pool: {} }).extraArgs).toEqual({
      expander: "priority,least-waste",
      "balance-similar-node-groups": "true",
      "balancing-ignore-label_1": "eks.amazonaws.com/nodegroup-image",
      "balancing-ignore-label_2": "eks.amazonaws.com/sourceLaunchTemplateId",
      "balancing-ignore-label_3": "eks.amazonaws.com/sourceLaunchTemplateVersion",
      "balancing-ignore-label_4": "topology.k8s.aws/zone-id",
      "balancing-ignore-label_5": "topology.k8s.aws/network-node-layer-1",
      "balancing-ignore-label_6": "topology.k8s.aws/network-node-layer-2",
      "balancing-ignore-label_7": "topology.k8s.aws/network-node-layer-3",
      "balancing-ignore-label_8": "node-lifecycle",
      "max-node-provision-time": "15m",
      "scale-down-unneeded-time": "10m",
      "scale-down-gpu-utilization-threshold": "0.5",
      "skip-nodes-with-local-storage": "false",
      "max-graceful-termination-sec": "600",
      "expendable-pods-priority-cutoff": "-10",
      "emit-per-nodegroup-metrics": "true",
    });
  });

  test("the back-off outlasts the failures of all groups of a tier, one after the other", () => {
    const flags = autoscalerValues({ a: spot, b: spot, c: spot, sure: {} }, { maxNodeProvisionMinutes: 20 }).extraArgs;
    expect(flags).toMatchObject({
      "max-node-provision-time": "20m",
      "initial-node-group-backoff-duration": "61m",
      "max-node-group-backoff-duration": "122m",
      "node-group-backoff-reset-timeout": "244m",
    });
  });

  test("the back-off is never below the autoscaler's own limits", () => {
    expect(autoscalerValues({ a: spot, sure: {} }).extraArgs).toMatchObject({
      "initial-node-group-backoff-duration": "16m",
      "max-node-group-backoff-duration": "32m",
      "node-group-backoff-reset-timeout": "180m",
    });
  });

  test("the last tier has none to make way for, however many groups it has", () => {
    const flags = autoscalerValues({ a: spot, b: {}, c: {}, d: {} }).extraArgs;
    expect(flags).toMatchObject({ "initial-node-group-backoff-duration": "16m" });
    expect(Object.keys(autoscalerValues({ b: {}, c: {} }).extraArgs)).not.toContain(
      "initial-node-group-backoff-duration",
    );
  });

  test("the grace of pods may be a token", () => {
    const { json } = synthInCluster((stack, cluster) => {
      new ClusterAutoscaler(stack, "autoscaler", { cluster, gracefulTerminationSeconds: numberToken(stack) });
    });
    expect(theValues(json).extraArgs["max-graceful-termination-sec"]).toBe("${jsonencode(var.number)}");
  });

  test("a user's flag replaces one, and the others stay", () => {
    const flags = autoscalerValues({}, { values: { extraArgs: { "scale-down-unneeded-time": "3m" } } }).extraArgs;
    expect(flags).toMatchObject({ "scale-down-unneeded-time": "3m", expander: "priority,least-waste" });
  });

  test.each([
    [4, []],
    [
      5,
      [
        "test/autoscaler: after a failed launch a group is left alone for 76 minutes, because that many may pass until all " +
          "groups of its tier have failed, too. Use fewer pools of one tier, with more instance types and zones each",
      ],
    ],
  ])("%d Spot groups: a long back-off is a warning", (count, warnings) => {
    const synthesized = synthInCluster((stack, cluster) => {
      new ClusterAutoscaler(stack, "autoscaler", { cluster, values: {} });
      for (let index = 0; index < count - 1; index += 1) {
        addPool(stack, spot, `spot${index}`);
      }
      addPool(stack, spot, "last");
      addPool(stack, {}, "sure");
    });
    const own = synthesized.warnings.filter((warning) => warning.startsWith("test/autoscaler"));
    // Four groups of 15 minutes and one more minute are just over an hour.
    expect(own).toEqual(count === 4 ? [expect.stringContaining("for 61 minutes")] : warnings);
  });
});

describe("priorities", () => {
  function priorities(values: Json): Json {
    return parse(values.expanderPriorities);
  }

  test("follow the tiers, equal ones are equal, and all other groups come last", () => {
    const values = autoscalerValues({ paid: reserved, sure: {}, other: {}, cheap: spot });
    expect(priorities(values)).toEqual({
      40: ["^eks-test-paid-[0-9a-f]{26}-[0-9a-f-]{36}$"],
      30: ["^eks-test-cheap-[0-9a-f]{26}-[0-9a-f-]{36}$"],
      20: ["^eks-test-sure-[0-9a-f]{26}-[0-9a-f-]{36}$", "^eks-test-other-[0-9a-f]{26}-[0-9a-f-]{36}$"],
      1: [".*"],
    });
  });

  test("without pools all groups are equal", () => {
    expect(priorities(autoscalerValues({}))).toEqual({ 1: [".*"] });
  });

  test("their keys are numbers for the autoscaler, not texts", () => {
    expect(autoscalerValues({ pool: {} }).expanderPriorities).toBe(
      '20:\n  - "^eks-test-pool-[0-9a-f]{26}-[0-9a-f-]{36}$"\n1:\n  - ".*"',
    );
  });

  test("match the group of their pool and of no other, however alike the names are", () => {
    const values = autoscalerValues({
      a: {},
      "a-b": spot,
      named: { name: "eks-no", capacity: Capacity.spot() },
      own: { nodeGroupType: NodeGroupType.SELF_MANAGED, name: "own" },
    });
    const ending = "2f4c1b7e-1d2a-4c8e-9a3b-1c2d3e4f5a6b";
    const names = [
      `eks-test-a-20260101000000123400000001-${ending}`,
      `eks-test-a-b-20260101000000123400000001-${ending}`,
      `eks-eks-no-${ending}`,
      "own",
    ];
    const expressions: string[] = Object.values<string[]>(priorities(values))
      .flat()
      .filter((expression) => expression !== ".*");
    expect(expressions).toHaveLength(4);
    names.forEach((name) => {
      expect(expressions.filter((expression) => new RegExp(expression).test(name))).toHaveLength(1);
    });
    expect(expressions.some((expression) => new RegExp(expression).test("owner"))).toBe(false);
  });

  test("a name that is a token is filled in by Terraform", () => {
    const { json } = synthInCluster((stack, cluster) => {
      new ClusterAutoscaler(stack, "autoscaler", { cluster });
      addPool(stack, { name: textToken(stack) });
    });
    expect(theValues(json).expanderPriorities).toBe(
      '${jsonencode("20:\\n  - \\"^eks-${var.text}-[0-9a-f-]{36}$\\"\\n1:\\n  - \\".*\\"")}',
    );
  });

  test("the user's replace them, the highest first, with the rest of the groups behind", () => {
    const given = [
      { priority: 5, groups: ["^b$"] },
      { priority: 50, groups: ["^a\\.x$", "^c$"] },
    ];
    const values = autoscalerValues({ pool: {} }, { priorities: given });
    expect(values.expanderPriorities).toBe('50:\n  - "^a\\\\.x$"\n  - "^c$"\n5:\n  - "^b$"\n1:\n  - ".*"');
    expect(priorities(values)).toEqual({ 50: ["^a\\.x$", "^c$"], 5: ["^b$"], 1: [".*"] });
    const all = [{ priority: 7, groups: [".*"] }];
    expect(priorities(autoscalerValues({}, { priorities: all }))).toEqual({ 7: [".*"] });
  });
});

test("pools may be declared before or after it", () => {
  const one = autoscalerValues({ pool: spot, sure: {} });
  const { json } = synthInCluster((stack, cluster) => {
    addPool(stack, spot);
    addPool(stack, {}, "sure");
    new ClusterAutoscaler(stack, "autoscaler", { cluster });
  });
  expect(theValues(json)).toEqual(one);
});

test("pools of other stacks come in by property, and are named without a reference to their stack", () => {
  const { controllers } = synthApp((app) => {
    const gpus = new TerraformStack(app, "gpus");
    new AwsProvider(gpus, "aws", { region: "us-east-1" });
    const pool = addPool(gpus, spot);
    const stack = new TerraformStack(app, "controllers");
    new AwsProvider(stack, "aws", { region: "us-east-1" });
    new HelmProvider(stack, "helm", {});
    const cluster = clusterOf(stack);
    new ClusterAutoscaler(stack, "autoscaler", { cluster, pools: [pool, pool] });
  });
  const values = valuesOf(theOne(controllers!.json, "helm_release"));
  expect(parse(values.expanderPriorities)).toEqual({
    30: ["^eks-gpus-pool-[0-9a-f]{26}-[0-9a-f-]{36}$"],
    1: [".*"],
  });
  expect(controllers!.json.data?.terraform_remote_state).toBeUndefined();
});

describe("image", () => {
  test.each([
    ["1.31", "v1.31.5"],
    ["1.32", "v1.32.7"],
    ["1.33", "v1.33.6"],
    ["1.34", "v1.34.5"],
    ["1.35", "v1.35.2"],
    ["1.36", "v1.36.1"],
  ])("is of the cluster's minor version: %s", (kubernetesVersion, tag) => {
    const { json } = synthInCluster((stack, cluster) => new ClusterAutoscaler(stack, "autoscaler", { cluster }), {
      kubernetesVersion,
    });
    expect(theValues(json).image).toEqual({ tag });
  });

  test.each([
    ["1.34.9", "v1.34.9"],
    ["v1.34.9", "v1.34.9"],
  ])("may be given: %s", (autoscalerVersion, tag) => {
    expect(autoscalerValues({}, { autoscalerVersion }).image).toEqual({ tag });
  });

  test("is looked up by Terraform where the cluster's version is a token", () => {
    const { json } = synth((stack) => {
      new HelmProvider(stack, "helm", {});
      const cluster = clusterOf(stack, { kubernetesVersion: textToken(stack) });
      new ClusterAutoscaler(stack, "autoscaler", { cluster });
    });
    expect(theOne(json, "helm_release").values[0]).toContain(
      '"image":{"tag":${jsonencode({"1.31" = "v1.31.5", "1.32" = "v1.32.7", "1.33" = "v1.33.6", ' +
        '"1.34" = "v1.34.5", "1.35" = "v1.35.2", "1.36" = "v1.36.1"}[var.text])}}',
    );
  });
});

test("values name cluster, region and account, and two replicas on the nodes for controllers", () => {
  const { json } = synthInCluster(
    (stack, cluster) => new ClusterAutoscaler(stack, "autoscaler", { cluster, releaseName: "scaler" }),
    { systemNodeSelector: { role: "system" } },
  );
  expect(theValues(json)).toMatchObject({
    cloudProvider: "aws",
    autoDiscovery: { clusterName: "prod" },
    awsRegion: "us-east-1",
    rbac: { serviceAccount: { create: true, name: "cluster-autoscaler" } },
    replicaCount: 2,
    podDisruptionBudget: { maxUnavailable: 1 },
    nodeSelector: { role: "system" },
    priorityClassName: "system-cluster-critical",
    topologySpreadConstraints: [{ labelSelector: { matchLabels: { "app.kubernetes.io/instance": "scaler" } } }],
  });
});

test("a ServiceMonitor is made where it is asked for only", () => {
  expect(autoscalerValues({}).serviceMonitor).toBeUndefined();
  expect(autoscalerValues({}, { serviceMonitor: true }).serviceMonitor).toEqual({
    enabled: true,
    namespace: "kube-system",
    selector: { release: null },
  });
});
