import { Token, Tokenization } from "cdktf";
import { Problems, show } from "../../../internal/problems";
import { UserDataKind } from "../../user-data";

/** Whether a value is an object that is written out. */
export function isDocument(value: unknown): value is { [key: string]: any } {
  return Object.prototype.toString.call(value) === "[object Object]" && !Token.isUnresolved(value);
}

/** Refuses what JSON and TOML do not know, and would drop or change without a word. Whether nothing was found. */
export function checkDocument(property: string, document: unknown, kind: UserDataKind, problems: Problems): boolean {
  const before = problems.count;
  if (isDocument(document)) {
    checkMembers(property, document, kind, [document], problems);
  } else {
    problems.add(
      property,
      "must be an object that is written out; scalars and lists in it may be tokens",
      document,
      "Write its keys out",
    );
  }
  return problems.count === before;
}

function checkMembers(property: string, holder: object, kind: UserDataKind, above: object[], problems: Problems): void {
  for (const [key, value] of Object.entries(holder)) {
    const path = Array.isArray(holder) ? `${property}[${key}]` : `${property}${step(key)}`;
    checkValue(path, value, kind, above, problems);
  }
}

function step(key: string): string {
  return /^[\w-]+$/.test(key) ? `.${key}` : `[${show(key)}]`;
}

function checkValue(path: string, value: unknown, kind: UserDataKind, above: object[], problems: Problems): void {
  if (isScalar(value) || Tokenization.isResolvable(value)) {
    return;
  }
  if (isMapToken(value)) {
    // Terraform writes maps as JSON, which YAML is too, and TOML is not.
    if (kind === UserDataKind.BOTTLEROCKET_SETTINGS) {
      problems.addText(
        path,
        "must be a table that is written out, since Terraform has no TOML, got: a token. Write its keys out; the values may be tokens",
      );
    }
  } else if ((Array.isArray(value) || isDocument(value)) && !above.includes(value)) {
    if (!Token.isUnresolved(value)) {
      checkMembers(path, value, kind, [...above, value], problems);
    }
  } else {
    problems.addText(
      path,
      `must be a text, a finite number, true, false, a list or an object, got: ${describe(value)}. Give one, or leave the key out`,
    );
  }
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function isMapToken(value: unknown): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value) && Token.isUnresolved(value);
}

function describe(value: unknown): string {
  if (Array.isArray(value) || isDocument(value)) {
    return "an object that holds itself";
  }
  return value !== null && typeof value === "object"
    ? Object.prototype.toString.call(value).slice(8, -1)
    : String(value);
}
