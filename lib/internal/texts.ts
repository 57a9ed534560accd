import { Token } from "cdktf";
import { Problems } from "./problems";
import { hasListInText, hasNumberInText } from "./tokens";

/**
 * Refuses tokens that cannot stand where text is wanted, and those that stand in a text where CDKTF does not find them:
 * Terraform would get their marks. Whether other values are text is left to the rules of the property.
 */
export function checkTextTokens(property: string, value: unknown, problems: Problems): boolean {
  const text = wrongToken(value);
  if (text !== undefined) {
    problems.addText(property, text);
  }
  return text === undefined;
}

function wrongToken(value: unknown): string | undefined {
  if (typeof value !== "string") {
    return Token.isUnresolved(value)
      ? "must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()"
      : undefined;
  }
  if (hasNumberInText(value)) {
    return "must not have a number token within text, got: a token. Write Token.asString(number) in its place";
  }
  return hasListInText(value)
    ? "must not have a list token within text, got: a token. Join the list with Fn.join()"
    : undefined;
}

/** The same, and refuses whatever else is no text. What is left out is not refused. */
export function checkText(property: string, value: unknown, problems: Problems): boolean {
  if (!checkTextTokens(property, value, problems)) {
    return false;
  }
  if (typeof value === "string" || value === undefined) {
    return true;
  }
  const quotable = typeof value === "number" || typeof value === "boolean";
  problems.add(property, "must be text", value, quotable ? "Put it in quotes" : "Give text, or leave it out");
  return false;
}
