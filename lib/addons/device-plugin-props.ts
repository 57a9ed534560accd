import { INodePool } from "../cluster";
import { Problems } from "../internal/problems";
import { checkTextTokens } from "../internal/texts";
import { ChartAddon } from "./charts";
import { HelmAddon } from "./helm-addon";
import { HelmAddonProps } from "./helm-addon-props";
import { allPools } from "./pool-taints";
import { Values } from "./values";

/** What a device plugin is made of. */
export interface DevicePluginProps extends HelmAddonProps {
  /**
   * Pools that are not declared on `cluster`, such as those of other stacks, whose taints and sharing it must know.
   *
   * Left out: the cluster's own alone.
   */
  readonly pools?: INodePool[];
  /**
   * Keys of taints of other nodes that it must run on. The taints of all pools are tolerated in any case.
   *
   * Left out: none.
   */
  readonly toleratedTaints?: string[];
}

/** A device plugin as the add-on that it is. Its values follow from all pools, and from the taints that it tolerates beside theirs. */
export function devicePlugin(
  addon: ChartAddon,
  props: DevicePluginProps,
  values: (pools: INodePool[], toleratedTaints: string[]) => Values,
): HelmAddon {
  return {
    addon,
    props,
    properties: { pools: true, toleratedTaints: true },
    lists: ["pools", "toleratedTaints"],
    namedPools: () => props.pools,
    check: (problems) => checkToleratedTaints(props, problems),
    values: () => values(allPools(props.cluster.pools, props.pools), props.toleratedTaints ?? []),
  };
}

/** A toleration without a key tolerates everything. */
function checkToleratedTaints({ toleratedTaints = [] }: DevicePluginProps, problems: Problems): void {
  toleratedTaints.forEach((key, index) => {
    const property = `toleratedTaints[${index}]`;
    if (checkTextTokens(property, key, problems) && (typeof key !== "string" || key === "")) {
      problems.add(property, "must be the key of a taint", key, "Give the key, without its value");
    }
  });
}
