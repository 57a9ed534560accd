import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

/** What a taint does to pods that do not tolerate it. */
export enum TaintEffect {
  /** New pods stay away. */
  NO_SCHEDULE = "NoSchedule",
  /** New pods stay away where they can. */
  PREFER_NO_SCHEDULE = "PreferNoSchedule",
  /** New pods stay away, running ones are evicted. */
  NO_EXECUTE = "NoExecute",
}

const MARKER = Symbol.for("cdktf-elastic-gpu/NodeTaint");

/** A Kubernetes taint that nodes have from their first second. */
export class NodeTaint {
  /** New pods stay away unless they tolerate it. `value` left out: the taint has no value. */
  static noSchedule(key: string, value = ""): NodeTaint {
    checkArgument("NodeTaint.noSchedule", "key", key);
    return new NodeTaint(key, value, TaintEffect.NO_SCHEDULE);
  }

  /** New pods go elsewhere where they can. `value` left out: the taint has no value. */
  static preferNoSchedule(key: string, value = ""): NodeTaint {
    checkArgument("NodeTaint.preferNoSchedule", "key", key);
    return new NodeTaint(key, value, TaintEffect.PREFER_NO_SCHEDULE);
  }

  /** Pods that do not tolerate it are also evicted. `value` left out: the taint has no value. */
  static noExecute(key: string, value = ""): NodeTaint {
    checkArgument("NodeTaint.noExecute", "key", key);
    return new NodeTaint(key, value, TaintEffect.NO_EXECUTE);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNodeTaint(x: any): x is NodeTaint {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** A label key: an optional DNS prefix, a slash, a name. */
    readonly key: string,
    /** Empty where the taint has none. */
    readonly value: string,
    /** What happens to pods that do not tolerate it. */
    readonly effect: TaintEffect,
  ) {
    mark(this, MARKER);
  }

  /**
   * The effect as the EKS API spells it: NO_SCHEDULE, PREFER_NO_SCHEDULE, NO_EXECUTE.
   * @internal
   */
  get _eksEffect(): string {
    return this.effect.replace(/(?!^)([A-Z])/g, "_$1").toUpperCase();
  }
}
