const MARKER = Symbol.for("cdktf-elastic-gpu/JoinMethod");

/** How a node of a custom image joins the cluster: it decides what the library writes into the user data. */
export class JoinMethod {
  /** nodeadm reads a NodeConfig from the user data: images derived from EKS's AL2023. */
  public static nodeadm(): JoinMethod {
    return new JoinMethod("nodeadm");
  }

  /** Bottlerocket reads TOML settings from the user data. */
  public static bottlerocket(): JoinMethod {
    return new JoinMethod("bottlerocket");
  }

  /** The image joins on its own, or by user data that you write; the library adds nothing to it. */
  public static ownUserData(): JoinMethod {
    return new JoinMethod("own user data");
  }

  /** Whether `x` is a JoinMethod, also one of another copy of this library. */
  public static isJoinMethod(x: any): boolean {
    return x !== null && typeof x === "object" && MARKER in x;
  }

  /** "nodeadm", "bottlerocket" or "own user data". */
  public readonly name: string;

  private constructor(name: string) {
    Object.defineProperty(this, MARKER, { value: true });
    this.name = name;
  }
}
