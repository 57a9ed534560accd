import { INodePool, NodeTier } from "../../cluster";
import { checkProperties } from "../../internal/choices";
import { Problems } from "../../internal/problems";
import { checkTextTokens } from "../../internal/texts";
import { isKnown } from "../../internal/tokens";
import { AutoscalerPriority } from "./cluster-autoscaler-props";

/** From the surest of no further costs to the last resort; the Cluster Autoscaler takes the highest number that can help. */
const TIERS: { readonly tier: NodeTier; readonly priority: number }[] = [
  { tier: NodeTier.RESERVED, priority: 40 },
  { tier: NodeTier.SPOT, priority: 30 },
  { tier: NodeTier.ON_DEMAND, priority: 20 },
  { tier: NodeTier.FALLBACK, priority: 10 },
];

/** Groups that no expression matches would never grow. */
const ALL_OTHERS: AutoscalerPriority = { priority: 1, groups: [".*"] };

/** The pools by tier, the preferred first; tiers without pools are left out. */
export function poolsByTier(pools: INodePool[]): INodePool[][] {
  return TIERS.map(({ tier }) => pools.filter((pool) => pool.nodeTier === tier)).filter((ofTier) => ofTier.length > 0);
}

/** What capacity is paid for already comes first, then what is cheap, then what is sure, and last what stands in. */
export function prioritiesOf(pools: INodePool[]): AutoscalerPriority[] {
  return TIERS.map(({ tier, priority }) => ({
    priority,
    groups: pools.filter((pool) => pool.nodeTier === tier).map((pool) => pool.autoscalingGroupPattern),
  })).filter(({ groups }) => groups.length > 0);
}

/**
 * The document of the priority expander: YAML, with numbers for keys, which JSON does not have.
 *
 * It ends with all other groups, such as those of CPU nodes.
 */
export function priorityDocument(priorities: AutoscalerPriority[]): string {
  const complete = priorities.some(({ groups }) => groups.includes(".*")) ? priorities : [...priorities, ALL_OTHERS];
  return [...complete]
    .sort((one, other) => other.priority - one.priority)
    .flatMap(({ priority, groups }) => [`${priority}:`, ...groups.map((group) => `  - ${JSON.stringify(group)}`)])
    .join("\n");
}

const PROPERTIES: { [property in keyof AutoscalerPriority]: true } = { priority: true, groups: true };

export function checkPriorities(priorities: AutoscalerPriority[], problems: Problems): void {
  const seen = new Set<number>();
  [...priorities].forEach((each, index) => {
    const property = `priorities[${index}]`;
    const before = problems.count;
    checkProperties(each ?? null, PROPERTIES, problems, `${property}.`);
    if (problems.count > before) {
      return;
    }
    const { priority, groups } = each;
    if (!Number.isSafeInteger(priority) || priority < 1) {
      problems.add(`${property}.priority`, "must be a whole number of at least 1", priority, "The highest goes first");
    } else if (seen.has(priority)) {
      problems.add(`${property}.priority`, "must be given once", priority, "List its groups together");
    }
    seen.add(priority);
    if (!Array.isArray(groups) || groups.length === 0) {
      problems.add(
        `${property}.groups`,
        "must name at least one expression",
        groups,
        "Add one, or remove the priority",
      );
      return;
    }
    groups.forEach((group, at) => checkExpression(`${property}.groups[${at}]`, group, problems));
  });
}

/** Go knows neither lookarounds nor back references, and the autoscaler falls back to chance where one does not compile. */
function checkExpression(property: string, expression: unknown, problems: Problems): void {
  if (!checkTextTokens(property, expression, problems) || !isKnown(expression)) {
    return;
  }
  if (typeof expression !== "string" || !compiles(expression) || /\(\?<?[=!]|\\[1-9]/.test(expression)) {
    problems.add(
      property,
      "must be a regular expression of Go (RE2), for the name of an Auto Scaling group",
      expression,
      "Correct it; a pool's is autoscalingGroupPattern",
    );
  }
}

function compiles(expression: string): boolean {
  try {
    new RegExp(expression);
    return expression !== "";
  } catch {
    return false;
  }
}
