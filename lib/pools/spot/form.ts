import { IConstruct } from "constructs";
import { DrainBudget } from "../../cluster";
import { checkChoice, checkProperties } from "../../internal/choices";
import { checkWhole } from "../../internal/numbers";
import { list, Problems, show } from "../../internal/problems";
import { checkProvider } from "../../internal/resource-options";
import { checkText } from "../../internal/texts";
import { isKnown } from "../../internal/tokens";
import { Capacity, CapacityMarket } from "../capacity";
import { Headroom } from "../headroom";
import { checkImages } from "../node-group/boot/prepull-images";
import { MOST_RESERVED } from "../node-group/capacity-checks";
import { MULTI_TYPE_PROPERTIES } from "../node-group/form-checks";
import { SpotAllocationStrategy } from "../spot-allocation-strategy";
import { SpotReturn } from "../spot-return";
import { SpotFallback, SpotWithFallbackProps } from "../spot-with-fallback-props";

/** The type makes sure that none is missing. */
const PROPERTIES: { [property in keyof Required<SpotWithFallbackProps>]: true } = {
  ...MULTI_TYPE_PROPERTIES,
  onDemandBase: true,
  spotPercentage: true,
  spotAllocationStrategy: true,
  baseCapacity: true,
  fallback: true,
  headroom: true,
  drain: true,
  images: true,
  notificationTopicArn: true,
  updatePolicy: true,
  kubernetesProvider: true,
};

const OF_FALLBACK: { [property in keyof Required<SpotFallback>]: true } = {
  thresholdPercentage: true,
  evaluationMinutes: true,
  minNodes: true,
  maxNodes: true,
  returnToSpot: true,
};

const TRAINING = "Nodes that work together belong into an ElasticGpuNodePool with Capacity.onDemand() or a reservation";
const WEIGHTS =
  "must be left out: the Cluster Autoscaler counts nodes, and takes one of weight 2 for two. Use types that count alike";

/** What other pools and Auto Scaling groups have and this one must not, with the reason. */
const NEVER: { [property: string]: string } = {
  placement: `must be left out: Spot requests for one placement group land in several zones and are refused, and one reclaim stops the whole job. ${TRAINING}`,
  efa: `must be left out: with EFA nodes work together, and one reclaim stops the whole job. ${TRAINING}`,
  capacity:
    "must be left out, since both groups have their own. Use onDemandBase, spotPercentage and baseCapacity, or an ElasticGpuNodePool",
  nodeGroupType:
    "must be left out: EKS does not mix On-Demand and Spot in a managed node group, so that both groups are self-managed. Remove it",
  nodeRepair: "must be left out: EKS does not repair the nodes of self-managed groups. Remove it",
  weights: WEIGHTS,
  weightedCapacity: WEIGHTS,
  spotInstancePools:
    "must be left out: it belongs to the strategy lowest-price, whose nodes are reclaimed most often. Remove it",
  spotMaxPrice:
    "must be left out: below the On-Demand price, which is the limit anyway, nodes are reclaimed more often. Remove it",
  warm: "must be left out: EC2 keeps no Spot instances in a warm pool. Use headroom",
  warmPool: "must be left out: EC2 keeps no Spot instances in a warm pool. Use headroom",
};

/** Refuses properties that it does not have. Without props nothing else can be asked. */
export function checkOwnProperties(props: unknown, problems: Problems): void {
  const never = Object.keys(NEVER);
  checkProperties(props, { ...PROPERTIES, ...Object.fromEntries(never.map((key) => [key, true as const])) }, problems);
  const given = props as { [property: string]: unknown };
  never
    .filter((property) => given[property] !== undefined)
    .forEach((property) => problems.addText(property, NEVER[property]));
}

/** The properties of which more is to be asked than whether they may be there. */
export function withoutNever(props: SpotWithFallbackProps): SpotWithFallbackProps {
  return Object.fromEntries(
    Object.entries(props).filter(([property]) => !Object.hasOwn(NEVER, property)),
  ) as unknown as SpotWithFallbackProps;
}

