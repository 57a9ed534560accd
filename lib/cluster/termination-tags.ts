import { shortHash } from "../internal/names";
import { TAG_LIMITS } from "../internal/tags";
import { isKnown } from "../internal/tokens";

const PREFIX = "aws-node-termination-handler/";

/** The key that handlers look for by default (AWS Node Termination Handler, `managed-tag`). */
const OF_ANY_HANDLER = `${PREFIX}managed`;

/**
 * The key that the handler of a cluster looks for. Each handler hears of all instances of the account in its region: by a
 * key that clusters share, one would complete the lifecycle actions of another's nodes, which it does not find and not drain.
 *
 * The longest names of clusters leave no room for the prefix; they are cut, and told apart by a hash.
 */
export function handlerTag(clusterName: string): string {
  const key = `${PREFIX}${clusterName}`;
  if (!isKnown(clusterName) || key.length <= TAG_LIMITS.key) {
    return key;
  }
  const end = `-${shortHash(clusterName)}`;
  return `${key.slice(0, TAG_LIMITS.key - end.length)}${end}`;
}

/** Tags that instances of a self-managed group must carry from their start, so that a termination handler looks after them. */
export function terminationTags(clusterName: string): { readonly key: string; readonly value: string }[] {
  return [OF_ANY_HANDLER, handlerTag(clusterName)].map((key) => ({ key, value: "true" }));
}
