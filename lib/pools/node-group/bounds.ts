import { checkWhole } from "../../internal/numbers";
import { Problems, show } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";

export interface Bounds {
  readonly minNodes: number;
  readonly maxNodes: number;
  readonly desiredNodes: number;
}

/** The sizes of a group with what was left out filled in: from zero, starting at the minimum. */
export function boundsOf(props: { minNodes?: number; maxNodes: number; desiredNodes?: number }): Bounds {
  const { maxNodes, minNodes = 0, desiredNodes = minNodes } = props;
  return { minNodes, maxNodes, desiredNodes };
}

export function checkMaxNodes(maxNodes: unknown, problems: Problems): boolean {
  return checkWhole("maxNodes", maxNodes, 1, "Set it to the most nodes that may ever run at once", problems);
}

/** Sizes that may be tokens are left to AWS; a comparison is made where both sides are known. */
export function checkBounds({ minNodes, maxNodes, desiredNodes }: Bounds, problems: Problems): void {
  const sizes = [
    checkMaxNodes(maxNodes, problems),
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
