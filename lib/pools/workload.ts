import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/Workload");

/** What a pool's nodes are for. The value of the label `workload-type`, by which pods choose their pool. */
export class Workload {
  /** Distributed or long-running training: `workload-type=training`. */
  static training(): Workload {
    return new Workload("training");
  }

  /** Model serving: `workload-type=inference`. */
  static inference(): Workload {
    return new Workload("inference");
  }

  /** Notebooks and experiments: `workload-type=development`. */
  static development(): Workload {
    return new Workload("development");
  }

  /** Anything else. `name` is a Kubernetes label value: at most 63 letters, digits, hyphens, underscores and dots. */
  static named(name: string): Workload {
    checkArgument("Workload.named", "name", name);
    return new Workload(name);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isWorkload(x: any): x is Workload {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Value of the label `workload-type`. */
    readonly name: string,
  ) {
    mark(this, MARKER);
  }
}