/** Refuses values of the wrong form, about which nothing else can be asked. */
export function checkOwnForm(scope: IConstruct, props: SpotWithFallbackProps, problems: Problems): void {
  const { fallback } = props;
  checkProperties(fallback, OF_FALLBACK, problems, "fallback.");
  checkNumbers(props, problems);
  const strategies = Object.values(SpotAllocationStrategy);
  const strategy = props.spotAllocationStrategy;
  if (strategy !== undefined && !strategies.includes(strategy)) {
    problems.add(
      "spotAllocationStrategy",
      `must be ${list(strategies.map(show)).replace(" and ", " or ")}`,
      strategy,
      "Choose one of SpotAllocationStrategy, or leave it out",
    );
  }
  const { returnToSpot } = fallback ?? {};
  const returns = "SpotReturn.every() or .off()";
  if (checkChoice("fallback.returnToSpot", returnToSpot, SpotReturn.isSpotReturn, returns, problems)) {
    const remedy = "Use SpotReturn.off() where no node is to be taken";
    if (returnToSpot?.minutes !== undefined) {
      checkLiteral("fallback.returnToSpot", returnToSpot.minutes, 1, remedy, problems, MINUTES_A_DAY);
    }
  }
  if (checkChoice("headroom", props.headroom, Headroom.isHeadroom, "Headroom.nodes()", problems) && props.headroom) {
    checkWhole("headroom", props.headroom.nodeCount, 1, "Leave it out for none", problems);
  }
  const budgets = "DrainBudget.inference(), .training() or .tightTraining()";
  checkChoice("drain", props.drain, DrainBudget.isDrainBudget, budgets, problems);
  checkBaseCapacity(props.baseCapacity, problems);
  checkImages(props.images, problems);
  checkProvider(scope, "kubernetesProvider", props.kubernetesProvider, "kubernetes", problems);
}

/** CloudWatch evaluates at most a day (PutMetricAlarm). */
const MINUTES_A_DAY = 1440;

function checkNumbers(
  { maxNodes, onDemandBase, spotPercentage, fallback }: SpotWithFallbackProps,
  problems: Problems,
): void {
  // Where it is missing, the form of every pool says so.
  if (maxNodes !== undefined) {
    checkLiteral("maxNodes", maxNodes, 1, "Set it to the most nodes that the mixed group may have", problems);
  }
  const { thresholdPercentage, evaluationMinutes, minNodes, maxNodes: most } = fallback ?? {};
  if (onDemandBase !== undefined) {
    checkLiteral("onDemandBase", onDemandBase, 0, "Give 0 where every node may be Spot", problems);
  }
  if (spotPercentage !== undefined) {
    checkLiteral("spotPercentage", spotPercentage, 0, "Give 80 for four of five nodes above the base", problems, 100);
  }
  if (evaluationMinutes !== undefined) {
    const remedy = "The sizes of groups are measured once a minute; leave it out for 3";
    checkLiteral("fallback.evaluationMinutes", evaluationMinutes, 1, remedy, problems, MINUTES_A_DAY);
  }
  if (minNodes !== undefined) {
    checkLiteral("fallback.minNodes", minNodes, 0, "Leave it out for none while Spot can be had", problems);
  }
  if (most !== undefined) {
    checkLiteral("fallback.maxNodes", most, 1, "Leave it out for the Spot nodes at maxNodes", problems);
  }
  if (thresholdPercentage !== undefined) {
    const remedy = "Give 60 for nodes to stand in where fewer than three of five Spot nodes can be had";
    checkLiteral("fallback.thresholdPercentage", thresholdPercentage, 1, remedy, problems, 100);
  }
}

const NOT_A_TOKEN =
  "must be a literal number, because steps and expressions of the alarms are made from it, got: a token. Write it out";

function checkLiteral(
  property: string,
  value: number,
  least: number,
  remedy: string,
  problems: Problems,
  most?: number,
): void {
  if (!isKnown(value)) {
    problems.addText(property, NOT_A_TOKEN);
  } else {
    checkWhole(property, value, least, remedy, problems, most);
  }
}

function checkBaseCapacity(capacity: Capacity | undefined, problems: Problems): void {
  const makers = "Capacity.onDemand(), .reservation() or .reservationGroup()";
  if (!checkChoice("baseCapacity", capacity, Capacity.isCapacity, makers, problems) || capacity === undefined) {
    return;
  }
  if (capacity.market === CapacityMarket.SPOT || capacity.market === CapacityMarket.CAPACITY_BLOCK) {
    problems.addText(
      "baseCapacity",
      `must be ${makers}, because it is what outlasts a reclaim and has no end, got: ${capacity.market}. Use one of them`,
    );
  }
  if (capacity.instanceCount !== undefined) {
    const remedy = "Give the instances reserved";
    checkWhole("baseCapacity.instanceCount", capacity.instanceCount, 1, remedy, problems, MOST_RESERVED);
  }
  checkText("baseCapacity.reservationId", capacity.reservationId, problems);
  checkText("baseCapacity.resourceGroupArn", capacity.resourceGroupArn, problems);
}
