import { Construct, IConstruct } from "constructs";
import { once } from "../internal/once";
import { Addon } from "./addon";
import { IGpuCluster } from "./cluster";
import { clusterIdentity } from "./identity";
import { INodePool } from "./node-pool";

/** An add-on that is in a cluster, whoever installs it. */
interface Presence {
  readonly addon: Addon;
  readonly cluster: IGpuCluster;
  /** Paths of the pools that it was given besides those of the cluster. */
  readonly poolPaths: string[];
}

/** What is known of all clusters of an app: one may be imported twice, and its pools and add-ons declared in several stacks. */
interface ClustersOfApp {
  readonly presences: Presence[];
  /** By the path of a pool, which is also that of a construct which stands for it. */
  readonly clusters: Map<string, IGpuCluster>;
}

const CLUSTERS = Symbol.for("cdktf-elastic-gpu/ClustersOfApp");

function clustersOfApp(scope: IConstruct): ClustersOfApp {
  return once(scope.node.root, CLUSTERS, () => ({ presences: [], clusters: new Map() }));
}

export function notePool(pool: INodePool, cluster: IGpuCluster): void {
  clustersOfApp(pool).clusters.set(pool.node.path, cluster);
}

/** The cluster that a pool was declared on. Undefined: it is none. */
export function clusterOfPool(pool: unknown): IGpuCluster | undefined {
  return Construct.isConstruct(pool) ? clustersOfApp(pool).clusters.get(pool.node.path) : undefined;
}

export function noteAddon(addon: Addon, cluster: IGpuCluster, pools: INodePool[]): void {
  clustersOfApp(cluster).presences.push({ addon, cluster, poolPaths: pools.map((pool) => pool.node.path) });
}

/** The add-ons that look after a pool: those in its cluster, however often that was imported, and those that were given it. */
export function addonsFor(pool: INodePool, cluster: IGpuCluster): Addon[] {
  const identity = clusterIdentity(cluster);
  return clustersOfApp(cluster)
    .presences.filter((each) => each.poolPaths.includes(pool.node.path) || clusterIdentity(each.cluster) === identity)
    .map(({ addon }) => addon);
}
