import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/ClusterPlacement");

/**
 * Whether nodes are packed close together, in an EC2 placement group of the strategy `cluster`.
 *
 * The strategies `partition` and `spread` keep nodes apart, which accelerated nodes that work together never want.
 */
export class ClusterPlacement {
  /** A placement group of the pool's own. */
  static own(): ClusterPlacement {
    return new ClusterPlacement(true);
  }

  /** A placement group that exists, by name. Its strategy must be `cluster`. */
  static existing(groupName: string): ClusterPlacement {
    checkArgument("ClusterPlacement.existing", "groupName", groupName);
    return new ClusterPlacement(false, groupName);
  }

  /** No placement group. */
  static none(): ClusterPlacement {
    return new ClusterPlacement(false);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isClusterPlacement(x: any): x is ClusterPlacement {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Whether the pool makes its own placement group. */
    readonly isOwn: boolean,
    /** Name of the existing placement group, where one was given. */
    readonly groupName?: string,
  ) {
    mark(this, MARKER);
  }

  /** @internal */
  get _isNone(): boolean {
    return !this.isOwn && this.groupName === undefined;
  }
}
