import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack } from "cdktf";
import {
  Addon,
  ClusterAutoscaler,
  DrainBudget,
  LoadBalancerController,
  MetricsServer,
  NeuronDevicePlugin,
  NodeTerminationHandler,
  NvidiaDevicePlugin,
} from "cdktf-elastic-gpu";
import { refusalInCluster, synthInCluster, theValues } from "../support/addon";
import { withDrain } from "../support/drain";
import { addPool, clusterOf } from "../support/pool";
import { listToken, mapToken, numberToken, textToken } from "../support/samples";
import { problemsOf } from "../support/synth";

/** The lines by which an add-on with these properties is refused, without the path that all begin with. */
function refusal(Make: any, props: any, attributes = {}): string[] {
  const lines = refusalInCluster(
    (stack, cluster) => new Make(stack, "addon", { cluster, ...(typeof props === "function" ? props(stack) : props) }),
    attributes,
  );
  return lines.map((line) => line.replace(/^test\/addon: /, ""));
}

const exact = (got: string, property = "version"): string =>
  `${property}: must be one exact version such as 1.2.3, since anything else changes under your feet, got: ${got}. ` +
  "Write the version out, or leave it out for the one that was tested";

const numberInText = (property: string): string =>
  `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`;

class Instance {
  readonly replicas = 2;
}

