import { isKnown } from "../../internal/tokens";

/** What Terraform adds to a name's prefix: eighteen digits of the time, and a counter of eight hexadecimal ones. */
const UNIQUE_END = "[0-9a-f]{26}";

/**
 * Regular expression for the name that EKS gives the Auto Scaling group of a managed node group: `eks-`, the group's name,
 * and an identifier.
 *
 * The whole of it is matched, since the name of one pool may begin with that of another.
 */
export function managedGroupPattern(name: string | undefined, prefix: string): string {
  return `^eks-${name === undefined ? `${literal(prefix)}${UNIQUE_END}` : literal(name)}-[0-9a-f-]{36}$`;
}

/** Regular expression for the name of a self-managed group. */
export function selfManagedGroupPattern(name: string): string {
  return `^${literal(name)}$`;
}

/** Tokens stay as they are: names hold letters, digits, hyphens and underscores, which stand for themselves. */
function literal(name: string): string {
  return isKnown(name) ? name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : name;
}
