import { identityOf } from "../internal/tokens";
import { IGpuCluster } from "./cluster";
import { regionOf } from "./zones";

/** What tells clusters apart: name and region, since one may be imported twice, and one name used in two regions. */
export function clusterIdentity(cluster: IGpuCluster): string {
  const name = cluster._knownName ?? identityOf(cluster.clusterName);
  return `${name}\n${regionOf(cluster.subnets[0].availabilityZone)}`;
}

/** Whether two cannot be one cluster. Of a name that is a token nobody knows whether it is another's. */
export function areDifferent(one: IGpuCluster, other: IGpuCluster): boolean {
  const [region, otherRegion] = [one, other].map(({ subnets }) => regionOf(subnets[0].availabilityZone));
  const [name, otherName] = [one._knownName, other._knownName];
  return region !== otherRegion || (name !== undefined && otherName !== undefined && name !== otherName);
}
