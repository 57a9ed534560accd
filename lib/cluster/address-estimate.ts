import { AcceleratorType } from "../accelerators";
import { list } from "../internal/problems";
import { isKnown } from "../internal/tokens";
import { PodAddressing } from "./gpu-cluster-props";
import { sizeOf, usableIn } from "./network/cidr";
import { Network } from "./network/network";
import { INodePool } from "./node-pool";

/** Pods with an address of their own that DaemonSets put on a node: device plugin, storage driver, metrics, logs. */
const DAEMON_PODS = 6;
/** Addresses of a delegated prefix, a /28. */
const PREFIX = 16;

interface Demand {
  readonly pool: INodePool;
  readonly perNode: number;
}

/**
 * Addresses that a node holds when each of its accelerators has a pod: what the pods need, and one network interface, or one
 * prefix, more, which the VPC CNI keeps ready (WARM_ENI_TARGET and WARM_PREFIX_TARGET, amazon-vpc-cni-k8s, "ENI and IP
 * Target" and "Prefix and IP Target"). An interface is taken with all addresses that it can have.
 */
export function addressesPerNode(type: AcceleratorType, accelerators: number, addressing: PodAddressing): number {
  const pods = accelerators + DAEMON_PODS;
  if (addressing === PodAddressing.PREFIXES) {
    return 1 + PREFIX * (Math.ceil(pods / PREFIX) + 1);
  }
  const interfaces = Math.ceil(pods / (type._ipv4PerEni - 1)) + 1;
  return Math.min(interfaces, type._enisOnCard0) * type._ipv4PerEni;
}

/**
 * Warns where the pools, at their largest, may want more addresses than the subnets have that they are in: texts with the
 * arithmetic. For each set of subnets that a pool has, all pools are counted that have no others.
 */
export function addressWarnings(pools: INodePool[], network: Network, addressing: PodAddressing): string[] {
  const demands = pools
    .filter((pool) => isKnown(pool.maxNodes) && pool.instanceTypes.every((type) => type._ipv4PerEni > 0))
    .map((pool) => ({
      pool,
      perNode: Math.max(
        ...pool.instanceTypes.map((type) => addressesPerNode(type, pool.acceleratorsPerNode, addressing)),
      ),
    }));
  const sets = new Map(demands.map(({ pool }) => [pool.availabilityZones.join(), pool.availabilityZones]));
  return [...sets.values()].flatMap((zones) => {
    const ranges = zones.map((zone) => network.ranges[zone]);
    const room = ranges.reduce((sum, range) => sum + (range ? usableIn(range) : Infinity), 0);
    const inside = demands.filter(({ pool }) => pool.availabilityZones.every((zone) => zones.includes(zone)));
    const wanted = inside.reduce((sum, { pool, perNode }) => sum + pool.maxNodes * perNode, 0);
    return wanted > room ? [warning(zones, ranges.map(sizeOf), room, wanted, inside, addressing)] : [];
  });
}

function warning(
  zones: string[],
  sizes: number[],
  room: number,
  wanted: number,
  demands: Demand[],
  addressing: PodAddressing,
): string {
  const parts = demands.map(
    ({ pool, perNode }) => `${pool.node.id} ${pool.maxNodes} nodes x ${perNode} = ${pool.maxNodes * perNode}`,
  );
  const remedy =
    addressing === PodAddressing.PREFIXES
      ? "Choose a larger range with network, or lower maxNodes"
      : "Choose a larger range with network, set podAddressing to PodAddressing.PREFIXES, or lower maxNodes";
  return (
    `the subnets of nodes in ${list(zones)} have ${room} addresses (${sizes.length} x ${sizes[0]}, less 5 each), ` +
    `and the pools at their largest want about ${wanted}: ${parts.join(", ")}. ${remedy}`
  );
}
