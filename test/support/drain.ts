import { DrainBudget, INodePool } from "cdktf-elastic-gpu";

/** The pool as it would be if its pods needed other times to leave. */
export function withDrain(pool: INodePool, drainBudget: DrainBudget): INodePool {
  return new Proxy(pool, {
    get: (target, member) => (member === "drainBudget" ? drainBudget : Reflect.get(target, member)),
  });
}
