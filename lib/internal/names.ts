import { createHash } from "node:crypto";
import { IConstruct } from "constructs";

const HASH_LENGTH = 8;

/** Most characters of names that several constructs give, of the provider where that is lower than the service's. */
export const NAME_LIMITS = {
  /** The provider's, below EC2's 128. */
  launchTemplate: 125,
  /** CloudWatch API, PutMetricAlarm. */
  alarm: 255,
  /** EventBridge API, PutRule. */
  eventRule: 64,
};

/** Hex digits that differ for different texts and never change for one text. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}

/**
 * A name for a service that wants one, made from the construct path: readable, the same at every synth, at most
 * `limit` characters, and different for different paths, however alike their first characters are.
 *
 * `realm` is what the name must also differ by although the path does not say it, such as the cluster.
 */
export function physicalName(scope: IConstruct, limit: number, realm: string, suffix = ""): string {
  const end = `${suffix && `-${suffix}`}-${shortHash(`${realm}\n${scope.node.path}`)}`;
  return readable(scope, limit - end.length) + end;
}

/** The start of a name to which the service or Terraform adds its own unique end. */
export function physicalNamePrefix(scope: IConstruct, limit: number): string {
  const whole = readable(scope, Infinity);
  return whole.length < limit
    ? `${whole}-`
    : `${readable(scope, limit - HASH_LENGTH - 2)}-${shortHash(scope.node.path)}-`;
}

/** The path for people to read, whole where it fits; cut, it ends with a hash. */
export function displayName(scope: IConstruct, limit: number): string {
  const whole = readable(scope, Infinity);
  return whole.length <= limit ? whole : physicalName(scope, limit, "");
}

function readable(scope: IConstruct, limit: number): string {
  const text = scope.node.path
    .replace(/[^A-Za-z0-9]+/g, "-")
    .slice(0, limit)
    .replace(/^-+|-+$/g, "");
  return text === "" ? "pool" : text;
}
