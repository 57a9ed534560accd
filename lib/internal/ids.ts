import { IConstruct } from "constructs";
import { Problems } from "./problems";
import { isKnown } from "./tokens";

/**
 * Refuses construct ids from which CDKTF would make an empty, unstable or clashing address.
 *
 * CDKTF itself accepts a token in the id of a plain construct (the address then changes with the order of evaluation),
 * drops every character outside of letters, digits, hyphens and underscores without a word, and writes an address that
 * starts with a digit, which Terraform does not take.
 */
export function checkId(scope: IConstruct, problems: Problems): void {
  const { id } = scope.node;
  if (!isKnown(id)) {
    problems.addText("id", "must be a literal text, got: a token. Use a name that is known when the program runs");
  } else if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(id)) {
    problems.add(
      "id",
      "must start with a letter or an underscore and hold letters, digits, hyphens and underscores only",
      id,
      "Terraform addresses are made from it: choose another id",
    );
  }
}
