import { Token } from "cdktf";
import { Problems } from "./problems";

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
  problems.add(property, `must be made by ${makers}`, value, `Call one of them`);
  return false;
}

/**
 * Refuses properties that the props do not have, which untyped programs misspell and which would be dropped without a word.
 */
export function checkProperties(
  props: object,
  known: { [property: string]: true },
  problems: Problems,
  prefix = "",
): void {
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
    if (value !== undefined && (!Array.isArray(value) || Token.isUnresolved(value))) {
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
    const written = typeof value === "object" && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
    if (value !== undefined && !written) {
      problems.add(
        property,
        "must be a map that is written out; its values may be tokens",
        value,
        "Write its keys and values out",
      );
    }
  }
}
