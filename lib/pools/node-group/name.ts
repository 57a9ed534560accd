import { Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";

/** What is named after the user's name, with the limits of the services and of the provider where that is lower. */
const NAMED_AFTER = [
  { what: "a managed node group", suffix: "", limit: 63, managed: true },
  { what: "an Auto Scaling group", suffix: "", limit: 255, managed: false },
  { what: "the launch template", suffix: "", limit: 125 },
  { what: "the node role", suffix: "-node", limit: 64, ownRole: true },
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
