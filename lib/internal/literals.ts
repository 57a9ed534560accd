import { show } from "./problems";
import { isKnown } from "./tokens";

/**
 * What is wrong with a number that is calculated with at synth, where a token has no value yet. None: nothing.
 *
 * For makers and methods, which know no construct that a problem could belong to: `call` is what the user wrote.
 */
export function literalProblems(
  call: string,
  name: string,
  value: unknown,
  least: number,
  remedy: string,
  most = Infinity,
): string[] {
  // CDKTF's number tokens do not pass either: they are far beyond the whole numbers that are safe.
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most) {
    return [];
  }
  const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
  const instead = isKnown(value) ? remedy : "Write the number out: it is calculated with at synth";
  return [`${call}(): ${name} must be a whole number ${range}, got: ${show(value)}. ${instead}`];
}
