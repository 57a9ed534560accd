import { AcceleratorType } from "../../accelerators";
import { regionOf } from "../../cluster/zones";
import { checkWhole } from "../../internal/numbers";
import { Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { Capacity, CapacityMarket } from "../capacity";
import { ClusterPlacement } from "../cluster-placement";
import { Bounds } from "./bounds";

/** Most instances of one Capacity Block (EC2 User Guide, Capacity Blocks for ML). */
const MOST_IN_BLOCK = 64;

/** Most instances of one reservation (EC2 API, CreateCapacityReservation). */
export const MOST_RESERVED = 1000;

/** EC2 begins to end instances 30 minutes before the end of a block; ten more are for draining (EKS User Guide, Capacity Blocks). */
const MINUTES_BEFORE_END = 40;

export interface CapacityFacts {
  readonly types: AcceleratorType[];
  readonly zones: string[];
  readonly bounds: Bounds;
  readonly placement?: ClusterPlacement;
  readonly managed: boolean;
}

export function checkCapacity(capacity: Capacity, facts: CapacityFacts, problems: Problems): void {
  switch (capacity.market) {
    case CapacityMarket.SPOT:
      checkSpot(facts, problems);
      break;
    case CapacityMarket.RESERVATION:
      checkReserved(capacity, facts, problems);
      break;
    case CapacityMarket.CAPACITY_BLOCK:
      checkBlock(capacity, facts, problems);
      break;
    default:
  }
}

function checkSpot({ types, placement }: CapacityFacts, problems: Problems): void {
  const never = types.filter((type) => !type.supportsSpot).map((type) => type.instanceType);
  if (never.length > 0) {
    problems.add(
      "capacity",
      "must not be Capacity.spot() for types that are never sold as Spot",
      never.join(", "),
      "Remove them, or use Capacity.onDemand()",
    );
  }
  if (inPlacementGroup(placement)) {
    problems.addText(
      "placement",
      "must be left out with Capacity.spot(): requests for one placement group land in several zones and are refused, and one reclaim stops the whole job. Use Capacity.onDemand() or a reservation",
    );
  }
}

function checkReserved(capacity: Capacity, facts: CapacityFacts, problems: Problems): void {
  checkReservation("capacity", capacity, facts.zones, problems);
  if (capacity.reservationId !== undefined) {
    checkOneTypeOneZone("a reservation", facts, problems);
  }
  checkCount(capacity.instanceCount, MOST_RESERVED, facts.bounds, problems);
}

/** What names a reservation, or a group of them. */
export function checkReservation(property: string, capacity: Capacity, zones: string[], problems: Problems): void {
  checkReservationId(`${property}.reservationId`, capacity.reservationId, problems);
  const arn = capacity.resourceGroupArn;
  if (arn === undefined || !isKnown(arn)) {
    return;
  }
  const [, found] = /^arn:[^:]+:resource-groups:([a-z0-9-]+):\d{12}:group\/.+$/.exec(arn) ?? [];
  // Without a zone something else is wrong.
  const region = zones.length > 0 ? regionOf(zones[0]) : found;
  if (found === undefined) {
    problems.add(
      `${property}.resourceGroupArn`,
      "must be the ARN of a resource group",
      arn,
      "Give arn:aws:resource-groups:<region>:<account>:group/<name>",
    );
  } else if (found !== region) {
    problems.add(
      `${property}.resourceGroupArn`,
      `must be of the cluster's region, ${region}, because reservations of another have no room for its nodes`,
      arn,
      "Give a resource group of that region",
    );
  }
}

function checkBlock(capacity: Capacity, facts: CapacityFacts, problems: Problems): void {
  checkReservationId("capacity.reservationId", capacity.reservationId, problems);
  checkOneTypeOneZone("a Capacity Block", facts, problems);
  checkCount(capacity.instanceCount, MOST_IN_BLOCK, facts.bounds, problems);
  const without = facts.types.filter((type) => !type.supportsCapacityBlock).map((type) => type.instanceType);
  if (without.length > 0) {
    problems.add(
      "capacity",
      "must not be a Capacity Block for types that are not sold as one",
      without.join(", "),
      "Use Capacity.onDemand() or Capacity.reservation()",
    );
  }
  if (inPlacementGroup(facts.placement)) {
    problems.addText(
      "placement",
      "must be left out with a Capacity Block, whose instances are placed close together by themselves. Remove it",
    );
  }
  checkEnd(capacity.endsAt, facts.managed, problems);
}

function checkEnd(endsAt: string | undefined, managed: boolean, problems: Problems): void {
  if (managed) {
    if (endsAt !== undefined) {
      problems.add(
        "capacity.endsAt",
        "must be left out for a managed node group, which EKS takes to zero before the end by itself",
        endsAt,
        "Remove it",
      );
    }
    return;
  }
  const got = endsAt !== undefined && !isKnown(endsAt) ? "a token" : endsAt;
  if (got === undefined || got === "a token" || endOf(got) === undefined) {
    problems.addText(
      "capacity.endsAt",
      `must be the literal end of the block in UTC, since the group is taken to zero ${MINUTES_BEFORE_END} minutes before, got: ${got}. Give it such as 2026-12-24T11:30:00Z`,
    );
  }
}

/** The minute at which the pool must begin to be empty, every year: an action with a start time vanishes after it ran. */
export function blockEndCron(endsAt: string): string {
  const at = new Date((endOf(endsAt) as Date).getTime() - MINUTES_BEFORE_END * 60_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
}

/** JavaScript takes 30 February for 2 March; such a date is refused. */
function endOf(endsAt: string): Date | undefined {
  const written = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(\.\d{3})?)?Z$/.exec(endsAt);
  const end = new Date(endsAt);
  return written && !Number.isNaN(end.getTime()) && end.toISOString().startsWith(written[1]) ? end : undefined;
}

function checkReservationId(property: string, id: string | undefined, problems: Problems): void {
  if (id !== undefined && isKnown(id) && !/^cr-[0-9a-f]{8,17}$/.test(id)) {
    problems.add(
      property,
      "must be the ID of a capacity reservation (cr-…)",
      id,
      "Give the ID that EC2 shows for the reservation or block",
    );
  }
}

function checkOneTypeOneZone(what: string, { types, zones }: CapacityFacts, problems: Problems): void {
  if (types.length > 1) {
    problems.add(
      "instanceTypes",
      `must be the one type of ${what}`,
      types.map((type) => type.instanceType).join(", "),
      "Make a pool for each",
    );
  }
  if (zones.length > 1) {
    problems.add(
      "availabilityZones",
      `must be the one zone of ${what}`,
      zones.join(", "),
      "Choose it with availabilityZones",
    );
  }
}

function checkCount(count: number | undefined, most: number, { maxNodes }: Bounds, problems: Problems): void {
  if (
    count === undefined ||
    !checkWhole("capacity.instanceCount", count, 1, "Give the instances reserved", problems, most)
  ) {
    return;
  }
  if (isKnown([count, maxNodes]) && maxNodes > count) {
    problems.add(
      "maxNodes",
      "must not be above the instances reserved, since nothing is launched outside of the reservation",
      `${maxNodes} of ${count}`,
      "Lower maxNodes, or add a second pool for the rest",
    );
  }
}

export function checkPlacement(
  placement: ClusterPlacement | undefined,
  zones: string[],
  types: AcceleratorType[],
  problems: Problems,
): void {
  if (!inPlacementGroup(placement)) {
    return;
  }
  if (zones.length > 1) {
    problems.add(
      "placement",
      "must be used in one Availability Zone, in which a cluster placement group lies",
      zones.join(", "),
      "Choose one with availabilityZones",
    );
  }
  const without = types.filter((type) => !type.supportsClusterPlacement).map((type) => type.instanceType);
  if (without.length > 0) {
    problems.add(
      "placement",
      "must be left out for types that a cluster placement group does not take",
      without.join(", "),
      "Remove it",
    );
  }
  checkGroupName(placement?.groupName, problems);
}

/** EC2 API, CreatePlacementGroup; a launch template takes IDs in another place. */
function checkGroupName(name: string | undefined, problems: Problems): void {
  if (name === undefined || !isKnown(name)) {
    return;
  }
  if (/^pg-([0-9a-f]{8}|[0-9a-f]{17})$|^arn:/.test(name)) {
    problems.add(
      "placement",
      "must have the name of the placement group, not its ID or ARN",
      name,
      "Give the GroupName that aws ec2 describe-placement-groups shows",
    );
  } else if (!/^[!-~]([ -~]{0,253}[!-~])?$/.test(name)) {
    problems.add(
      "placement",
      "must name a placement group by 1 to 255 ASCII characters, without blanks at its start and end",
      name.length > 255 ? `${name.length} characters` : name,
      "Correct the name",
    );
  }
}

export function inPlacementGroup(placement: ClusterPlacement | undefined): boolean {
  return placement !== undefined && !placement._isNone;
}

/** What is legal but seldom meant: texts for annotations. */
export function capacityWarnings(capacity: Capacity, { minNodes, maxNodes }: Bounds): string[] {
  const { market, instanceCount: count, endsAt } = capacity;
  const end = endsAt === undefined ? undefined : endOf(endsAt);
  return [
    ...(end !== undefined && end.getTime() <= Date.now()
      ? [`capacity.endsAt: the Capacity Block ended at ${endsAt}, and no node starts anymore. Remove the pool`]
      : []),
    ...(count !== undefined && isKnown([count, maxNodes]) && maxNodes < count
      ? [
          `maxNodes: ${count - maxNodes} of ${count} instances reserved can never be used, and are paid for. Raise maxNodes to ${count}`,
        ]
      : []),
    ...(market === CapacityMarket.CAPACITY_BLOCK && isKnown(minNodes) && minNodes > 0
      ? [
          `minNodes: before a Capacity Block starts, every launch fails, again and again. Leave minNodes out, and let the autoscaler start nodes`,
        ]
      : []),
  ];
}
