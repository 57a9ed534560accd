import { Annotations, Aspects, TerraformResource } from "cdktf";
import { Construct, IConstruct } from "constructs";
import { Addon, INodePool } from "../../cluster";
import { regionOfCluster } from "../../cluster/identity";
import { checkFlag, isMarked, mark } from "../../internal/choices";
import { checkWhole } from "../../internal/numbers";
import { partitionOf } from "../../internal/partition";
import { Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { checkVersion } from "../chart-checks";
import { claimAddon, HelmAddon, releaseAddon } from "../helm-addon";
import { AWS_PROPERTIES, checkAws, podIdentity } from "../pod-identity";
import { allPools } from "../pool-taints";
import { spreadOverHosts } from "../scheduling";
import { OwnedValue, Values } from "../values";
import { ClusterAutoscalerProps } from "./cluster-autoscaler-props";
import { backoffMinutes, flags, GRACEFUL_TERMINATION_SECONDS, LEAST_PROVISION_MINUTES } from "./flags";
import { autoscalerStatements } from "./policy";
import { checkPriorities, prioritiesOf, priorityDocument } from "./priorities";
import { autoscalerTag, checkAutoscalerVersion } from "./release";

const MARKER = Symbol.for("cdktf-elastic-gpu/ClusterAutoscaler");

const SERVICE_ACCOUNT = "cluster-autoscaler";

const PROPERTIES = {
  ...AWS_PROPERTIES,
  pools: true,
  autoscalerVersion: true,
  maxNodeProvisionMinutes: true,
  gracefulTerminationSeconds: true,
  priorities: true,
  serviceMonitor: true,
} as const;

const OWNED: OwnedValue[] = [
  { path: ["autoDiscovery", "clusterName"], remedy: "Remove it: it is the cluster's name" },
  { path: ["image", "tag"], remedy: "Use autoscalerVersion" },
  { path: ["expanderPriorities"], remedy: "Use priorities" },
  { path: ["rbac", "serviceAccount", "name"], remedy: "Remove it: the role is that account's" },
];

/** Longer than this a group is given up for a time in which capacity may well have come back. */
const LONG_BACKOFF_MINUTES = 60;

/**
 * The Cluster Autoscaler: adds nodes for pods that wait, takes idle ones away, and falls back to the next tier of pools where
 * a launch fails.
 *
 * Priorities and times are read off the pools when the program ends, so that it may be declared before them.
 */
export class ClusterAutoscaler extends Construct {
  /** Whether a value was made by this class, in whichever copy of the package. */
  static isClusterAutoscaler(x: any): x is ClusterAutoscaler {
    return isMarked(x, MARKER);
  }

  /** The Helm release, for what the properties do not offer. */
  readonly resource: TerraformResource;
  /** Name of the role that its pods have, for policies of your own. */
  readonly roleName: string;

  /** @throws with everything that is wrong, at once. */
  constructor(scope: Construct, id: string, props: ClusterAutoscalerProps) {
    super(scope, id);
    mark(this, MARKER);
    const pools = (): INodePool[] => allPools(props.cluster.pools, props.pools);
    const addon: HelmAddon = {
      addon: Addon.CLUSTER_AUTOSCALER,
      props,
      properties: PROPERTIES,
      lists: ["pools", "priorities"],
      namedPools: () => props.pools,
      check: (problems) => checkProps(props, problems),
      owned: OWNED,
      values: (releaseName) => values(props, pools(), releaseName),
    };
    claimAddon(this, addon);
    const identity = podIdentity(this, props, {
      serviceAccount: SERVICE_ACCOUNT,
      description: "Cluster Autoscaler",
      statements: autoscalerStatements(props.cluster, partitionOf(this, props.provider)),
    });
    this.resource = releaseAddon(this, addon, identity.before);
    this.roleName = identity.roleName;
    this.warnOfLongBackoff(() => backoffMinutes(pools(), provisionMinutesOf(props)));
    // At synth, when all pools are declared.
    this.node.addValidation({ validate: () => cutDrains(this, props, pools()) });
  }

  private warnOfLongBackoff(minutes: () => number | undefined): void {
    Aspects.of(this).add({
      visit: (node: IConstruct) => {
        const initial = node === this ? minutes() : undefined;
        if (initial !== undefined && initial > LONG_BACKOFF_MINUTES) {
          Annotations.of(this).addWarning(
            `after a failed launch a group is left alone for ${initial} minutes, because that many may pass until all groups of its tier have failed, too. Use fewer pools of one tier, with more instance types and zones each`,
          );
        }
      },
    });
  }
}

/** What is wrong with pools whose pods need longer than the autoscaler gives those of a node that it takes away. */
function cutDrains(scope: Construct, props: ClusterAutoscalerProps, pools: INodePool[]): string[] {
  const given = terminationSecondsOf(props);
  const problems = new Problems(scope);
  // A group within a pool has the pool's budget.
  const whole = pools.filter((pool) => !pools.some((other) => other === pool.node.scope));
  for (const { drainBudget, node } of isKnown(given) ? whole : []) {
    const needed = drainBudget?.terminationGracePeriodSeconds ?? 0;
    if (needed > given) {
      problems.add(
        "gracefulTerminationSeconds",
        `must be at least ${needed}, the grace period of pods by the drain budget of ${node.path}: the autoscaler ends a node after it, whatever still runs`,
        given,
        `Set it to ${needed}, or shorten the budget`,
      );
    }
  }
  return problems.lines;
}

function terminationSecondsOf({ gracefulTerminationSeconds }: ClusterAutoscalerProps): number {
  return gracefulTerminationSeconds ?? GRACEFUL_TERMINATION_SECONDS;
}

function provisionMinutesOf({ maxNodeProvisionMinutes }: ClusterAutoscalerProps): number {
  return maxNodeProvisionMinutes ?? LEAST_PROVISION_MINUTES;
}

function checkProps(props: ClusterAutoscalerProps, problems: Problems): void {
  const { cluster, autoscalerVersion, maxNodeProvisionMinutes, gracefulTerminationSeconds, priorities } = props;
  checkAws(props, problems);
  checkFlag("serviceMonitor", props.serviceMonitor, "Leave it out and none is made", problems);
  checkVersion("autoscalerVersion", autoscalerVersion, problems);
  checkAutoscalerVersion(cluster, autoscalerVersion, problems);
  if (maxNodeProvisionMinutes !== undefined) {
    const remedy = "Give the longest cold start of any pool, and some minutes more";
    checkWritten("maxNodeProvisionMinutes", maxNodeProvisionMinutes, problems);
    checkWhole("maxNodeProvisionMinutes", maxNodeProvisionMinutes, LEAST_PROVISION_MINUTES, remedy, problems);
  }
  if (gracefulTerminationSeconds !== undefined) {
    checkWhole(
      "gracefulTerminationSeconds",
      gracefulTerminationSeconds,
      1,
      "Give the longest grace period of any pod",
      problems,
    );
  }
  checkPriorities(priorities ?? [], problems);
}

/** The back-off is worked out from it. */
function checkWritten(property: string, value: number, problems: Problems): void {
  if (!isKnown(value)) {
    problems.addText(
      property,
      "must be a literal number, because other times are worked out from it, got: a token. Write it out",
    );
  }
}

function values(props: ClusterAutoscalerProps, pools: INodePool[], releaseName: string): Values {
  const { cluster, priorities, serviceMonitor } = props;
  return {
    cloudProvider: "aws",
    // Without it the chart renders nothing, and the release looks well.
    autoDiscovery: { clusterName: cluster.clusterName },
    // The metadata service does not answer pods on nodes with a hop limit of 1.
    awsRegion: regionOfCluster(cluster),
    image: { tag: autoscalerTag(cluster, props.autoscalerVersion) },
    extraArgs: flags({
      pools,
      provisionMinutes: provisionMinutesOf(props),
      terminationSeconds: terminationSecondsOf(props),
    }),
    expanderPriorities: priorityDocument(priorities ?? prioritiesOf(pools)),
    rbac: { serviceAccount: { create: true, name: SERVICE_ACCOUNT } },
    // One leads, the other takes over in seconds: without it, nobody adds nodes until the pod of a lost node is replaced.
    replicaCount: 2,
    podDisruptionBudget: { maxUnavailable: 1 },
    ...spreadOverHosts(releaseName),
    nodeSelector: cluster.systemNodeSelector,
    priorityClassName: "system-cluster-critical",
    // Names of AWS are resolved even where the cluster's DNS waits for a node that only it can add.
    dnsPolicy: "Default",
    resources: { requests: { cpu: "100m", memory: "600Mi" }, limits: { memory: "1Gi" } },
    securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: "RuntimeDefault" } },
    containerSecurityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
    ...(serviceMonitor && { serviceMonitor: { enabled: true, namespace: "kube-system", selector: { release: null } } }),
  };
}
