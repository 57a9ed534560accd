import { JoinMethod } from "../../accelerators";
import { isKnown } from "../../internal/tokens";
import { LIFECYCLE_LABEL } from "../node-group/market";
import { NodeGroupPlan } from "../node-group/plan";
import { quotaWarnings } from "./quotas";
import { SpotSizes } from "./sizes";

/** Spot pools, that is types in zones, below which one that dries up takes most of the nodes along. */
const FEW_SPOT_POOLS = 3;

/** What is legal but seldom meant: texts for annotations. */
export function spotWarnings({ shape, subnets, labels, choices }: NodeGroupPlan, sizes: SpotSizes): string[] {
  const zones = new Set(subnets.map((subnet) => subnet.availabilityZone)).size;
  return [
    ...(sizes.mostSpotNodes > 0 ? fewPools(shape.types.length, zones) : withoutSpot(sizes)),
    ...unusedReservations(choices.baseCapacity?.instanceCount, sizes),
    ...unknownMarket(
      shape.bottlerocket && !(LIFECYCLE_LABEL in labels),
      shape.image._join.name === JoinMethod.ownUserData().name,
    ),
    ...quotaWarnings(shape.types, sizes),
  ];
}

function withoutSpot({ maxNodes, onDemandBase, spotPercentage }: SpotSizes): string[] {
  return [
    `spotPercentage: no node of ${maxNodes} is ever Spot (the first ${onDemandBase}, and ${100 - spotPercentage} % of the others, are On-Demand). Raise maxNodes or spotPercentage, or use an ElasticGpuNodePool`,
  ];
}

function unusedReservations(count: number | undefined, { maxNodes, mostSpotNodes }: SpotSizes): string[] {
  const onDemandNodes = maxNodes - mostSpotNodes;
  return count === undefined || !isKnown(count) || count <= onDemandNodes
    ? []
    : [
        `baseCapacity: ${count - onDemandNodes} of ${count} instances reserved can never be used, and are paid for, since ${onDemandNodes} of ${maxNodes} nodes are not Spot. Raise onDemandBase, or lower spotPercentage`,
      ];
}

function fewPools(types: number, zones: number): string[] {
  return types * zones >= FEW_SPOT_POOLS
    ? []
    : [
        `instanceTypes: ${types} ${types === 1 ? "type" : "types"} in ${zones} ${zones === 1 ? "zone" : "zones"} = ${types * zones} Spot ${types * zones === 1 ? "pool" : "pools"}, ` +
          `and fewer than ${FEW_SPOT_POOLS} dry up together. Add larger types of the same shape, or zones`,
      ];
}

function unknownMarket(bottlerocket: boolean, joinsByItself: boolean): string[] {
  const why = bottlerocket
    ? "Bottlerocket has no script that asks the metadata service"
    : "an image that joins by its own user data sets its labels itself";
  return bottlerocket || joinsByItself
    ? [
        `image: nodes get no label node-lifecycle, since ${why}: placeholders and spread constraints cannot tell Spot from On-Demand. Use EKS's AL2023 where that matters`,
      ]
    : [];
}
