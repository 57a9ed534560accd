import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/Headroom");

/** Room that is kept free for pods to come, by placeholder pods that yield to every other pod at once. */
export class Headroom {
  /**
   * So many whole nodes, at least 1 and at most the pool's `maxNodes`.
   *
   * They are paid for around the clock: a placeholder has a node of its own started, as any pod has.
   */
  static nodes(nodes: number): Headroom {
    checkArgument("Headroom.nodes", "nodes", nodes);
    return new Headroom(nodes);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isHeadroom(x: any): x is Headroom {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Nodes that are held. */
    readonly nodeCount: number,
  ) {
    mark(this, MARKER);
  }
}
