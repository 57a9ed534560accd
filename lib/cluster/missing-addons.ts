import { Addon } from "./addon";
import { INodePool, NodeTier } from "./node-pool";

interface Need {
  readonly addon: Addon;
  /** What does not work without it. */
  readonly without: string;
  /** The line that installs it, where the library has a construct for that. */
  readonly line?: string;
  readonly isNeeded: (pool: INodePool) => boolean;
}

const NEEDS: Need[] = [
  {
    addon: Addon.CLUSTER_AUTOSCALER,
    without: "no node is ever added or taken away",
    line: 'new ClusterAutoscaler(stack, "autoscaler", { cluster })',
    isNeeded: () => true,
  },
  {
    addon: Addon.NVIDIA_DEVICE_PLUGIN,
    without: "nodes offer no nvidia.com/gpu, and pods that ask for it wait for ever",
    line: 'new NvidiaDevicePlugin(stack, "device-plugin", { cluster })',
    // Bottlerocket brings its own.
    isNeeded: (pool) => pool.acceleratorResource === "nvidia.com/gpu" && !pool.isBottlerocket,
  },
  {
    addon: Addon.NEURON_DEVICE_PLUGIN,
    without: "nodes offer no aws.amazon.com/neuron, and pods that ask for it wait for ever",
    line: 'new NeuronDevicePlugin(stack, "neuron-device-plugin", { cluster })',
    isNeeded: (pool) => pool.acceleratorResource === "aws.amazon.com/neuron",
  },
  {
    addon: Addon.EFA_DEVICE_PLUGIN,
    without: "nodes offer no vpc.amazonaws.com/efa, and pods that ask for it wait for ever",
    isNeeded: (pool) => "vpc.amazonaws.com/efa.present" in pool.labels,
  },
  {
    addon: Addon.NODE_TERMINATION_HANDLER,
    without:
      "nodes are not drained before their instances end, and a lifecycle hook holds each for its whole heartbeat",
    line: 'new NodeTerminationHandler(stack, "termination-handler", { cluster })',
    // EKS drains the nodes of managed groups itself. A pool with a budget for draining waits for it at every end of a node.
    isNeeded: (pool) => pool.isSelfManaged && (pool.drainBudget !== undefined || pool.nodeTier === NodeTier.SPOT),
  },
];

/** What a pool needs that nobody installs: texts for annotations, each with the line that mends it. */
export function missingAddons(pool: INodePool, present: Addon[]): string[] {
  return NEEDS.filter((need) => need.isNeeded(pool) && !present.includes(need.addon)).map(
    ({ addon, without, line }) => {
      const install = line === undefined ? "Install it" : `Add ${line}`;
      return `nobody installs ${addon}: ${without}. ${install}, or say cluster.alreadyHas(Addon.${memberOf(addon)})`;
    },
  );
}

function memberOf(addon: Addon): string {
  return Object.entries(Addon).find(([, value]) => value === addon)?.[0] ?? addon;
}
