import { TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { Addon, IGpuCluster } from "../cluster";
import { isMarked, mark } from "../internal/choices";
import { claimAddon, HelmAddon, releaseAddon } from "./helm-addon";
import { HelmAddonProps } from "./helm-addon-props";
import { spreadOverHosts } from "./scheduling";
import { Values } from "./values";

const MARKER = Symbol.for("cdktf-elastic-gpu/MetricsServer");

/** Metrics Server: CPU and memory of pods and nodes, for HorizontalPodAutoscalers and `kubectl top`. It knows no GPUs. */
export class MetricsServer extends Construct {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isMetricsServer(x: any): x is MetricsServer {
    return isMarked(x, MARKER);
  }

  /** The Helm release, for what the properties do not offer. */
  readonly resource: TerraformResource;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: HelmAddonProps) {
    super(scope, id);
    mark(this, MARKER);
    const addon: HelmAddon = {
      addon: Addon.METRICS_SERVER,
      props,
      values: (releaseName) => values(props.cluster, releaseName),
    };
    claimAddon(this, addon);
    this.resource = releaseAddon(this, addon);
  }
}

function values({ systemNodeSelector }: IGpuCluster, releaseName: string): Values {
  return {
    // Without metrics no HorizontalPodAutoscaler acts, and a lost node takes minutes to be noticed.
    replicas: 2,
    podDisruptionBudget: { enabled: true, maxUnavailable: 1 },
    ...spreadOverHosts(releaseName),
    nodeSelector: systemNodeSelector,
    priorityClassName: "system-cluster-critical",
    resources: { requests: { cpu: "100m", memory: "200Mi" }, limits: { memory: "500Mi" } },
  };
}
