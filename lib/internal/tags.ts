import { Problems, show } from "./problems";
import { checkTextTokens } from "./texts";
import { isKnown } from "./tokens";

/** Most tags of one resource, and the lengths of keys and values (AWS Tagging best practices; the same for EC2, EKS, IAM and Auto Scaling). */
export const TAG_LIMITS = { count: 50, key: 128, value: 256 };

const ALLOWED = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Checks each tag that a user gave. What concerns all keys together is asked with `checkTagKeys`. */
export function checkTagMap(tags: { [key: string]: string }, owner: "pool" | "cluster", problems: Problems): void {
  for (const [key, value] of Object.entries(tags)) {
    const property = `tags[${show(key)}]`;
    if (!isKnown(key)) {
      problems.addText("tags", "must have literal keys; the values may be tokens, got: a token. Write the keys out");
      continue;
    }
    checkTag(property, key, value, problems);
    if (/^(eks:|kubernetes\.io\/cluster\/|k8s\.io\/cluster-autoscaler\/|aws-node-termination-handler\/)/.test(key)) {
      problems.addText(
        property,
        `is a key by which EKS, Kubernetes, the Cluster Autoscaler or a termination handler find their resources; on a group where it does not belong they look for what is not there. Remove it: the ${owner} sets what is needed`,
      );
    }
  }
}

/** Checks the keys of all tags that a resource will have. */
export function checkTagKeys(keys: string[], problems: Problems): void {
  const twice = keys.find((key, index) =>
    keys.some((other, at) => at > index && other.toLowerCase() === key.toLowerCase()),
  );
  if (twice !== undefined) {
    const alike = keys.filter((key) => key.toLowerCase() === twice.toLowerCase());
    problems.add(
      "tags",
      "must not have keys that differ in case alone, which IAM refuses",
      alike.join(", "),
      "Keep one of them",
    );
  }
  const count = keys.length;
  if (count > TAG_LIMITS.count) {
    problems.add("tags", `must be at most ${TAG_LIMITS.count}`, count, "Remove some");
  }
}

/** Checks one tag. */
export function checkTag(property: string, key: string, value: unknown, problems: Problems): void {
  if (key.length < 1 || key.length > TAG_LIMITS.key || !ALLOWED.test(key) || /^aws:/i.test(key)) {
    problems.add(
      property,
      `must have a key of 1 to ${TAG_LIMITS.key} letters, digits, blanks and _ . : / = + - @ that does not begin with aws:`,
      key.length > TAG_LIMITS.key ? `${key.length} characters` : key,
      "Correct the key",
    );
  }
  if (!checkTextTokens(property, value, problems)) {
    return;
  }
  if (typeof value !== "string") {
    problems.add(property, "must be text", value, "Put it in quotes");
  } else if (isKnown(value) && (value.length > TAG_LIMITS.value || !ALLOWED.test(value))) {
    problems.add(
      property,
      `must have a value of at most ${TAG_LIMITS.value} letters, digits, blanks and _ . : / = + - @`,
      value.length > TAG_LIMITS.value ? `${value.length} characters` : value,
      "Correct the value",
    );
  }
}
