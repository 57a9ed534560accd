import { Release } from "@cdktf/provider-helm/lib/release";
import { ITerraformDependable, Lazy } from "cdktf";
import { Construct } from "constructs";
import { INodePool } from "../cluster";
import { checkClusterGiven } from "../cluster/cluster-checks";
import { checkLists, checkMaps, checkProperties } from "../internal/choices";
import { ofSameStack } from "../internal/dependables";
import { checkId } from "../internal/ids";
import { checkWhole } from "../internal/numbers";
import { Problems } from "../internal/problems";
import { requireProviders } from "../internal/providers";
import { checkProvider, checkResourceOptions, refuseNodeDependencies } from "../internal/resource-options";
import { guardStack } from "../internal/stack-guard";
import { checkKubernetes, checkReleaseName, checkVersion } from "./chart-checks";
import { ChartAddon, chartOf, chartSource, imageValues } from "./charts";
import { AwsAddonProps, HelmAddonProps } from "./helm-addon-props";
import { jsonText } from "./json-text";
import { checkPools } from "./named-pools";
import { checkJson, checkOwned, mergeValues, OwnedValue, Values } from "./values";

/** Where every add-on is installed. It exists in each cluster, and what guards the cluster's own pods guards them, too. */
export const NAMESPACE = "kube-system";

/** Revisions that a release keeps; Helm would keep all, each a Secret (Helm, `--history-max`). */
const MOST_REVISIONS = 10;

const TIMEOUT_SECONDS = 600;

/** The properties that each add-on has. */
const COMMON = {
  cluster: true,
  version: true,
  values: true,
  releaseName: true,
  timeoutSeconds: true,
  helmProvider: true,
  dependsOn: true,
} as const;

export interface HelmAddon {
  readonly addon: ChartAddon;
  readonly props: HelmAddonProps;
  /** Properties beyond those of HelmAddonProps. */
  readonly properties?: { [property: string]: true };
  /** Those of them that are lists. */
  readonly lists?: string[];
  /** Checks of them. */
  readonly check?: (problems: Problems) => void;
  /** Pools that were named besides those of the cluster. Called once the properties are known to have the right form. */
  readonly namedPools?: () => INodePool[] | undefined;
  /** Values that the user may not replace. */
  readonly owned?: OwnedValue[];
  /** Called at synth, when all pools are declared. */
  readonly values: (releaseName: string) => Values;
}

/** Refuses all that is wrong, and takes the add-on's place in the cluster. */
export function claimAddon(scope: Construct, { addon, props, ...facts }: HelmAddon): void {
  const problems = new Problems(scope);
  checkId(scope, problems);
  checkProperties(props, { ...COMMON, ...facts.properties }, problems);
  const { cluster, provider, dependsOn }: AwsAddonProps = props;
  checkClusterGiven(cluster, problems);
  checkMaps(props, ["values", "tags"], problems);
  checkLists(props, facts.lists ?? [], problems);
  checkResourceOptions(scope, { provider, dependsOn }, problems);
  checkProvider(scope, "helmProvider", props.helmProvider, "helm", problems);
  problems.throwIfAny();

  checkVersion("version", props.version, problems);
  checkReleaseName(props.releaseName, problems);
  if (props.timeoutSeconds !== undefined) {
    checkWhole("timeoutSeconds", props.timeoutSeconds, 1, "Give the seconds that Helm may wait", problems);
  }
  if (props.version === undefined) {
    checkKubernetes(cluster, chartOf(addon), problems);
  }
  checkJson("values", props.values, problems);
  checkOwned(props.values ?? {}, facts.owned ?? [], problems);
  const namedPools = facts.namedPools?.() ?? [];
  checkPools(cluster, namedPools, problems);
  facts.check?.(problems);
  problems.throwIfAny();
  cluster._install(addon, scope, namedPools);

  requireProviders(scope, ["helm"], [props.helmProvider]);
  guardStack(scope);
  refuseNodeDependencies(scope);
}

/**
 * The release of an add-on by the rules that all keep: an exact version, values as one document, an installation that mends
 * itself, and nothing before the cluster can run it and its pods can get their rights.
 */
export function releaseAddon(
  scope: Construct,
  { addon, props, values }: HelmAddon,
  before: ITerraformDependable[] = [],
): Release {
  const { cluster } = props;
  const chart = chartOf(addon);
  const name = props.releaseName ?? addon;
  const merged = (): Values =>
    mergeValues(mergeValues(values(name), imageValues(chart, cluster.registry)), props.values ?? {});
  return new Release(scope, "Resource", {
    provider: props.helmProvider,
    name,
    namespace: NAMESPACE,
    ...chartSource(chart, cluster.registry),
    version: props.version ?? chart.version,
    // One document instead of `set` entries, which take commas and braces in a value for their own.
    values: [Lazy.stringValue({ produce: () => jsonText(merged()) })],
    // A release that a lost connection or a time-out left out of the state is taken up again; otherwise the next apply
    // fails because the name is in use.
    upgradeInstall: true,
    atomic: true,
    maxHistory: MOST_REVISIONS,
    timeout: props.timeoutSeconds ?? TIMEOUT_SECONDS,
    dependsOn: [...ofSameStack(scope, cluster._ready), ...before, ...(props.dependsOn ?? [])],
  });
}
