import { Token } from "cdktf";
import { IConstruct } from "constructs";
import { isKnown, withTextNumbers } from "./tokens";

/**
 * Collects everything that is wrong with one construct, so that a user reads it once and mends it once.
 *
 * Every line names the construct path and the property, says what is allowed, what was got, and what to do.
 */
export class Problems {
  readonly lines: string[] = [];

  constructor(private readonly scope: IConstruct) {}

  /** `rule` reads on from the property's name ("must be ..."); `remedy` is an instruction. */
  add(property: string, rule: string, got: unknown, remedy: string): void {
    this.addText(property, `${rule}, got: ${show(got)}. ${remedy}`);
  }

  /** For texts that were made elsewhere, by code which knows neither construct nor property. */
  addText(property: string, text: string): void {
    // An id that is a token is refused, too, and its reader has not written the marks of it.
    const path = withTextNumbers(this.scope.node.path).replace(/\$\{TfToken\[[^\]]*\]\}/g, "<token>");
    this.lines.push(`${path}: ${property}: ${text}`);
  }

  /** For checks that are made a second time of the same construct; `adopt` brings what they find. */
  another(): Problems {
    return new Problems(this.scope);
  }

  /**
   * Adds what was found by checks that were made a second time, each line once. Where they differ in what was counted
   * alone, the larger number is the one to come down from.
   */
  adopt({ lines }: Problems): void {
    for (const line of lines) {
      const { rule, count } = counted(line);
      const index = this.lines.findIndex((each) => each === line || (count >= 0 && counted(each).rule === rule));
      if (index < 0) {
        this.lines.push(line);
      } else if (count > counted(this.lines[index]).count) {
        this.lines[index] = line;
      }
    }
  }

  get count(): number {
    return this.lines.length;
  }

  throwIfAny(): void {
    if (this.count > 0) {
      this.fail();
    }
  }

  fail(): never {
    throw new Error(this.lines.join("\n"));
  }
}

/** A line without the number that was got, and that number; -1 where it was something else. */
function counted(line: string): { rule: string; count: number } {
  const [, before, digits, after] = /^(.*, got: "?)(\d+)((?: \w+)?"?\. .*)$/.exec(line) ?? [];
  return digits === undefined ? { rule: line, count: -1 } : { rule: `${before}${after}`, count: Number(digits) };
}

/**
 * A value as a user would recognize it: text in quotes, numbers as they are, objects as JSON, tokens by that word.
 *
 * Instances of classes are shown by their class: a Map would be empty as JSON, and constructs refer to each other in circles.
 */
export function show(value: unknown): string {
  if (isInstance(value)) {
    return `an instance of ${value.constructor.name}`;
  }
  if (!isKnown(value)) {
    return "a token";
  }
  if (typeof value === "number" || value === undefined || value === null) {
    return String(value);
  }
  return JSON.stringify(value) ?? String(value);
}

function isInstance(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || Token.isUnresolved(value)) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** "a", "a and b", "a, b and c". */
export function list(items: string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}
