import { identityOf } from "../internal/tokens";
import { IGpuCluster } from "./cluster";
import { regionOf } from "./zones";

export function regionOfCluster({ subnets }: IGpuCluster): string {
  return regionOf(subnets[0].availabilityZone);
}

/**
 * What names of things in AWS differ by although their construct path does not say it: a program may make the same for several
 * clusters, and IAM knows one set of names for all regions.
 */
export function realmOf(cluster: IGpuCluster): string {
  return `${cluster._knownName ?? ""}\n${regionOfCluster(cluster)}`;
}

/** What tells clusters apart: name and region, since one may be imported twice, and one name used in two regions. */
export function clusterIdentity(cluster: IGpuCluster): string {
  const name = cluster._knownName ?? identityOf(cluster.clusterName);
  return `${name}\n${regionOfCluster(cluster)}`;
}

/** Whether two cannot be one cluster. Of a name that is a token nobody knows whether it is another's. */
export function areDifferent(one: IGpuCluster, other: IGpuCluster): boolean {
  const [region, otherRegion] = [regionOfCluster(one), regionOfCluster(other)];
  const [name, otherName] = [one._knownName, other._knownName];
  return region !== otherRegion || (name !== undefined && otherName !== undefined && name !== otherName);
}
