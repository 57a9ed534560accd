import { IConstruct } from "constructs";

/** Something of which a construct, such as a stack or the app, has one: made when it is first asked for, by whichever copy of the package. */
export function once<T>(holder: IConstruct, key: symbol, make: () => T): T {
  const made = holder as IConstruct & { [key: symbol]: T | undefined };
  if (made[key] === undefined) {
    Object.defineProperty(holder, key, { value: make() });
  }
  return made[key] as T;
}