describe("what all add-ons refuse", () => {
  test.each<[string, any, string[]]>([
    ["latest", { version: "latest" }, [exact('"latest"')]],
    ["a range", { version: "~3.13" }, [exact('"~3.13"')]],
    ["a minor version", { version: "3.13" }, [exact('"3.13"')]],
    ["an empty version", { version: "" }, [exact('""')]],
    ["a number for a version", { version: 3 }, [exact("3")]],
    [
      "a release name that Kubernetes does not take",
      { releaseName: "Metrics_Server" },
      [
        'releaseName: must be lower case letters, digits and hyphens that start and end with a letter or a digit, got: "Metrics_Server". Correct it, or leave it out',
      ],
    ],
    [
      "a release name that is too long",
      { releaseName: "m".repeat(54) },
      [
        'releaseName: must have at most 53 characters, which is Helm\'s limit, got: "54 characters". Shorten it, or leave it out',
      ],
    ],
    [
      "a time that is none",
      { timeoutSeconds: 0.5 },
      ["timeoutSeconds: must be a whole number of at least 1, got: 0.5. Give the seconds that Helm may wait"],
    ],
    [
      "a misspelt property",
      { chartVersion: "1.2.3" },
      ["chartVersion: is not a property of this construct. Correct its name, or remove it"],
    ],
    [
      "values that are no map",
      { values: ["replicas"] },
      [
        'values: must be a map that is written out; its values may be tokens, got: ["replicas"]. Write its keys and values out',
      ],
    ],
    [
      "values that are a token",
      (stack: any) => ({ values: mapToken(stack) }),
      [
        "values: must be a map that is written out; its values may be tokens, got: a token. Write its keys and values out",
      ],
    ],
    [
      "values that JSON does not have",
      { values: { a: [() => 1], b: { c: NaN }, d: new Instance() } },
      [
        "values.a[0]: must be text, a number, true, false, null, a list or a map, got: a function. Write what the chart's values.yaml would hold",
        "values.b.c: must be text, a number, true, false, null, a list or a map, got: NaN. Write what the chart's values.yaml would hold",
        "values.d: must be text, a number, true, false, null, a list or a map, got: an instance of Instance. Write what the chart's values.yaml would hold",
      ],
    ],
    [
      "a list that is a token",
      (stack: any) => ({ dependsOn: listToken(stack) }),
      [
        "dependsOn: must be a list that is written out; its members may be tokens, got: a token. List the members one by one",
      ],
    ],
    [
      "number tokens within texts",
      (stack: any) => ({ version: `1.${numberToken(stack)}.0`, releaseName: `metrics-${numberToken(stack, "name")}` }),
      [numberInText("version"), numberInText("releaseName")],
    ],
    [
      "a cluster's name",
      { cluster: "prod" },
      [
        'cluster: must be made by new GpuCluster(), GpuCluster.fromAttributes() or GpuCluster.fromName(), got: "prod". Pass the cluster itself',
      ],
    ],
    [
      "several things, all at once",
      { version: "latest", releaseName: "" },
      [
        exact('"latest"'),
        'releaseName: must be lower case letters, digits and hyphens that start and end with a letter or a digit, got: "". Correct it, or leave it out',
      ],
    ],
  ])("%s", (_, props, lines) => expect(refusal(MetricsServer, props)).toEqual(lines));

  test.each<[string, any]>([
    ["ClusterAutoscaler", ClusterAutoscaler],
    ["LoadBalancerController", LoadBalancerController],
    ["MetricsServer", MetricsServer],
    ["NeuronDevicePlugin", NeuronDevicePlugin],
    ["NodeTerminationHandler", NodeTerminationHandler],
    ["NvidiaDevicePlugin", NvidiaDevicePlugin],
  ])("no props: %s", (_, Make) => {
    expect(problemsOf((stack) => new Make(stack, "addon"))).toBe(
      "test/addon: props: must be an object with properties, got: undefined. Write { cluster: … }",
    );
  });

  test("a cluster that is too old for the chart, unless another chart is given", () => {
    expect(refusal(MetricsServer, {}, { kubernetesVersion: "1.30" })).toEqual([
      'cluster.kubernetesVersion: must be 1.31 or later for the chart metrics-server 3.13.1, got: "1.30". ' +
        "Upgrade the cluster, or pass the version of a chart that supports it",
    ]);
    expect(() => refusal(MetricsServer, { version: "3.12.0" }, { kubernetesVersion: "1.30" })).toThrow(
      "expected the stack to be refused",
    );
  });

  test("tokens for texts and numbers pass", () => {
    const props = (stack: any) => ({
      version: textToken(stack, "a"),
      releaseName: textToken(stack, "b"),
      timeoutSeconds: numberToken(stack),
    });
    expect(() => refusal(MetricsServer, props)).toThrow("expected the stack to be refused");
  });

  test("an id that makes no address", () => {
    expect(refusalInCluster((stack, cluster) => new MetricsServer(stack, "1st", { cluster }))).toEqual([
      'test/1st: id: must start with a letter or an underscore and hold letters, digits, hyphens and underscores only, got: "1st". Terraform addresses are made from it: choose another id',
    ]);
  });

  test("a second of a kind", () => {
    expect(
      refusalInCluster((stack, cluster) => {
        new MetricsServer(stack, "one", { cluster });
        new MetricsServer(stack, "two", { cluster, releaseName: "two" });
      }),
    ).toEqual(["test/two: must not install metrics-server in test/cluster, which test/one does. Remove one of them"]);
  });

  test("what the cluster has already, whichever is said first", () => {
    expect(
      refusalInCluster((stack, cluster) => {
        cluster.alreadyHas(Addon.NVIDIA_DEVICE_PLUGIN);
        new NvidiaDevicePlugin(stack, "plugin", { cluster });
      }),
    ).toEqual([
      "test/plugin: must not install nvidia-device-plugin in test/cluster, which has it already (alreadyHas). Remove one of them",
    ]);
    expect(
      refusalInCluster((stack, cluster) => {
        new NvidiaDevicePlugin(stack, "plugin", { cluster });
        cluster.alreadyHas(Addon.NVIDIA_DEVICE_PLUGIN);
      }),
    ).toEqual([
      "test/cluster: alreadyHas: must not name nvidia-device-plugin, which test/plugin installs. Remove one of them",
    ]);
  });

  test("a refused add-on leaves its place to another", () => {
    expect(
      refusalInCluster((stack, cluster) => {
        expect(() => new MetricsServer(stack, "one", { cluster, version: "latest" })).toThrow("must be one exact");
        new MetricsServer(stack, "two", { cluster });
        throw new Error(String(cluster.addons));
      }),
    ).toEqual(["metrics-server"]);
  });

  test("a stack without a helm provider, or with one that has an alias", () => {
    const line =
      "helmProvider: must be given, because the stack test has no helm provider without an alias. " +
      'Add new ClusterProviders(stack, "providers", { cluster }) to the stack, or pass the provider';
    expect(problemsOf((stack) => new MetricsServer(stack, "metrics", { cluster: clusterOf(stack) }))).toContain(line);
    expect(
      problemsOf((stack) => {
        new HelmProvider(stack, "helm", { alias: "other" });
        new MetricsServer(stack, "metrics", { cluster: clusterOf(stack) });
      }),
    ).toContain(line);
  });

  test("providers of something else", () => {
    const build = (stack: TerraformStack) => {
      const aws = new AwsProvider(stack, "west", { alias: "west" });
      const helm = new HelmProvider(stack, "helm", {});
      new ClusterAutoscaler(stack, "autoscaler", { cluster: clusterOf(stack), helmProvider: aws, provider: helm });
    };
    expect(problemsOf(build).split("\n")).toEqual([
      "test/autoscaler: provider: must be a provider of aws, got: test/helm, which is one of helm. Pass the AwsProvider",
      "test/autoscaler: helmProvider: must be a provider of helm, got: test/west, which is one of aws. Pass the HelmProvider",
    ]);
  });

  test("an order that CDKTF would ignore", () => {
    expect(
      problemsOf((stack) => {
        const provider = new HelmProvider(stack, "helm", {});
        new MetricsServer(stack, "metrics", { cluster: clusterOf(stack) }).node.addDependency(provider);
      }),
    ).toContain("test/metrics: node.addDependency() has no effect in CDKTF. Pass what must come first in dependsOn");
  });
});

