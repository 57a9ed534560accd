import { IGpuCluster, INodePool } from "../cluster";
import { clusterOfPool } from "../cluster/app-clusters";
import { areDifferent } from "../cluster/identity";
import { Problems } from "../internal/problems";

/** Refuses, among the pools that an add-on was given besides those of its cluster, what is no pool of that cluster. */
export function checkPools(cluster: IGpuCluster, pools: INodePool[], problems: Problems): void {
  // Spread, since forEach passes over the holes of a list.
  [...pools].forEach((pool, index) => {
    const property = `pools[${index}]`;
    const its = clusterOfPool(pool);
    if (its === undefined) {
      const rule = "must be made by new ElasticGpuNodePool() or new SpotWithFallback()";
      problems.add(property, rule, pool, "Pass the pool itself");
    } else if (areDifferent(its, cluster)) {
      problems.addText(
        property,
        `must be a pool of ${cluster.node.path}, got: ${pool.node.path}, which is one of another cluster, ${its.node.path}. ` +
          "Give it to an add-on of that cluster",
      );
    }
  });
}
