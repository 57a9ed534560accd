import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/SpotReturn");

/** How nodes that stand in give way to Spot again. */
export class SpotReturn {
  /**
   * One node in so many minutes, 1 to 1440, and the first once Spot has given all that was asked for as long, and the mixed
   * group has had room for more.
   *
   * Its pods are drained, and go where there is room or wait, upon which the autoscaler asks for Spot first.
   */
  static every(minutes: number): SpotReturn {
    checkArgument("SpotReturn.every", "minutes", minutes);
    return new SpotReturn(minutes);
  }

  /** Never: a node that stands in stays until it is idle. */
  static off(): SpotReturn {
    return new SpotReturn();
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isSpotReturn(x: any): x is SpotReturn {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Minutes between two nodes. Undefined: none is taken. */
    readonly minutes?: number,
  ) {
    mark(this, MARKER);
  }
}
