import { INodePool } from "../cluster";
import { Values } from "./values";

/** The pools of a cluster and those that were named besides, each once. */
export function allPools(known: INodePool[], others: INodePool[] = []): INodePool[] {
  return [...new Set([...known, ...others])];
}

/**
 * Tolerations by which a DaemonSet lands on the nodes of all pools, whatever the value and the effect of their taints.
 *
 * `keys` are tolerated in any case.
 */
export function tolerations(pools: INodePool[], keys: string[]): Values[] {
  const ofPools = pools.flatMap((pool) => pool.taints.map((taint) => taint.key));
  return [...new Set([...keys, ...ofPools])].map((key) => ({ key, operator: "Exists" }));
}
