import { Token } from "cdktf";
import { Problems } from "./problems";

/** Whether a value is an object that is written out: no list, no Map or Date, no token. */
export function isRecord(value: unknown): value is { [key: string]: unknown } {
  return Object.prototype.toString.call(value) === "[object Object]" && !Token.isUnresolved(value);
}

/** Whether a value is a list that is written out, whose members may be tokens. */
export function isWritten(value: unknown): value is unknown[] {
  return Array.isArray(value) && !Token.isUnresolved(value);
}

/**
 * Refuses a value that was not made by the makers of its class, such as an object literal from untyped JavaScript.
 *
 * TypeScript refuses most of them; a member that the class does not have would otherwise be dropped without a word.
 */
export function checkChoice(
  property: string,
  value: unknown,
  isChoice: (x: any) => boolean,
  makers: string,
  problems: Problems,
): boolean {
  if (value === undefined || isChoice(value)) {
    return true;
  }
  problems.add(property, `must be made by ${makers}`, value, MAKE_IT);
  return false;
}

/** The same for the members of a list, none of which may be missing. Whether there is a list, `checkLists` says. */
export function checkMembers(
  property: string,
  values: unknown,
  isChoice: (x: any) => boolean,
  makers: string,
  problems: Problems,
): void {
  // Spread, since forEach passes over the holes of a list.
  [...(isWritten(values) ? values : [])].forEach((value, index) => {
    if (!isChoice(value)) {
      problems.add(`${property}[${index}]`, `must be made by ${makers}`, value, MAKE_IT);
    }
  });
}

const MAKE_IT = "Call one of them";

/** Refuses what is neither true nor false. Tokens of that type there are none. */
export function checkFlag(property: string, value: unknown, remedy: string, problems: Problems): void {
  if (value !== undefined && typeof value !== "boolean") {
    problems.add(property, "must be true or false", value, remedy);
  }
}

/**
 * Refuses props that are none, and properties that they do not have, which untyped programs misspell and which would be
 * dropped without a word.
 *
 * `prefix` is the path of props within props, which may be left out. Without the others nothing else can be asked.
 */
export function checkProperties(
  props: unknown,
  known: { [property: string]: true },
  problems: Problems,
  prefix = "",
): void {
  if (!isRecord(props)) {
    if (prefix === "" || props !== undefined) {
      const example = `{ ${Object.keys(known)[0]}: … }`;
      const remedy = prefix === "" ? `Write ${example}` : `Write ${example}, or leave it out`;
      problems.add(prefix.slice(0, -1) || "props", "must be an object with properties", props, remedy);
    }
    return prefix === "" ? problems.fail() : undefined;
  }
  for (const property of Object.keys(props).filter((key) => !Object.hasOwn(known, key))) {
    problems.addText(`${prefix}${property}`, "is not a property of this construct. Correct its name, or remove it");
  }
}

/**
 * Refuses a token for a whole list: its length decides what is made. The members may be tokens.
 */
export function checkLists(props: object, properties: string[], problems: Problems): void {
  for (const property of properties) {
    const value = (props as { [property: string]: unknown })[property];
    if (value !== undefined && !isWritten(value)) {
      problems.add(
        property,
        "must be a list that is written out; its members may be tokens",
        value,
        "List the members one by one",
      );
    }
  }
}

/** Marks instances of a choice class, so that they are recognized across copies of the package without `instanceof`. */
export function mark(instance: object, marker: symbol): void {
  Object.defineProperty(instance, marker, { value: true });
}

export function isMarked(x: unknown, marker: symbol): boolean {
  return x !== null && typeof x === "object" && marker in x;
}

/** Refuses a token for a whole map: its keys decide what is made. The values may be tokens. */
export function checkMaps(props: object, properties: string[], problems: Problems): void {
  for (const property of properties) {
    const value = (props as { [property: string]: unknown })[property];
    if (value !== undefined && !isRecord(value)) {
      problems.add(
        property,
        "must be a map that is written out; its values may be tokens",
        value,
        "Write its keys and values out",
      );
    }
  }
}