describe("what the autoscaler refuses", () => {
  const expression = (got: string, at = 0): string =>
    `priorities[0].groups[${at}]: must be a regular expression of Go (RE2), for the name of an Auto Scaling group, ` +
    `got: ${got}. Correct it; a pool's is autoscalingGroupPattern`;

  test.each<[string, any, string[]]>([
    [
      "less time than a node takes",
      { maxNodeProvisionMinutes: 14 },
      [
        "maxNodeProvisionMinutes: must be a whole number of at least 15, got: 14. Give the longest cold start of any pool, and some minutes more",
      ],
    ],
    [
      "a time from which no other can be worked out",
      (stack: any) => ({ maxNodeProvisionMinutes: numberToken(stack) }),
      [
        "maxNodeProvisionMinutes: must be a literal number, because other times are worked out from it, got: a token. Write it out",
      ],
    ],
    [
      "no time for pods to end",
      { gracefulTerminationSeconds: 0 },
      [
        "gracefulTerminationSeconds: must be a whole number of at least 1, got: 0. Give the longest grace period of any pod",
      ],
    ],
    ["no exact release", { autoscalerVersion: "1.34" }, [exact('"1.34"', "autoscalerVersion")]],
    [
      "a release of another minor version",
      { autoscalerVersion: "1.33.6" },
      [
        'autoscalerVersion: must be of the cluster\'s minor version, 1.34, whose scheduler it simulates, got: "1.33.6". Pass a release of that minor version, or leave it out',
      ],
    ],
    [
      "values that have a property, or that others rely on",
      {
        values: {
          autoDiscovery: { clusterName: "other" },
          image: { tag: "v1.33.0", pullPolicy: "Always" },
          expanderPriorities: { 10: [".*"] },
          rbac: { serviceAccount: { name: "other" } },
        },
      },
      [
        'values.autoDiscovery.clusterName: must be left out: the construct sets it, got: "other". Remove it: it is the cluster\'s name',
        'values.image.tag: must be left out: the construct sets it, got: "v1.33.0". Use autoscalerVersion',
        'values.expanderPriorities: must be left out: the construct sets it, got: {"10":[".*"]}. Use priorities',
        'values.rbac.serviceAccount.name: must be left out: the construct sets it, got: "other". Remove it: the role is that account\'s',
      ],
    ],
    [
      "priorities that are none",
      {
        priorities: [
          { priority: 0, groups: ["a"] },
          { priority: 5, groups: [] },
          { priority: 5, groups: ["b"] },
        ],
      },
      [
        "priorities[0].priority: must be a whole number of at least 1, got: 0. The highest goes first",
        "priorities[1].groups: must name at least one expression, got: []. Add one, or remove the priority",
        "priorities[2].priority: must be given once, got: 5. List its groups together",
      ],
    ],
    [
      "priorities of another form",
      { priorities: [null, undefined, 10, { priority: 1, group: ["a"] }] as any },
      [
        "priorities[0]: must be an object with properties, got: null. Write { priority: … }, or leave it out",
        "priorities[1]: must be an object with properties, got: null. Write { priority: … }, or leave it out",
        "priorities[2]: must be an object with properties, got: 10. Write { priority: … }, or leave it out",
        "priorities[3].group: is not a property of this construct. Correct its name, or remove it",
      ],
    ],
    [
      "expressions that Go does not know",
      { priorities: [{ priority: 1, groups: ["(", "(?!eks)", "(a)\\1", ""] }] },
      [expression('"("'), expression('"(?!eks)"', 1), expression('"(a)\\\\1"', 2), expression('""', 3)],
    ],
    [
      "number tokens within texts",
      (stack: any) => {
        const text = `a-${numberToken(stack)}`;
        return { autoscalerVersion: text, priorities: [{ priority: 1, groups: [text] }], tags: { team: text } };
      },
      [numberInText('tags["team"]'), numberInText("autoscalerVersion"), numberInText("priorities[0].groups[0]")],
    ],
    [
      "tags that AWS refuses",
      { tags: { "aws:mine": "x" } },
      [
        'tags["aws:mine"]: must have a key of 1 to 128 letters, digits, blanks and _ . : / = + - @ that does not begin with aws:, got: "aws:mine". Correct the key',
      ],
    ],
    [
      "a list of pools that is a token",
      (stack: any) => ({ pools: listToken(stack) }),
      [
        "pools: must be a list that is written out; its members may be tokens, got: a token. List the members one by one",
      ],
    ],
  ])("%s", (_, props, lines) => expect(refusal(ClusterAutoscaler, props)).toEqual(lines));

  test.each([
    ["text", "true", '"true"'],
    ["a number", 1, "1"],
    ["null", null, "null"],
  ])(
    "a ServiceMonitor that is neither wanted nor not, as the termination handler does: %s",
    (_, serviceMonitor, got) => {
      const line = `serviceMonitor: must be true or false, got: ${got}. Leave it out and none is made`;
      expect(refusal(ClusterAutoscaler, { serviceMonitor })).toEqual([line]);
      expect(refusal(NodeTerminationHandler, { serviceMonitor })).toEqual([line]);
    },
  );

  test("a version of Kubernetes for which it knows no release, until one is given", () => {
    const future = { kubernetesVersion: "1.40" };
    expect(refusal(ClusterAutoscaler, {}, future)).toEqual([
      "autoscalerVersion: must be given for a cluster of Kubernetes 1.40, since releases are known for " +
        "1.31, 1.32, 1.33, 1.34, 1.35 and 1.36 only, got: undefined. " +
        "Pass the release of that minor version, from github.com/kubernetes/autoscaler/releases",
    ]);
    expect(() => refusal(ClusterAutoscaler, { autoscalerVersion: "1.40.0" }, future)).toThrow(
      "expected the stack to be refused",
    );
  });
});

