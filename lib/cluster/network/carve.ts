import { Cidr, partOf } from "./cidr";

/** The subnets of an own network, one of each kind for each zone, in the order of the zones. */
export interface Carving {
  readonly privateSubnets: Cidr[];
  readonly publicSubnets: Cidr[];
}

/**
 * Longest prefix of a public subnet: a load balancer wants 8 free addresses in a subnet of at least /27 (Elastic Load
 * Balancing User Guide, Subnets for your load balancer).
 */
const SMALLEST_PUBLIC = 27;
/** A public subnet holds a NAT gateway and load balancers: /24 is plenty. */
const LARGEST_PUBLIC = 24;

/**
 * Cuts a VPC into equal parts, a power of two with one more than zones: each zone gets one for nodes and pods, which use
 * many addresses, and the last one is cut into small public subnets. Two or three zones get a quarter each, four to seven
 * an eighth.
 *
 * The cut depends on that power alone: a zone added at the end moves no other subnet unless it is the fourth. A network
 * without the internet is cut in the same way, so that it may get public subnets later.
 */
export function carve(vpc: Cidr, zones: number): Carving {
  const bits = bitsFor(zones);
  const part = vpc.prefix + bits;
  const forPublic = partOf(vpc, part, 2 ** bits - 1);
  const publicPrefix = Math.max(LARGEST_PUBLIC, part + bits);
  const indices = Array.from({ length: zones }, (_, index) => index);
  return {
    privateSubnets: indices.map((index) => partOf(vpc, part, index)),
    publicSubnets: indices.map((index) => partOf(forPublic, publicPrefix, index)),
  };
}

/** Longest prefix of a VPC that can be cut for so many zones. */
export function longestPrefix(zones: number): number {
  return SMALLEST_PUBLIC - 2 * bitsFor(zones);
}

function bitsFor(zones: number): number {
  return Math.ceil(Math.log2(zones + 1));
}
