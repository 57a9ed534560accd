import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/EndpointAccess");

/** From where the API server is reached. Nodes and whatever is in the VPC always reach it at its private address. */
export class EndpointAccess {
  /** From the VPC, and from networks that are connected with it. Terraform must run there. */
  static privateOnly(): EndpointAccess {
    return new EndpointAccess([]);
  }

  /** Beside the VPC, from these address ranges of the internet, such as `203.0.113.0/24`: 1 to 40. */
  static publicFrom(cidrs: string[]): EndpointAccess {
    return new EndpointAccess(cidrs, true);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isEndpointAccess(x: any): x is EndpointAccess {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Address ranges of the internet that reach the API server. */
    readonly publicCidrs: string[],
    /** Whether it has a public address. */
    readonly isPublic: boolean = false,
  ) {
    mark(this, MARKER);
  }
}
