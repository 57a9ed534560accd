import { INodePool } from "../cluster";
import { Problems } from "../internal/problems";
import { checkTextTokens } from "../internal/texts";
import { HelmAddonProps } from "./helm-addon-props";

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

/** The properties beyond those of HelmAddonProps. */
export const DEVICE_PLUGIN_PROPERTIES = { pools: true, toleratedTaints: true } as const;
/** Those of them that are lists. */
export const DEVICE_PLUGIN_LISTS = ["pools", "toleratedTaints"];

/** A toleration without a key tolerates everything. */
export function checkToleratedTaints({ toleratedTaints = [] }: DevicePluginProps, problems: Problems): void {
  toleratedTaints.forEach((key, index) => {
    const property = `toleratedTaints[${index}]`;
    if (checkTextTokens(property, key, problems) && (typeof key !== "string" || key === "")) {
      problems.add(property, "must be the key of a taint", key, "Give the key, without its value");
    }
  });
}
