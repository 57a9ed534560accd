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

/** Marks instances of a choice class, so that they are recognized across copies of the package without `instanceof`. */
export function mark(instance: object, marker: symbol): void {
  Object.defineProperty(instance, marker, { value: true });
}

export function isMarked(x: unknown, marker: symbol): boolean {
  return x !== null && typeof x === "object" && marker in x;
}