describe("drains that the autoscaler would cut short", () => {
  const long = DrainBudget.training({ afterSigtermSeconds: 601 });
  const longer = DrainBudget.inference({ preStopSeconds: 30, afterSigtermSeconds: 900 });
  const line = (pool: string, needed: number, got: number): string =>
    `test/addon: gracefulTerminationSeconds: must be at least ${needed}, the grace period of pods by the drain budget of test/${pool}: ` +
    `the autoscaler ends a node after it, whatever still runs, got: ${got}. Set it to ${needed}, or shorten the budget`;

  const problems = (gracefulTerminationSeconds?: number): string[] =>
    refusalInCluster((stack, cluster) => {
      const pools = [long, longer, DrainBudget.inference()].map((budget, index) =>
        withDrain(addPool(stack, {}, `pool${index}`), budget),
      );
      new ClusterAutoscaler(stack, "addon", { cluster, pools, gracefulTerminationSeconds });
    })
      .filter((text) => text.includes("gracefulTerminationSeconds"))
      .map((text) => text.replace(/^ *\[.*?\] /, ""));

  test.each<[string, number | undefined, string[]]>([
    ["where it was left out", undefined, [line("pool0", 601, 600), line("pool1", 930, 600)]],
    ["where it is too short for one", 929, [line("pool1", 930, 929)]],
  ])("are refused pool by pool: %s", (_, given, lines) => expect(problems(given)).toEqual(lines));

  test.each<[string, (stack: any) => number]>([
    ["the longest", () => 930],
    ["a token", (stack) => numberToken(stack)],
  ])("are not where it is %s", (_, given) => {
    const { json } = synthInCluster((stack, cluster) => {
      const pool = withDrain(addPool(stack, {}), longer);
      const gracefulTerminationSeconds = given(stack);
      new ClusterAutoscaler(stack, "addon", { cluster, pools: [pool], gracefulTerminationSeconds });
    });
    expect(theValues(json).extraArgs).toHaveProperty("max-graceful-termination-sec");
  });
});

describe("what the others refuse", () => {
  test("values on which the rights of the load balancer controller depend", () => {
    const values = { clusterName: "other", serviceAccount: { name: "mine" } };
    expect(refusal(LoadBalancerController, { values })).toEqual([
      "values.clusterName: must be left out: the construct sets it, got: \"other\". Remove it: it is the cluster's name, which the role's rights depend on",
      'values.serviceAccount.name: must be left out: the construct sets it, got: "mine". Remove it: the role is that account\'s',
    ]);
  });

  test.each([
    ["NVIDIA", NvidiaDevicePlugin],
    ["Neuron", NeuronDevicePlugin],
  ])("a toleration of everything, from the %s plugin", (_, Make) => {
    expect(refusal(Make, { toleratedTaints: ["a", ""] })).toEqual([
      'toleratedTaints[1]: must be the key of a taint, got: "". Give the key, without its value',
    ]);
    expect(refusal(Make, (stack: any) => ({ toleratedTaints: ["a", `b-${numberToken(stack)}`] }))).toEqual([
      numberInText("toleratedTaints[1]"),
    ]);
  });
});
