import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { GpuSharing, GpuSharingStrategy } from "../accelerators";
import { Addon, INodePool } from "../cluster";
import { isMarked, mark } from "../internal/choices";
import { devicePlugin, DevicePluginProps } from "./device-plugin-props";
import { claimAddon, releaseAddon } from "./helm-addon";
import { tolerations } from "./pool-taints";
import { RENEWED_AT_ONCE } from "./scheduling";
import { Values } from "./values";

const MARKER = Symbol.for("cdktf-elastic-gpu/NvidiaDevicePlugin");

/** The node label by which the plugin chooses among its configurations. Pools with shared GPUs set it. */
const CONFIG_LABEL = "nvidia.com/device-plugin.config";

/** The configuration of nodes without that label. */
const DEFAULT_CONFIG = "default";

/**
 * NVIDIA's device plugin: makes the GPUs of nodes allocatable as `nvidia.com/gpu`, shared as their pools say.
 *
 * Nodes are found by the label `nvidia.com/gpu.present`. Those of Bottlerocket are left out, since they bring a plugin. Where the
 * GPU operator runs, which installs the plugin itself, say `cluster.alreadyHas(Addon.NVIDIA_DEVICE_PLUGIN)` instead.
 */
export class NvidiaDevicePlugin extends Construct {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNvidiaDevicePlugin(x: any): x is NvidiaDevicePlugin {
    return isMarked(x, MARKER);
  }

  /** The Helm release, for what the properties do not offer. */
  readonly resource: TerraformResource;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: DevicePluginProps) {
    super(scope, id);
    mark(this, MARKER);
    const addon = devicePlugin(Addon.NVIDIA_DEVICE_PLUGIN, props, values);
    claimAddon(this, addon);
    this.resource = releaseAddon(this, addon);
  }
}

function values(pools: INodePool[], toleratedTaints: string[]): Values {
  return {
    config: { default: DEFAULT_CONFIG, map: configurations(pools) },
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "nvidia.com/gpu.present", operator: "In", values: ["true"] },
                // Pools of Bottlerocket set it: two plugins would fight for one resource.
                { key: "nvidia.com/gpu.deploy.device-plugin", operator: "NotIn", values: ["false"] },
              ],
            },
          ],
        },
      },
    },
    tolerations: tolerations(pools, ["nvidia.com/gpu", ...toleratedTaints]),
    priorityClassName: "system-node-critical",
    updateStrategy: RENEWED_AT_ONCE,
    resources: { requests: { cpu: "10m", memory: "128Mi" }, limits: { memory: "512Mi" } },
    // The pools set the labels that choose nodes, so that nothing has to discover them once the node runs.
    gfd: { enabled: false },
    nfd: { enabled: false },
  };
}

/** A document for each way in which pools share, under the name that their nodes ask for. */
function configurations(pools: INodePool[]): { [name: string]: string } {
  const documents: { [name: string]: string } = { [DEFAULT_CONFIG]: configuration("none", []) };
  for (const { labels, sharing } of pools) {
    const name = labels[CONFIG_LABEL];
    if (name !== undefined) {
      documents[name] = configurationOf(sharing);
    }
  }
  return documents;
}

function configurationOf({ strategy, replicas }: GpuSharing): string {
  const resources = ["    resources:", "      - name: nvidia.com/gpu", `        replicas: ${replicas}`];
  switch (strategy) {
    case GpuSharingStrategy.TIME_SLICING:
      return configuration("none", [
        "sharing:",
        "  timeSlicing:",
        // More shares give a pod no more of a GPU, so that to ask for them is a mistake.
        "    failRequestsGreaterThanOne: true",
        ...resources,
      ]);
    case GpuSharingStrategy.MPS:
      return configuration("none", ["sharing:", "  mps:", ...resources]);
    case GpuSharingStrategy.MIG:
      return configuration("single", []);
    default:
      return configuration("none", []);
  }
}

function configuration(migStrategy: string, lines: string[]): string {
  return ["version: v1", "flags:", `  migStrategy: ${migStrategy}`, ...lines, ""].join("\n");
}
