import { isMarked, mark } from "../internal/choices";

const MARKER = Symbol.for("cdktf-elastic-gpu/NatGateways");

/** How nodes, which have private addresses alone, reach the internet. */
export class NatGateways {
  /** A gateway in each zone: a zone that fails takes no other with it, and no traffic between zones is paid for. */
  static onePerZone(): NatGateways {
    return new NatGateways("one per zone");
  }

  /**
   * One gateway, in the first zone, which all nodes depend on. Traffic of other zones to it costs about USD 0.01 a GB;
   * each gateway that is saved, about USD 33 a month (us-east-1).
   */
  static single(): NatGateways {
    return new NatGateways("single");
  }

  /**
   * None: public subnets are for load balancers alone, and nodes reach AWS through VPC endpoints. The cluster then needs
   * a `registry` that is reached in the same way.
   */
  static none(): NatGateways {
    return new NatGateways("none");
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isNatGateways(x: any): x is NatGateways {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** The choice, for readers. */
    readonly name: string,
  ) {
    mark(this, MARKER);
  }

  /**
   * How many gateways there are for so many zones.
   * @internal
   */
  _count(zones: number): number {
    return { "one per zone": zones, single: 1 }[this.name] ?? 0;
  }
}
