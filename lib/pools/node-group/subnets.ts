import { ClusterSubnet } from "../../cluster";
import { list, Problems, show } from "../../internal/problems";
import { identityOf, isKnown } from "../../internal/tokens";

export interface SubnetChoices {
  readonly availabilityZones?: string[];
  readonly subnetIds?: string[];
}

/** The subnets of a pool, one for each Availability Zone, in the cluster's order. */
export function resolveSubnets(
  available: ClusterSubnet[],
  choices: SubnetChoices,
  problems: Problems,
): ClusterSubnet[] {
  const { availabilityZones: zones } = choices;
  const ids = choices.subnetIds?.map((id) => asInCluster(id, available));
  if (!checkZones(available, zones, problems) || !checkIds(available, ids, problems)) {
    return [];
  }
  if (zones && ids) {
    checkTogether(available, zones, ids, problems);
  }
  const chosen = available.filter(
    (subnet) => (zones?.includes(subnet.availabilityZone) ?? true) && (ids?.includes(subnet.subnetId) ?? true),
  );
  for (const zone of new Set(chosen.map((subnet) => subnet.availabilityZone))) {
    const within = chosen.filter((subnet) => subnet.availabilityZone === zone).map((subnet) => show(subnet.subnetId));
    if (within.length > 1) {
      problems.addText(
        "subnetIds",
        `must choose one of the subnets in ${zone}, because an Auto Scaling group would take either, got: ${list(within)}. Name the subnet of each zone in subnetIds`,
      );
    }
  }
  return chosen;
}

/** One subnet may have come to the pool and to the cluster as different tokens. */
function asInCluster(id: string, available: ClusterSubnet[]): string {
  return available.find((subnet) => identityOf(subnet.subnetId) === identityOf(id))?.subnetId ?? id;
}

function checkZones(available: ClusterSubnet[], zones: string[] | undefined, problems: Problems): boolean {
  if (zones === undefined) {
    return true;
  }
  if (!isKnown(zones)) {
    problems.addText(
      "availabilityZones",
      "must be literal texts, because they decide which subnets the pool has, got: a token. Write the zones out",
    );
    return false;
  }
  if (!Array.isArray(zones)) {
    problems.add("availabilityZones", "must be a list of zones", zones, 'Such as ["us-east-1a"], or leave it out');
    return false;
  }
  const known = [...new Set(available.map((subnet) => subnet.availabilityZone))];
  const unknown = zones.filter((zone) => !known.includes(zone));
  if (zones.length === 0 || unknown.length > 0) {
    problems.add(
      "availabilityZones",
      `must be one or more of the zones that the cluster has a subnet in (${list(known)})`,
      zones.length === 0 ? zones : unknown.map(String).join(", "),
      "Choose among them, leave it out for all, or add a subnet of the zone to the cluster",
    );
    return false;
  }
  return true;
}

function checkIds(available: ClusterSubnet[], ids: string[] | undefined, problems: Problems): boolean {
  if (ids === undefined) {
    return true;
  }
  const known = available.map((subnet) => subnet.subnetId);
  const unknown = ids.filter((id) => !known.includes(id));
  if (ids.length === 0 || unknown.length > 0) {
    problems.add(
      "subnetIds",
      `must be one or more of the cluster's subnets (${list(known.map(show))})`,
      ids.length === 0 ? ids : unknown[0],
      "Add the subnet with its zone to the cluster, and pass the same value here",
    );
    return false;
  }
  return true;
}

function checkTogether(available: ClusterSubnet[], zones: string[], ids: string[], problems: Problems): void {
  const chosen = available.filter((subnet) => ids.includes(subnet.subnetId));
  for (const { subnetId, availabilityZone } of chosen.filter((subnet) => !zones.includes(subnet.availabilityZone))) {
    problems.addText(
      "subnetIds",
      `must lie in the zones of availabilityZones (${list(zones)}), got: ${show(subnetId)} in ${availabilityZone}. Remove it, or add its zone`,
    );
  }
  for (const zone of zones.filter((zone) => !chosen.some((subnet) => subnet.availabilityZone === zone))) {
    problems.add(
      "availabilityZones",
      "must each have one of subnetIds",
      zone,
      "Name a subnet of the zone, or remove the zone",
    );
  }
}
