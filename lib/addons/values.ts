import { Token } from "cdktf";
import { Problems } from "../internal/problems";
import { isKnown } from "../internal/tokens";

/** Values of a chart. */
export interface Values {
  readonly [key: string]: any;
}

/** One set of values over another: maps are merged, all else is replaced, lists too. */
export function mergeValues(base: Values, over: Values): Values {
  const merged: { [key: string]: any } = { ...base };
  for (const [key, value] of Object.entries(over)) {
    // What is undefined says nothing; null is Helm's word for a default that is taken away.
    if (value !== undefined) {
      merged[key] = isMap(merged[key]) && isMap(value) ? mergeValues(merged[key], value) : value;
    }
  }
  return merged;
}

/** A map that is written out; one that is a token can only be taken whole. */
function isMap(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}

/** A value that other resources rely on, or that has a property of its own. */
export interface OwnedValue {
  readonly path: string[];
  readonly remedy: string;
}

/** Refuses values that would undo what the construct ties together. */
export function checkOwned(values: Values, owned: OwnedValue[], problems: Problems): void {
  for (const { path, remedy } of owned) {
    const found = path.reduce<unknown>((at, key) => (isMap(at) ? at[key] : undefined), values);
    if (found !== undefined) {
      problems.add(`values.${path.join(".")}`, "must be left out: the construct sets it", found, remedy);
    }
  }
}

/** Refuses what has no place in a JSON document, and would vanish from it or become something else. */
export function checkJson(property: string, value: unknown, problems: Problems): void {
  if (value === undefined || value === null || Token.isUnresolved(value)) {
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((member, index) => checkJson(`${property}[${index}]`, member, problems));
  } else if (typeof value === "object" && isPlain(value)) {
    for (const [key, member] of Object.entries(value)) {
      checkJson(`${property}.${isKnown(key) ? key : "<token>"}`, member, problems);
    }
  } else if (!["string", "boolean"].includes(typeof value) && !Number.isFinite(value)) {
    problems.addText(
      property,
      `must be text, a number, true, false, null, a list or a map, got: ${describe(value)}. Write what the chart's values.yaml would hold`,
    );
  }
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === "function") {
    return "a function";
  }
  return typeof value === "object" ? `an instance of ${value?.constructor?.name}` : String(value);
}
