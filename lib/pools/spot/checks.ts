import { AcceleratorType } from "../../accelerators";
import { SPOT_NOTICE_SECONDS } from "../../cluster/drain-budget";
import { regionOf } from "../../cluster/zones";
import { checkTopicArn } from "../../internal/alert-topic";
import { Problems, show } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { CapacityFacts, checkReservation } from "../node-group/capacity-checks";
import { SpotWithFallbackProps } from "../spot-with-fallback-props";
import { FALLBACK_TAINT } from "./choices";
import { SpotSizes } from "./sizes";

/** What is asked about the numbers together, and about the types. */
export function checkSpot(
  props: SpotWithFallbackProps,
  sizes: SpotSizes,
  { types, zones }: CapacityFacts,
  problems: Problems,
): void {
  checkSizes(props, sizes, problems);
  checkFallback(props, sizes, problems);
  checkFallbackTaint(props, problems);
  if (sizes.mostSpotNodes > 0) {
    checkReclaimable(sizes, types, problems);
  }
  if (props.baseCapacity !== undefined) {
    checkReservation("baseCapacity", props.baseCapacity, zones, problems);
  }
  // Without a zone something else is wrong.
  if (zones.length > 0) {
    checkTopicArn("notificationTopicArn", props.notificationTopicArn, regionOf(zones[0]), problems);
  }
}

function checkReclaimable({ drain }: SpotSizes, types: AcceleratorType[], problems: Problems): void {
  const never = types.filter((type) => !type.supportsSpot).map((type) => type.instanceType);
  if (never.length > 0) {
    problems.add(
      "instanceTypes",
      "must not be types that are never sold as Spot",
      never.join(", "),
      "Remove them, or use an ElasticGpuNodePool with Capacity.onDemand()",
    );
  }
  const tooLong = drain._problemFor(SPOT_NOTICE_SECONDS);
  if (tooLong !== undefined) {
    problems.addText("drain", tooLong);
  }
}

/** What nodes that stand in are tainted by leaves less to the user. */
function checkFallbackTaint({ taints = [] }: SpotWithFallbackProps, problems: Problems): void {
  const taken = taints.find(({ key }) => key === FALLBACK_TAINT.key);
  if (taken) {
    problems.add(
      `taints[${show(taken.key)}]`,
      "must be left out, since nodes that stand in have a taint with this key",
      taken.value,
      "Use a key of your own",
    );
  }
}

function checkSizes({ headroom }: SpotWithFallbackProps, sizes: SpotSizes, problems: Problems): void {
  const { onDemandBase, maxNodes } = sizes;
  if (onDemandBase > maxNodes) {
    problems.add(
      "onDemandBase",
      "must not be above maxNodes",
      `${onDemandBase} of ${maxNodes}`,
      "Lower it or raise maxNodes",
    );
  }
  const held = headroom?.nodeCount;
  if (held !== undefined && isKnown(held) && held > maxNodes) {
    problems.add(
      "headroom",
      "must not be above maxNodes, since nodes are held within them",
      `${held} of ${maxNodes}`,
      "Lower it or raise maxNodes",
    );
  }
}

function checkFallback({ fallback }: SpotWithFallbackProps, sizes: SpotSizes, problems: Problems): void {
  const { onDemandBase, maxNodes, spotPercentage, mostSpotNodes, fallbackMinNodes, fallbackMaxNodes } = sizes;
  if (fallbackMinNodes > fallbackMaxNodes) {
    problems.add(
      "fallback.minNodes",
      "must not be above fallback.maxNodes",
      `${fallbackMinNodes} of ${fallbackMaxNodes}`,
      "Lower it or raise fallback.maxNodes",
    );
  }
  if (fallback?.maxNodes !== undefined && fallbackMaxNodes < mostSpotNodes && onDemandBase <= maxNodes) {
    problems.add(
      "fallback.maxNodes",
      `must be at least the ${mostSpotNodes} Spot nodes that the pool asks for at maxNodes (${maxNodes} nodes, the first ${onDemandBase} and ${100 - spotPercentage} % of the others On-Demand), or a shortage leaves a gap that nobody fills`,
      fallbackMaxNodes,
      `Raise it to ${mostSpotNodes}, leave it out, or lower maxNodes`,
    );
  }
}
