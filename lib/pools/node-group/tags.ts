import { Problems, show } from "../../internal/problems";
import { checkTag, checkTagKeys, checkTagMap } from "../../internal/tags";
import { CostAllocation } from "../cost-allocation";
import { Workload } from "../workload";

export interface TagChoices {
  readonly tags?: { [key: string]: string };
  readonly costAllocation?: CostAllocation;
  readonly workload?: Workload;
}

/** The tags of every resource of a pool. */
export function resourceTags({ tags, costAllocation, workload }: TagChoices): { [key: string]: string } {
  return { ...costTags(costAllocation, workload), ...tags };
}

function costTags(costs: CostAllocation | undefined, workload: Workload | undefined): { [key: string]: string } {
  if (!costs) {
    return {};
  }
  const { workload: ofWorkload = workload?.name } = costs;
  return {
    team: costs.team,
    ...(ofWorkload !== undefined && { workload: ofWorkload }),
    ...(costs.environment !== undefined && { environment: costs.environment }),
  };
}

export function checkTags(choices: TagChoices, problems: Problems): void {
  const { tags = {}, costAllocation, workload } = choices;
  for (const [key, value] of Object.entries(costTags(costAllocation, workload))) {
    checkTag(`costAllocation.${key}`, key, value, problems);
    if (Object.hasOwn(tags, key) && tags[key] !== value) {
      problems.addText(
        `tags[${show(key)}]`,
        `is ${show(value)} by costAllocation, got: ${show(tags[key])}. Say it in one place`,
      );
    }
  }
  checkTagMap(tags, "pool", problems);
  checkTagKeys(Object.keys(resourceTags(choices)), problems);
}
