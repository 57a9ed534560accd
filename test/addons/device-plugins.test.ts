import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { TerraformStack } from "cdktf";
import {
  AcceleratorVendor,
  DevicePluginProps,
  GpuSharing,
  NeuronDevicePlugin,
  NodeImage,
  NodeTaint,
  NvidiaDevicePlugin,
  TaintEffect,
  Workload,
} from "cdktf-elastic-gpu";
import { parse } from "yaml";
import { Build, synthInCluster, theValues, valuesOf } from "../support/addon";
import { addPool, clusterOf, PoolChoices } from "../support/pool";
import { customType } from "../support/samples";
import { allOf, Json, synthApp, theOne } from "../support/synth";

function nvidiaValues(pools: PoolChoices[], props: Partial<DevicePluginProps> = {}): Json {
  return theValues(synthNvidia(pools, props));
}

/** The plugin is declared before the pools. */
function synthNvidia(pools: PoolChoices[], props: Partial<DevicePluginProps> = {}): Json {
  const build: Build = (stack, cluster) => {
    new NvidiaDevicePlugin(stack, "plugin", { cluster, ...props });
    pools.forEach((choices, index) => addPool(stack, choices, `pool${index}`));
  };
  return synthInCluster(build).json;
}

const sliced = (replicas: number): PoolChoices => ({ sharing: GpuSharing.timeSlicing({ replicas }) });
const mps: PoolChoices = { sharing: GpuSharing.mps({ replicas: 8 }) };
const mig: PoolChoices = {
  instanceTypes: ["p4d.24xlarge"],
  sharing: GpuSharing.mig("1g.5gb"),
};

describe("NVIDIA", () => {
  test("there is one configuration for each way to share, and a default for those who do not", () => {
    const { config } = nvidiaValues([{}, sliced(4), sliced(4), sliced(10), mps, mig]);
    expect(config.default).toBe("default");
    const parsed = Object.fromEntries(Object.entries<string>(config.map).map(([name, text]) => [name, parse(text)]));
    const slices = (replicas: number) => ({
      version: "v1",
      flags: { migStrategy: "none" },
      sharing: {
        timeSlicing: { failRequestsGreaterThanOne: true, resources: [{ name: "nvidia.com/gpu", replicas }] },
      },
    });
    expect(parsed).toEqual({
      default: { version: "v1", flags: { migStrategy: "none" } },
      "time-slicing-4": slices(4),
      "time-slicing-10": slices(10),
      "mps-8": {
        version: "v1",
        flags: { migStrategy: "none" },
        sharing: { mps: { resources: [{ name: "nvidia.com/gpu", replicas: 8 }] } },
      },
      "mig-single": { version: "v1", flags: { migStrategy: "single" } },
    });
  });

  test("each configuration has the name that nodes ask for by their label", () => {
    const json = synthNvidia([sliced(4), mps, mig]);
    const asked = allOf(json, "aws_eks_node_group").map(({ labels }) => labels["nvidia.com/device-plugin.config"]);
    expect(Object.keys(theValues(json).config.map)).toEqual(["default", ...asked]);
  });

  test("it keeps off nodes of Bottlerocket, which say so by a label", () => {
    const json = synthNvidia([{ image: NodeImage.bottlerocketNvidia() }, {}]);
    const terms =
      theValues(json).affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
    const takes = ({ labels }: Json): boolean =>
      terms.some(({ matchExpressions }: Json) =>
        matchExpressions.every(({ key, operator, values }: Json) =>
          operator === "In" ? values.includes(labels[key]) : !values.includes(labels[key]),
        ),
      );
    const [bottlerocket, amazonLinux] = allOf(json, "aws_eks_node_group");
    expect(bottlerocket!.ami_type).toMatch(/^BOTTLEROCKET/);
    expect(takes(bottlerocket!)).toBe(false);
    expect(takes(amazonLinux!)).toBe(true);
    expect(takes({ labels: {} })).toBe(false);
  });

  test("shares of Bottlerocket nodes are their own plugin's affair", () => {
    const pool = { image: NodeImage.bottlerocketNvidia(), ...sliced(4) };
    expect(Object.keys(nvidiaValues([pool]).config.map)).toEqual(["default"]);
  });

  test("it tolerates every taint of every pool by its key, each once", () => {
    const pools: PoolChoices[] = [
      {},
      { taints: [NodeTaint.noExecute("example.com/team", "ml"), NodeTaint.preferNoSchedule("nvidia.com/gpu")] },
      { workload: Workload.named("train"), workloadTaint: TaintEffect.NO_SCHEDULE },
    ];
    expect(nvidiaValues(pools, { toleratedTaints: ["mine", "workload-type"] }).tolerations).toEqual([
      { key: "nvidia.com/gpu", operator: "Exists" },
      { key: "mine", operator: "Exists" },
      { key: "workload-type", operator: "Exists" },
      { key: "example.com/team", operator: "Exists" },
    ]);
  });

  test("nothing has to discover labels, and a node's plugin is never preempted", () => {
    expect(nvidiaValues([])).toMatchObject({
      gfd: { enabled: false },
      nfd: { enabled: false },
      priorityClassName: "system-node-critical",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
    });
    expect(nvidiaValues([]).nodeSelector).toBeUndefined();
  });

  test("pools of other stacks come in by property", () => {
    const { controllers } = synthApp((app) => {
      const gpus = new TerraformStack(app, "gpus");
      new AwsProvider(gpus, "aws", { region: "us-east-1" });
      const pool = addPool(gpus, { ...sliced(4), taints: [NodeTaint.noSchedule("example.com/team")] });
      const stack = new TerraformStack(app, "controllers");
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      new HelmProvider(stack, "helm", {});
      new NvidiaDevicePlugin(stack, "plugin", { cluster: clusterOf(stack), pools: [pool] });
    });
    const values = valuesOf(theOne(controllers!.json, "helm_release"));
    expect(Object.keys(values.config.map)).toEqual(["default", "time-slicing-4"]);
    expect(values.tolerations).toContainEqual({ key: "example.com/team", operator: "Exists" });
  });
});

