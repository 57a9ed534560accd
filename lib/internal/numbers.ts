import { Problems } from "./problems";
import { isKnown } from "./tokens";

/** Whether a number is whole and within bounds; a token is. */
export function checkWhole(
  property: string,
  value: unknown,
  least: number,
  remedy: string,
  problems: Problems,
  most = Infinity,
): boolean {
  if (
    typeof value === "number" &&
    (!isKnown(value) || (Number.isSafeInteger(value) && value >= least && value <= most))
  ) {
    return true;
  }
  problems.add(
    property,
    `must be a whole number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}`,
    value,
    isKnown(value) ? remedy : "Use numberValue of the variable, or Token.asNumber()",
  );
  return false;
}
