import { identityOf } from "../internal/tokens";
import { IGpuCluster } from "./cluster";
import { regionOf } from "./zones";

/** What tells clusters apart: name and region, since one may be imported twice, and one name used in two regions. */
export function clusterIdentity(cluster: IGpuCluster): string {
  const name = cluster._knownName ?? identityOf(cluster.clusterName);
  return `${name}\n${regionOf(cluster.subnets[0].availabilityZone)}`;
}