describe("Neuron", () => {
  function neuronValues(pools: PoolChoices[], props: Partial<DevicePluginProps> = {}): Json {
    const build: Build = (stack, cluster) => {
      new NeuronDevicePlugin(stack, "plugin", { cluster, ...props });
      pools.forEach((choices, index) => addPool(stack, choices, `pool${index}`));
    };
    return theValues(synthInCluster(build).json);
  }

  test("the plugin alone is installed, on all Neuron types that chart or pools know", () => {
    const { neuronInstances, ...values } = neuronValues([{ instanceTypes: ["trn1.32xlarge"] }, {}]);
    expect(neuronInstances.filter((type: string) => type === "trn1.32xlarge")).toHaveLength(1);
    expect(neuronInstances).not.toContain("g6.12xlarge");
    expect(values).toEqual({
      devicePlugin: {
        tolerations: [
          { key: "aws.amazon.com/neuron", operator: "Exists" },
          { key: "nvidia.com/gpu", operator: "Exists" },
        ],
        priorityClassName: "system-node-critical",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
        resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "256Mi" } },
      },
      scheduler: { enabled: false },
      npd: { enabled: false },
    });
  });

  test("a type that is newer than the chart gets a plugin, too", () => {
    const type = customType("trn9.48xlarge", { vendor: AcceleratorVendor.AWS_NEURON, neuronCoresPerDevice: 8 });
    const pool = { instanceTypes: ["trn9.48xlarge"], customTypes: [type] };
    expect(neuronValues([pool]).neuronInstances).toContain("trn9.48xlarge");
  });

  test("the taint of the pools and further keys are tolerated", () => {
    const pools = [{ instanceTypes: ["inf2.xlarge"], taints: [NodeTaint.noSchedule("example.com/team")] }];
    expect(neuronValues(pools, { toleratedTaints: ["mine"] }).devicePlugin.tolerations).toEqual([
      { key: "aws.amazon.com/neuron", operator: "Exists" },
      { key: "mine", operator: "Exists" },
      { key: "example.com/team", operator: "Exists" },
    ]);
  });
});
