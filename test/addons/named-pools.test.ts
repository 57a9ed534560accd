import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { HelmProvider } from "@cdktf/provider-helm/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  Addon,
  Capacity,
  ClusterAutoscaler,
  GpuCluster,
  GpuClusterAttributes,
  IGpuCluster,
  NeuronDevicePlugin,
  NodeGroupType,
  NodeTerminationHandler,
  NvidiaDevicePlugin,
  SpotWithFallback,
} from "cdktf-elastic-gpu";
import { Construct } from "constructs";
import { refusalInCluster } from "../support/addon";
import { addPool, clusterAttributes, clusterOf, PoolChoices } from "../support/pool";
import { textToken } from "../support/samples";
import { synthApp } from "../support/synth";

const spot: PoolChoices = { nodeGroupType: NodeGroupType.SELF_MANAGED, capacity: Capacity.spot() };
const neuron: PoolChoices = { instanceTypes: ["inf2.xlarge"] };

/** Constructs that are given pools, with a pool that needs them. */
const KINDS: [Addon, any, PoolChoices][] = [
  [Addon.CLUSTER_AUTOSCALER, ClusterAutoscaler, {}],
  [Addon.NVIDIA_DEVICE_PLUGIN, NvidiaDevicePlugin, {}],
  [Addon.NEURON_DEVICE_PLUGIN, NeuronDevicePlugin, neuron],
  [Addon.NODE_TERMINATION_HANDLER, NodeTerminationHandler, spot],
];

const nameOf = (Make: { name: string }): string => Make.name;

function stackOf(app: App, id: string): TerraformStack {
  const stack = new TerraformStack(app, id);
  new AwsProvider(stack, "aws", { region: "us-east-1" });
  new HelmProvider(stack, "helm", {});
  return stack;
}

describe.each(KINDS)("%s of another stack", (addon, Make, choices) => {
  /** What pools of a stack say of the add-on, where another stack is built before or after theirs. */
  const missed = (
    build: (stack: TerraformStack, cluster: IGpuCluster, pools: any[]) => void,
    attributes: (stack: TerraformStack) => Partial<GpuClusterAttributes> = () => ({}),
  ): string[] => {
    const { pools } = synthApp((app) => {
      const gpus = stackOf(app, "pools");
      const pool = addPool(gpus, choices);
      const controllers = stackOf(app, "controllers");
      build(controllers, clusterOf(controllers, attributes(controllers)), [pool]);
    });
    return pools!.warnings.filter((warning) => warning.includes(`nobody installs ${addon}: `));
  };

  test("is not missed by a pool of the same cluster, which both stacks import", () => {
    expect(missed((stack, cluster) => new Make(stack, "addon", { cluster }))).toEqual([]);
  });

  test("is not missed where it is declared before the pool", () => {
    const { pools } = synthApp((app) => {
      const controllers = stackOf(app, "controllers");
      new Make(controllers, "addon", { cluster: clusterOf(controllers) });
      addPool(stackOf(app, "pools"), choices);
    });
    expect(pools!.warnings.filter((warning) => warning.includes(`nobody installs ${addon}: `))).toEqual([]);
  });

  test("is not missed by a pool that it was given, although nobody knows that the clusters are one", () => {
    const token = (stack: TerraformStack) => ({ clusterName: textToken(stack) });
    expect(missed((stack, cluster, pools) => new Make(stack, "addon", { cluster, pools }), token)).toEqual([]);
    expect(missed((stack, cluster) => new Make(stack, "addon", { cluster }), token)).toHaveLength(1);
  });

  test("is not missed where the other import has it already", () => {
    expect(missed((_, cluster) => cluster.alreadyHas(addon))).toEqual([]);
  });

  test("is missed where it is another cluster's", () => {
    const other = () => ({ clusterName: "other" });
    expect(missed((stack, cluster) => new Make(stack, "addon", { cluster }), other)).toHaveLength(1);
    expect(missed(() => {})).toHaveLength(1);
  });
});

describe.each(KINDS.map(([, Make]): [string, any] => [nameOf(Make), Make]))("%s refuses", (_, Make) => {
  const refusal = (pools: (stack: TerraformStack, cluster: IGpuCluster) => any[]): string[] =>
    refusalInCluster((stack, cluster) => new Make(stack, "addon", { cluster, pools: pools(stack, cluster) }));
  const noPool = (index: number, got: string): string =>
    `test/addon: pools[${index}]: must be made by new ElasticGpuNodePool() or new SpotWithFallback(), got: ${got}. Pass the pool itself`;

  test("what is no pool", () => {
    expect(
      refusal((stack, cluster) => [
        "inference",
        addPool(stack, {}),
        undefined,
        null,
        { nodeGroupName: "inference" },
        cluster,
        new Construct(stack, "mine"),
      ]),
    ).toEqual([
      noPool(0, '"inference"'),
      noPool(2, "undefined"),
      noPool(3, "null"),
      noPool(4, '{"nodeGroupName":"inference"}'),
      noPool(5, "an instance of ImportedCluster"),
      noPool(6, "an instance of Construct"),
    ]);
  });

  test("holes", () => {
    // eslint-disable-next-line no-sparse-arrays -- a program without types may have them
    expect(refusal(() => [,])).toEqual([noPool(0, "undefined")]);
  });

  test.each<[string, Partial<GpuClusterAttributes>]>([
    ["of another name", { clusterName: "other" }],
    ["of the same name in another region", { subnets: [{ subnetId: "subnet-0c", availabilityZone: "us-west-2a" }] }],
  ])("pools of another cluster: %s", (_name, attributes) => {
    expect(
      refusal((stack, cluster) => {
        const other = GpuCluster.fromAttributes(stack, "other", { ...clusterAttributes, ...attributes });
        const types = { instanceTypes: ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"], maxNodes: 4 };
        const spot = new SpotWithFallback(stack, "spot", { cluster: other, ...types });
        return [addPool(stack, { cluster }), addPool(stack, { cluster: other }, "theirs"), spot.fallbackGroup];
      }),
    ).toEqual(
      [
        ["theirs", 1],
        ["spot/Fallback", 2],
      ].map(
        ([path, index]) =>
          `test/addon: pools[${index}]: must be a pool of test/cluster, got: test/${path}, which is one of another cluster, test/other. ` +
          "Give it to an add-on of that cluster",
      ),
    );
  });
});

test("an add-on that was refused looks after no pool", () => {
  const { test: made } = synthApp((app) => {
    const stack = stackOf(app, "test");
    const pools = [addPool(stack, {})];
    const cluster = GpuCluster.fromAttributes(stack, "again", { ...clusterAttributes, clusterName: textToken(stack) });
    const refused = () => new ClusterAutoscaler(stack, "autoscaler", { cluster, pools, timeoutSeconds: 0 });
    expect(refused).toThrow("timeoutSeconds");
  });
  expect(made!.warnings.some((warning) => warning.includes("nobody installs cluster-autoscaler"))).toBe(true);
});
