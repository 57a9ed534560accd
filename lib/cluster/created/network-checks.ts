import { checkChoice, checkLists } from "../../internal/choices";
import { Problems } from "../../internal/problems";
import { checkTextTokens } from "../../internal/texts";
import { isKnown } from "../../internal/tokens";
import { checkSubnets } from "../cluster-checks";
import { ClusterNetwork, ExistingNetwork } from "../cluster-network";
import { GpuClusterProps } from "../gpu-cluster-props";
import { NatGateways } from "../nat-gateways";
import { longestPrefix } from "../network/carve";
import { formatCidr, parseCidr } from "../network/cidr";
import { isAvailabilityZone, regionOf } from "../zones";

const DEFAULT_CIDR = "10.0.0.0/16";
/** EKS wants subnets in two zones. A region has up to six zones, and a network is cut for at most seven. */
const ZONES = { least: 2, most: 7 };
/** Longest and shortest range of a VPC (VPC User Guide, VPC CIDR blocks). */
const VPC_PREFIX = { shortest: 16, longest: 28 };

/** The range of an own VPC. */
export function cidrOf(network: ClusterNetwork | undefined): string {
  return network?.cidr ?? DEFAULT_CIDR;
}

export function checkNetwork(props: GpuClusterProps, problems: Problems): void {
  const { network = ClusterNetwork.own(), availabilityZones, registry } = props;
  if (network._existing) {
    if (availabilityZones !== undefined) {
      problems.add(
        "availabilityZones",
        "must be left out for an existing network, whose subnets say it",
        availabilityZones,
        "Remove it",
      );
    }
    checkExisting(network._existing, problems);
    return;
  }
  const zones = checkZones(availabilityZones, problems);
  checkCidr(network, zones, problems);
  checkEndpoints(network._endpoints, problems);
  if (checkNatGateways(network, problems) && registry === undefined && network._natGateways._count(1) === 0) {
    problems.add(
      "registry",
      "must be given where nodes have no way to the internet, because the add-ons' images and charts come from it",
      registry,
      "Mirror them into ECR, and give the prefix, such as 123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror",
    );
  }
}

/** How many zones there are, where that is known. */
function checkZones(zones: string[] | undefined, problems: Problems): number | undefined {
  const property = "availabilityZones";
  if (zones !== undefined && !isKnown(zones)) {
    problems.addText(
      property,
      "must be literal texts, because they decide which subnets there are, got: a token. Write the zones out",
    );
    return undefined;
  }
  if (zones === undefined || zones.length < ZONES.least || zones.length > ZONES.most) {
    problems.add(
      property,
      `must be ${ZONES.least} to ${ZONES.most} zones, because EKS wants two at least`,
      zones,
      'Such as ["us-east-1a", "us-east-1b", "us-east-1c"]',
    );
    return undefined;
  }
  for (const zone of zones.filter((each) => typeof each !== "string" || !isAvailabilityZone(each))) {
    problems.add(
      property,
      "must be names of Availability Zones such as us-east-1a, not of Local or Wavelength Zones, and no IDs",
      zone,
      "Give the name that aws ec2 describe-availability-zones prints",
    );
  }
  const repeated = zones.find((zone, index) => zones.indexOf(zone) !== index);
  if (repeated !== undefined) {
    problems.add(property, "must name each zone once", repeated, "Remove the repetition");
  }
  if (zones.every((zone) => isAvailabilityZone(`${zone}`)) && new Set(zones.map(regionOf)).size > 1) {
    problems.add(property, "must be in one region", zones.join(", "), "Make a cluster for each region");
  }
  return zones.length;
}

function checkCidr(network: ClusterNetwork, zones: number | undefined, problems: Problems): void {
  const property = "network.cidr";
  const text: unknown = cidrOf(network);
  if (typeof text === "string" && !isKnown(text)) {
    problems.addText(
      property,
      "must be a literal text, because subnets are cut from it, got: a token. Write the range out",
    );
    return;
  }
  const range = typeof text === "string" ? parseCidr(text) : undefined;
  if (!range) {
    const meant = typeof text === "string" ? networkAddressOf(text) : undefined;
    problems.add(
      property,
      "must be an IPv4 range such as 10.0.0.0/16, with its first address",
      text,
      meant === undefined ? "Correct it" : `Write ${meant}`,
    );
  } else if (range.prefix < VPC_PREFIX.shortest || range.prefix > VPC_PREFIX.longest) {
    problems.add(
      property,
      `must be from /${VPC_PREFIX.shortest} to /${VPC_PREFIX.longest}, as VPCs are`,
      text,
      "Choose such a range",
    );
  } else if (zones !== undefined && range.prefix > longestPrefix(zones)) {
    problems.add(
      property,
      `must be /${longestPrefix(zones)} or larger for ${zones} zones, so that load balancers fit into the public subnets`,
      text,
      "Choose a larger range; GPU nodes take many addresses, and /16 costs no more",
    );
  }
}

