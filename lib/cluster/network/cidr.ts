/** A range of IPv4 addresses: its first one as a number, and how many leading bits all of them share. */
export interface Cidr {
  readonly base: number;
  readonly prefix: number;
}

/** Addresses of a subnet that AWS keeps for itself (VPC User Guide, Subnet CIDR blocks). */
const RESERVED_IN_SUBNET = 5;

/**
 * The range that a text writes, `undefined` where it writes none. A range whose first address has bits behind the prefix,
 * such as 10.0.0.5/16, is none: AWS would change it, and each plan would want to change it back.
 */
export function parseCidr(text: string): Cidr | undefined {
  const [, ...parts] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(text) ?? [];
  const prefix = Number(parts[4]);
  const octets = parts.slice(0, 4).map(Number);
  const base = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const range = { base, prefix };
  // Written back, leading zeros and numbers that are too large show.
  return parts.length === 5 && prefix <= 32 && base % sizeOf(range) === 0 && formatCidr(range) === text
    ? range
    : undefined;
}

export function formatCidr({ base, prefix }: Cidr): string {
  return `${[24, 16, 8, 0].map((shift) => Math.floor(base / 2 ** shift) % 256).join(".")}/${prefix}`;
}

/** How many addresses a range has. */
export function sizeOf({ prefix }: Cidr): number {
  return 2 ** (32 - prefix);
}

/** How many addresses of a subnet can be given to network interfaces and pods. */
export function usableIn(subnet: Cidr): number {
  return sizeOf(subnet) - RESERVED_IN_SUBNET;
}

export function overlap(a: Cidr, b: Cidr): boolean {
  return a.base < b.base + sizeOf(b) && b.base < a.base + sizeOf(a);
}

/** Whether all addresses of `inner` are in `outer`. */
export function within(inner: Cidr, outer: Cidr): boolean {
  return outer.base <= inner.base && inner.base + sizeOf(inner) <= outer.base + sizeOf(outer);
}

/** The part with the number `index` of a range that is cut into equal ones of a longer prefix. */
export function partOf(range: Cidr, prefix: number, index: number): Cidr {
  const size = sizeOf({ base: 0, prefix });
  return { base: range.base + index * size, prefix };
}
