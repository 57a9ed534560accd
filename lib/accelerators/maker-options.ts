/** What a maker takes, and what of it must be given. The type holds the table against the options themselves. */
export type MakerOptions<Options> = {
  readonly [option in keyof Required<Options>]: object extends Pick<Options, option> ? "optional" : "required";
};

/** What is missing was nearly always to come from outside of the program. */
const WHENCE = "Check where it comes from, such as an environment variable that is not set";

/**
 * Refuses an argument that is missing.
 *
 * Makers refuse at once: what is made without it would pass for another choice, and nobody could tell later what was meant.
 */
export function checkArgument(maker: string, argument: string, value: unknown): void {
  if (value === undefined || value === null) {
    throw new Error(`${maker}(): ${missing(argument, value)}`);
  }
}

/** Refuses options that are missing, that a maker does not have, or that are no options at all. */
export function checkOptions(
  maker: string,
  options: unknown,
  known: { readonly [option: string]: "optional" | "required" },
): void {
  const names = Object.keys(known);
  const required = names.filter((name) => known[name] === "required");
  if (!isRecord(options)) {
    const example = (required.length > 0 ? required : names).map((name) => `${name}: …`).join(", ");
    throw new Error(`${maker}(): options must be an object, got: ${shown(options)}. Write { ${example} }`);
  }
  const problems = [
    ...Object.keys(options)
      .filter((name) => !names.includes(name))
      .map(
        (name) =>
          `${name} is not an option of ${maker}(), which takes ${enumerated(names)}. Correct its name, or remove it`,
      ),
    ...required
      .filter((name) => options[name] === undefined || options[name] === null)
      .map((name) => `${maker}(): ${missing(name, options[name])}`),
    ...names
      .filter((name) => known[name] === "optional" && options[name] === null)
      .map((name) => `${maker}(): ${name} must have a value where it is given, got: null. Leave it out`),
  ];
  if (problems.length > 0) {
    throw new Error(problems.join("\n"));
  }
}

/** Refuses a value of an option that is none of those that it can have. */
export function checkOneOf(maker: string, option: string, value: unknown, isOne: boolean, allowed: string): void {
  if (!isOne) {
    throw new Error(`${maker}(): ${option} must be ${allowed}, got: ${shown(value)}. Use one of them`);
  }
}

/** A value as its writer would recognise it: text in quotes, so that "4" is not taken for 4. */
export function shown(value: unknown): string {
  if (typeof value === "string") {
    // The mark by which CDKTF knows its tokens within text.
    return value.includes("{TfToken[") ? "a token" : JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(shown).join(", ")}]`;
  }
  return value !== null && typeof value === "object" ? `an object (${value.constructor?.name})` : String(value);
}

function missing(name: string, value: unknown): string {
  return `${name} must be given, got: ${value}. ${WHENCE}`;
}

/** Neither a list nor a Map, nor anything else whose contents are not its properties. */
function isRecord(value: unknown): value is { [key: string]: unknown } {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function enumerated(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
