import { DrainBudget } from "../../cluster";
import { onDemandPart } from "../../cluster/purchase-plan";
import { SpotWithFallbackProps } from "../spot-with-fallback-props";

/** Defaults (the library's own): two nodes outlast any reclaim, and a shortage is no blip after three minutes. */
const ON_DEMAND_BASE = 2;
const SPOT_PERCENTAGE = 80;
const THRESHOLD_PERCENTAGE = 60;
const EVALUATION_MINUTES = 3;
const RETURN_MINUTES = 15;

/** The numbers of both groups, with what was left out filled in. */
export interface SpotSizes {
  readonly maxNodes: number;
  readonly onDemandBase: number;
  readonly spotPercentage: number;
  /** Spot nodes at `maxNodes`. */
  readonly mostSpotNodes: number;
  readonly thresholdPercentage: number;
  readonly evaluationMinutes: number;
  readonly fallbackMinNodes: number;
  readonly fallbackMaxNodes: number;
  /** Undefined: nodes that stand in are never taken back. */
  readonly returnMinutes?: number;
  /** How long pods have to leave. */
  readonly drain: DrainBudget;
}

export function sizesOf({ maxNodes, fallback = {}, ...props }: SpotWithFallbackProps): SpotSizes {
  const { onDemandBase = Math.min(ON_DEMAND_BASE, maxNodes), spotPercentage = SPOT_PERCENTAGE } = props;
  const mostSpotNodes = maxNodes - onDemandPart(maxNodes, onDemandBase, spotPercentage);
  return {
    maxNodes,
    onDemandBase,
    spotPercentage,
    mostSpotNodes,
    thresholdPercentage: fallback.thresholdPercentage ?? THRESHOLD_PERCENTAGE,
    evaluationMinutes: fallback.evaluationMinutes ?? EVALUATION_MINUTES,
    fallbackMinNodes: fallback.minNodes ?? 0,
    // Also where no node is ever Spot, which is a warning: the form of every group wants one.
    fallbackMaxNodes: fallback.maxNodes ?? Math.max(1, mostSpotNodes),
    returnMinutes: fallback.returnToSpot === undefined ? RETURN_MINUTES : fallback.returnToSpot.minutes,
    drain: props.drain ?? DrainBudget.inference(),
  };
}
