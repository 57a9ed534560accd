import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { Addon, INodePool } from "../cluster";
import { isMarked, mark } from "../internal/choices";
import { devicePlugin, DevicePluginProps } from "./device-plugin-props";
import { claimAddon, releaseAddon } from "./helm-addon";
import { tolerations } from "./pool-taints";
import { RENEWED_AT_ONCE } from "./scheduling";
import { Values } from "./values";

const MARKER = Symbol.for("cdktf-elastic-gpu/NeuronDevicePlugin");

/** The types that the chart's own affinity lets the plugin run on (neuron-helm-chart 1.9.0, `neuronInstances`). */
const KNOWN_TYPES = [
  ...["inf1.xlarge", "inf1.2xlarge", "inf1.6xlarge", "inf1.24xlarge"],
  ...["inf2.xlarge", "inf2.8xlarge", "inf2.24xlarge", "inf2.48xlarge"],
  ...["trn1.2xlarge", "trn1.32xlarge", "trn1n.32xlarge"],
  ...["trn2.3xlarge", "trn2.48xlarge", "trn2u.48xlarge"],
  ...["trn3.48xlarge", "trn3e.24xlarge"],
];

/**
 * The device plugin of AWS Neuron: makes Inferentia and Trainium allocatable as `aws.amazon.com/neuron` and
 * `aws.amazon.com/neuroncore`.
 *
 * Of AWS's chart it is the only part installed: the scheduler extension replaces a scheduler, and the problem detector brings
 * rights of its own; turn them on with `values`.
 */
export class NeuronDevicePlugin extends Construct {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNeuronDevicePlugin(x: any): x is NeuronDevicePlugin {
    return isMarked(x, MARKER);
  }

  /** The Helm release, for what the properties do not offer. */
  readonly resource: TerraformResource;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: DevicePluginProps) {
    super(scope, id);
    mark(this, MARKER);
    const addon = devicePlugin(Addon.NEURON_DEVICE_PLUGIN, props, values);
    claimAddon(this, addon);
    this.resource = releaseAddon(this, addon);
  }
}

function values(pools: INodePool[], toleratedTaints: string[]): Values {
  const ofPools = pools
    .filter((pool) => pool.acceleratorResource === "aws.amazon.com/neuron")
    .flatMap((pool) => pool.instanceTypes.map((type) => type.instanceType));
  return {
    // A type that is newer than the chart would get no plugin, and its pods would wait for ever.
    neuronInstances: [...new Set([...KNOWN_TYPES, ...ofPools])],
    devicePlugin: {
      tolerations: tolerations(pools, ["aws.amazon.com/neuron", ...toleratedTaints]),
      priorityClassName: "system-node-critical",
      updateStrategy: RENEWED_AT_ONCE,
      resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "256Mi" } },
    },
    scheduler: { enabled: false },
    npd: { enabled: false },
  };
}
