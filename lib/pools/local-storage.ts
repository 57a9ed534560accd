import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/LocalStorage");

/** What becomes of the NVMe instance store of a node. Its contents go when the instance stops or ends. */
export class LocalStorage {
  /** One array of all disks for images, containers and logs: fast ephemeral storage. */
  static raid0(): LocalStorage {
    return new LocalStorage("RAID0");
  }

  /** A mirrored and striped array with half the space; at least four disks. */
  static raid10(): LocalStorage {
    return new LocalStorage("RAID10");
  }

  /** Each disk formatted and mounted by itself, below `/mnt/k8s-disks/`; ephemeral storage stays on the root volume. */
  static mount(): LocalStorage {
    return new LocalStorage("Mount");
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isLocalStorage(x: any): x is LocalStorage {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** The strategy as nodeadm spells it. */
    readonly strategy: string,
  ) {
    mark(this, MARKER);
  }
}
