import { Construct } from "constructs";
import { clusterIdentity, regionOfCluster } from "../../cluster/identity";
import { NAME_LIMITS } from "../../internal/names";
import { once } from "../../internal/once";
import { Problems, show } from "../../internal/problems";
import { providerIdentity } from "../../internal/providers";
import { IAM_ROLE_NAME } from "../../internal/roles";
import { isKnown } from "../../internal/tokens";
import { NodeGroupType } from "../elastic-gpu-node-pool-props";
import { GroupChoices } from "./choices";
import { ROLE_SUFFIX } from "./role";

/** Something named after the user's name, with the limit of its service, or of the provider where that is lower. */
export interface NamedAfter {
  readonly what: string;
  readonly suffix: string;
  readonly limit: number;
}

interface NamedAfterGroup extends NamedAfter {
  readonly managed?: boolean;
  readonly ownRole?: boolean;
}

const NAMED_AFTER: NamedAfterGroup[] = [
  { what: "a managed node group", suffix: "", limit: 63, managed: true },
  { what: "an Auto Scaling group", suffix: "", limit: 255, managed: false },
  { what: "the launch template", suffix: "", limit: NAME_LIMITS.launchTemplate },
  { what: "the node role", suffix: `-${ROLE_SUFFIX.managed}`, limit: IAM_ROLE_NAME, managed: true, ownRole: true },
  { what: "the node role", suffix: `-${ROLE_SUFFIX.selfManaged}`, limit: IAM_ROLE_NAME, managed: false, ownRole: true },
  { what: "the instance profile", suffix: "-node", limit: 128, managed: false },
];

/** A name that the user chose is used as it is, or refused; it is never cut. `further` is named after it as well. */
export function checkName(
  name: string | undefined,
  managed: boolean,
  ownRole: boolean,
  further: NamedAfter[],
  problems: Problems,
): void {
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
  const ofGroup = NAMED_AFTER.filter(
    (each) => (each.managed ?? managed) === managed && (each.ownRole ?? ownRole) === ownRole,
  );
  // The one that leaves least: who keeps to it keeps to the others.
  const { what, suffix, limit } = [...ofGroup, ...further].reduce((one, other) =>
    room(other) < room(one) ? other : one,
  );
  if (name.length + suffix.length > limit) {
    problems.add(
      "name",
      `must have at most ${limit - suffix.length} characters, because ${what} is named ${suffix === "" ? "so" : `<name>${suffix}`} and takes ${limit}`,
      `${name.length} characters`,
      "Shorten it, or leave it out for a name from the construct path",
    );
  }
}

function room({ limit, suffix }: NamedAfter): number {
  return limit - suffix.length;
}

const NAMES = Symbol.for("cdktf-elastic-gpu/PoolNames");

/** Something that only one pool can have. */
interface Claim {
  readonly key: string;
  /** What is wrong where another has it. */
  readonly rule: (holder: string) => string;
}

/** Takes a name that the user chose for a pool, or that was made from it, in whichever stack; each is taken once. */
export function claimName(scope: Construct, choices: GroupChoices): void {
  const { name, nameMadeFrom } = choices;
  if (name === undefined || !isKnown(name)) {
    return;
  }
  const names = once(scope.node.root, NAMES, () => new Map<string, string>());
  const claims = claimsOf(scope, name, choices);
  for (const { key, rule } of claims) {
    const holder = names.get(key);
    if (holder !== undefined) {
      const pool = nameMadeFrom === undefined ? scope : scope.node.scope;
      throw new Error(
        `${pool?.node.path}: name: ${rule(holder)}. Choose another, or leave it out for a name from the construct path`,
      );
    }
  }
  claims.forEach(({ key }) => names.set(key, scope.node.path));
}

function claimsOf(scope: Construct, name: string, choices: GroupChoices): Claim[] {
  const { cluster, nameMadeFrom, provider } = choices;
  const account = providerIdentity(scope, provider);
  const region = regionOfCluster(cluster);
  const free = (holder: string): string =>
    `must leave ${show(name)} free for the nodes that stand in, got: ${show(nameMadeFrom)}, while ${holder} has that name`;
  const ofCluster = (holder: string): string =>
    `must be the name of one pool of the cluster, got: ${show(name)}, which ${holder} has`;
  const ofRegion = (holder: string): string =>
    `must be the name of one pool of the account and region, because launch templates are named so, got: ${show(name)}, which ${holder} of another cluster has`;
  const isMade = nameMadeFrom !== undefined;
  return [
    { key: `cluster\n${clusterIdentity(cluster)}\n${name}`, rule: isMade ? free : ofCluster },
    { key: `region\n${account}\n${region}\n${name}`, rule: isMade ? free : ofRegion },
    ...(isMade || choices.nodeRole?.roleArn !== undefined ? [] : [claimOfRole(account, name, choices)]),
  ];
}

/** The kinds of group have roles of different endings, so that another name may end as this one's role does. */
function claimOfRole(account: string, name: string, { nodeGroupType }: GroupChoices): Claim {
  const isManaged = (nodeGroupType ?? NodeGroupType.MANAGED) === NodeGroupType.MANAGED;
  const roleName = `${name}-${isManaged ? ROLE_SUFFIX.managed : ROLE_SUFFIX.selfManaged}`;
  return {
    key: `role\n${account}\n${roleName}`,
    rule: (holder) =>
      `must leave ${show(roleName)} free for the node role, got: ${show(name)}, while the node role of ${holder} has that name`,
  };
}
