import { Construct } from "constructs";
import { IGpuCluster } from "../../cluster";
import { clusterIdentity } from "../../cluster/identity";
import { once } from "../../internal/once";
import { Problems, show } from "../../internal/problems";
import { IAM_ROLE_NAME } from "../../internal/roles";
import { isKnown } from "../../internal/tokens";
import { ROLE_SUFFIX } from "./role";

/** What is named after the user's name, with the limits of the services and of the provider where that is lower. */
const NAMED_AFTER = [
  { what: "a managed node group", suffix: "", limit: 63, managed: true },
  { what: "an Auto Scaling group", suffix: "", limit: 255, managed: false },
  { what: "the launch template", suffix: "", limit: 125 },
  { what: "the node role", suffix: `-${ROLE_SUFFIX.managed}`, limit: IAM_ROLE_NAME, managed: true, ownRole: true },
  { what: "the node role", suffix: `-${ROLE_SUFFIX.selfManaged}`, limit: IAM_ROLE_NAME, managed: false, ownRole: true },
  { what: "the instance profile", suffix: "-node", limit: 128, managed: false },
];

/** A name that the user chose is used as it is, or refused; it is never cut. */
export function checkName(name: string | undefined, managed: boolean, ownRole: boolean, problems: Problems): void {
  if (name === undefined || !isKnown(name)) {
    return;
  }
  if (!/^[0-9A-Za-z][A-Za-z0-9_-]{2,}$/.test(name)) {
    problems.add(
      "name",
      "must be at least 3 letters, digits, hyphens and underscores that start with a letter or a digit",
      name,
      "Correct it, or leave it out for a name from the construct path",
    );
  }
  for (const { what, suffix, limit, ...only } of NAMED_AFTER) {
    const applies = (only.managed ?? managed) === managed && (only.ownRole ?? ownRole) === ownRole;
    if (applies && name.length + suffix.length > limit) {
      problems.add(
        "name",
        `must have at most ${limit - suffix.length} characters, because ${what} is named ${suffix === "" ? "so" : `<name>${suffix}`} and takes ${limit}`,
        `${name.length} characters`,
        "Shorten it, or leave it out for a name from the construct path",
      );
    }
  }
}

const NAMES = Symbol.for("cdktf-elastic-gpu/PoolNames");

/** Takes a name that the user chose for a pool of a cluster, in whichever stack; each is taken once. */
export function claimName(scope: Construct, cluster: IGpuCluster, name: string | undefined): void {
  if (name === undefined || !isKnown(name)) {
    return;
  }
  const names = once(scope.node.root, NAMES, () => new Map<string, string>());
  const key = `${clusterIdentity(cluster)}\n${name}`;
  const holder = names.get(key);
  if (holder !== undefined) {
    throw new Error(
      `${scope.node.path}: name: must be the name of one pool of the cluster, got: ${show(name)}, which ${holder} has. ` +
        "Choose another, or leave it out for a name from the construct path",
    );
  }
  names.set(key, scope.node.path);
}
