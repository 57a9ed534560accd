import { DrainBudget, NodeTaint, NodeTier, PurchasePlan } from "../../cluster";
import { NAME_LIMITS } from "../../internal/names";
import { isKnown } from "../../internal/tokens";
import { Capacity, CapacityMarket } from "../capacity";
import { NodeGroupType } from "../elastic-gpu-node-pool-props";
import { GroupChoices } from "../node-group/choices";
import { LIFECYCLE_LABEL } from "../node-group/market";
import { NodeGroupPlan } from "../node-group/plan";
import { SpotWithFallbackProps } from "../spot-with-fallback-props";
import { WATCHED_OF_FALLBACK, WATCHED_OF_MIXED } from "./metrics";
import { SpotSizes } from "./sizes";

/** Minutes after which an idle node that stands in goes; the autoscaler waits twice as long with others. */
const FALLBACK_UNNEEDED_MINUTES = 5;

/** Keeps pods away from nodes that stand in as long as there is room elsewhere. */
export const FALLBACK_TAINT = NodeTaint.preferNoSchedule("node-tier", NodeTier.FALLBACK);

/** Labels that the groups have each with a value of its own, and the user never. */
const OF_EACH_GROUP = [FALLBACK_TAINT.key, LIFECYCLE_LABEL];

/** What the name of the pool is followed by in that of the group that stands in. */
const FALLBACK_SUFFIX = "-fallback";

/** The group that is asked first: a base of On-Demand, and Spot above it. */
export function mixedChoices(
  props: SpotWithFallbackProps,
  { onDemandBase, spotPercentage, drain }: SpotSizes,
  ownLabels: { [key: string]: string },
): GroupChoices {
  return {
    ...common(props, drain, ownLabels),
    purchasePlan: PurchasePlan.mixed({
      onDemandBase,
      spotPercentage,
      reservedNodes: reservedNodes(props.baseCapacity, onDemandBase),
    }),
    // The handler drains a node that EC2 expects to take soon, and a new one must come.
    capacityRebalance: spotPercentage > 0,
    enabledMetrics: WATCHED_OF_MIXED,
    namedAfter: [
      {
        what: "the launch template of the nodes that stand in",
        suffix: FALLBACK_SUFFIX,
        limit: NAME_LIMITS.launchTemplate,
      },
    ],
    maxNodesIsFinal: true,
  };
}

/** The group that stands in: On-Demand, from zero, last in and first out. */
export function fallbackChoices(
  props: SpotWithFallbackProps,
  { fallbackMinNodes, fallbackMaxNodes, drain }: SpotSizes,
  ownLabels: { [key: string]: string },
): GroupChoices {
  const unneeded = props.scaleDown?.unneededMinutes ?? FALLBACK_UNNEEDED_MINUTES;
  return {
    ...common(props, drain, ownLabels),
    // What of the pool's properties is refused is refused once: with the mixed group.
    labels:
      props.labels && Object.fromEntries(Object.entries(props.labels).filter(([key]) => !OF_EACH_GROUP.includes(key))),
    baseCapacity: undefined,
    name: undefined,
    minNodes: Math.min(fallbackMinNodes, fallbackMaxNodes),
    maxNodes: fallbackMaxNodes,
    desiredNodes: undefined,
    tier: NodeTier.FALLBACK,
    taints: [...(props.taints ?? []).filter(({ key }) => key !== FALLBACK_TAINT.key), FALLBACK_TAINT],
    scaleDown: {
      ...props.scaleDown,
      unneededMinutes: unneeded < FALLBACK_UNNEEDED_MINUTES ? unneeded : FALLBACK_UNNEEDED_MINUTES,
    },
    enabledMetrics: WATCHED_OF_FALLBACK,
  };
}

/** The plan under its own name. It is made without one: role and profile, whose names are shorter, are the pool's. */
export function namedFallback(plan: NodeGroupPlan, poolName: string | undefined): NodeGroupPlan {
  const name = poolName === undefined ? undefined : `${poolName}${FALLBACK_SUFFIX}`;
  return { ...plan, choices: { ...plan.choices, name, nameMadeFrom: poolName } };
}

/** What only this construct has means nothing to a group. */
function common(props: SpotWithFallbackProps, drain: DrainBudget, ownLabels: { [key: string]: string }): GroupChoices {
  return { ...props, nodeGroupType: NodeGroupType.SELF_MANAGED, ownLabels, drain };
}

function reservedNodes(capacity: Capacity | undefined, onDemandBase: number): number | undefined {
  if (capacity?.market !== CapacityMarket.RESERVATION) {
    return undefined;
  }
  const { instanceCount } = capacity;
  return instanceCount !== undefined && isKnown(instanceCount) ? instanceCount : onDemandBase;
}
