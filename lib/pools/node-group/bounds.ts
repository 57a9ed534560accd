import { Problems, show } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";

export interface Bounds {
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly desiredNodes: number;
}

/** The sizes of a group with what was left out filled in: from zero, starting at the minimum. */
export function boundsOf(props: { minNodes?: number; maxNodes: number; desiredNodes?: number }): Bounds {
  const minNodes = props.minNodes ?? 0;
  return { minNodes, maxNodes: props.maxNodes, desiredNodes: props.desiredNodes ?? minNodes };
}

/** Sizes that may be tokens are left to AWS; a comparison is made where both sides are known. */
export function checkBounds({ minNodes, maxNodes, desiredNodes }: Bounds, problems: Problems): void {
  const sizes = [
    checkWhole("maxNodes", maxNodes, 1, "Set it to the most nodes that may ever run at once", problems),
    checkWhole("minNodes", minNodes, 0, "Leave it out for a pool that grows from zero", problems),
    // Left out, it is minNodes, of which the same was said.
    desiredNodes === minNodes ||
      // Left out, it is minNodes, of which a mistake is reported once.
      Object.is(desiredNodes, minNodes) ||
      checkWhole("desiredNodes", desiredNodes, 0, "Leave it out to start at minNodes", problems),
  ];
  if (sizes.includes(false)) {
    return;
  }
  const all = `minNodes ${show(minNodes)}, desiredNodes ${show(desiredNodes)}, maxNodes ${show(maxNodes)}`;
  const above = (a: number, b: number): boolean => isKnown([a, b]) && a > b;
  if (above(minNodes, maxNodes)) {
    problems.addText("minNodes", `must not be above maxNodes, got: ${all}. Lower minNodes or raise maxNodes`);
  } else if (above(desiredNodes, maxNodes)) {
    problems.addText("desiredNodes", `must not be above maxNodes, got: ${all}. Lower desiredNodes or raise maxNodes`);
  }
  if (above(minNodes, desiredNodes)) {
    problems.addText("desiredNodes", `must not be below minNodes, got: ${all}. Leave it out to start at minNodes`);
  }
}

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
    remedy,
  );
  return false;
}