/** The range that somebody meant who wrote an address inside of it. */
function networkAddressOf(text: string): string | undefined {
  const [address, prefix] = text.split("/");
  const inside = parseCidr(`${address}/32`);
  if (!inside || !/^\d{1,2}$/.test(prefix ?? "") || Number(prefix) > 32) {
    return undefined;
  }
  const size = 2 ** (32 - Number(prefix));
  return formatCidr({ base: Math.floor(inside.base / size) * size, prefix: Number(prefix) });
}

function checkNatGateways({ _natGateways }: ClusterNetwork, problems: Problems): boolean {
  return checkChoice(
    "network.natGateways",
    _natGateways,
    NatGateways.isNatGateways,
    "NatGateways.onePerZone(), .single() or .none()",
    problems,
  );
}

function checkEndpoints(services: string[], problems: Problems): void {
  const property = "network.interfaceEndpoints";
  if (!Array.isArray(services) || !isKnown(services)) {
    problems.add(property, "must be a list of literal names of services", services, 'Such as ["ecr.api", "ecr.dkr"]');
    return;
  }
  for (const service of services.filter((each) => !/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/.test(each))) {
    problems.add(
      property,
      "must be names of services as AWS writes them behind com.amazonaws.<region>.",
      service,
      "Such as ecr.api",
    );
  }
  if (services.includes("s3")) {
    problems.add(property, "must not name s3, which has its gateway endpoint, free of charge", "s3", "Remove it");
  }
  const repeated = services.find((service, index) => services.indexOf(service) !== index);
  if (repeated !== undefined) {
    problems.add(property, "must name each service once", repeated, "Remove the repetition");
  }
}

function checkExisting({ vpcId, subnets, controlPlaneSubnetIds }: ExistingNetwork, problems: Problems): void {
  const property = "network.vpcId";
  if (
    checkTextTokens(property, vpcId, problems) &&
    (typeof vpcId !== "string" || (isKnown(vpcId) && !/^vpc-[0-9a-z]+$/.test(vpcId)))
  ) {
    problems.add(property, "must be the ID of a VPC (vpc-…)", vpcId, "Give the ID, not the name");
  }
  const before = problems.count;
  checkSubnets("network.subnets", subnets, problems);
  if (problems.count > before) {
    return;
  }
  const zones = [...new Set(subnets.map((subnet) => subnet.availabilityZone))];
  if (zones.length < ZONES.least) {
    problems.add(
      "network.subnets",
      "must be in two Availability Zones at least, as EKS wants it",
      zones,
      "Add a subnet in another zone",
    );
  }
  if (new Set(zones.map(regionOf)).size > 1) {
    problems.add("network.subnets", "must be in one region", zones.join(", "), "Make a cluster for each region");
  }
  if (controlPlaneSubnetIds !== undefined) {
    checkControlPlaneSubnets(controlPlaneSubnetIds, problems);
  }
}

function checkControlPlaneSubnets(ids: string[], problems: Problems): void {
  const property = "network.controlPlaneSubnetIds";
  const before = problems.count;
  checkLists({ [property]: ids }, [property], problems);
  if (problems.count > before || !ids.every((id, index) => checkTextTokens(`${property}[${index}]`, id, problems))) {
    return;
  }
  const wrong = ids.find((id) => isKnown(id) && !/^subnet-[0-9a-z]+$/.test(id));
  if (ids.length < ZONES.least || wrong !== undefined) {
    problems.add(
      property,
      "must be the IDs of two subnets at least (subnet-…), in different zones",
      wrong ?? ids,
      "Leave it out for the subnets of nodes",
    );
  }
}
