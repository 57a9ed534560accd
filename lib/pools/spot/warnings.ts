import { isKnown } from "../../internal/tokens";
import { Capacity, CapacityMarket } from "../capacity";
import { Bounds } from "../node-group/bounds";
import { LIFECYCLE_LABEL } from "../node-group/market";
import { NodeGroupPlan } from "../node-group/plan";
import { joinsByItself } from "../node-group/shape";
import { quotaWarnings } from "./quotas";
import { SpotSizes } from "./sizes";

/** Spot pools, that is types in zones, below which one that dries up takes most of the nodes along. */
const FEW_SPOT_POOLS = 3;

/** What is legal but seldom meant: texts for annotations. */
export function spotWarnings({ shape, subnets, labels, choices, bounds }: NodeGroupPlan, sizes: SpotSizes): string[] {
  return [
    ...(sizes.mostSpotNodes > 0 ? fewPools(shape.types.length, subnets.length) : withoutSpot(sizes)),
    ...unusedReservations(choices.baseCapacity, sizes),
    ...neverReturning(bounds, sizes),
    ...unknownMarket(shape.bottlerocket && !(LIFECYCLE_LABEL in labels), joinsByItself(shape.image)),
    ...quotaWarnings(shape.types, sizes),
  ];
}

function withoutSpot({ maxNodes, onDemandBase, spotPercentage }: SpotSizes): string[] {
  return [
    `spotPercentage: no node of ${maxNodes} is ever Spot (the first ${onDemandBase}, and ${100 - spotPercentage} % of the others, are On-Demand). Raise maxNodes or spotPercentage, or use an ElasticGpuNodePool`,
  ];
}

function unusedReservations(capacity: Capacity | undefined, { maxNodes, mostSpotNodes }: SpotSizes): string[] {
  if (capacity?.market !== CapacityMarket.RESERVATION) {
    return [];
  }
  const { instanceCount: count } = capacity;
  const onDemandNodes = maxNodes - mostSpotNodes;
  const remedy = "Raise onDemandBase, or lower spotPercentage";
  if (onDemandNodes === 0) {
    return [
      `baseCapacity: instances reserved can never be used, and are paid for, since all of ${maxNodes} nodes are Spot. ${remedy}`,
    ];
  }
  return count === undefined || !isKnown(count) || count <= onDemandNodes
    ? []
    : [
        `baseCapacity: ${count - onDemandNodes} of ${count} instances reserved can never be used, and are paid for, since ${onDemandNodes} of ${maxNodes} nodes are not Spot. ${remedy}`,
      ];
}

/** A group that is full looks the same to the alarm whether pods would find room in it or not. */
function neverReturning({ minNodes }: Bounds, { maxNodes, mostSpotNodes, returnMinutes }: SpotSizes): string[] {
  return mostSpotNodes > 0 && returnMinutes !== undefined && minNodes === maxNodes
    ? [
        `minNodes: a mixed group that always has maxNodes is always full, and no node that stands in is taken back before it is idle. Raise maxNodes, or lower minNodes`,
      ]
    : [];
}

function fewPools(types: number, zones: number): string[] {
  return types * zones >= FEW_SPOT_POOLS
    ? []
    : [
        `instanceTypes: ${types} ${types === 1 ? "type" : "types"} in ${zones} ${zones === 1 ? "zone" : "zones"} = ${types * zones} Spot ${types * zones === 1 ? "pool" : "pools"}, ` +
          `and fewer than ${FEW_SPOT_POOLS} dry up together. Add larger types of the same shape, or zones`,
      ];
}

function unknownMarket(bottlerocket: boolean, byItself: boolean): string[] {
  const why = bottlerocket
    ? "Bottlerocket has no script that asks the metadata service"
    : "an image that joins by its own user data sets its labels itself";
  return bottlerocket || byItself
    ? [
        `image: nodes get no label node-lifecycle, since ${why}: placeholders and spread constraints cannot tell Spot from On-Demand. Use EKS's AL2023 where that matters`,
      ]
    : [];
}
