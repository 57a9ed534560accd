import { AcceleratorType } from "./accelerator-type";

const MARKER = Symbol.for("cdktf-elastic-gpu/EfaLayout");

/** One network interface of a launch template. */
export interface EfaInterface {
  /** Network card that carries it. */
  readonly networkCardIndex: number;
  /** Position on the card; (card, device) is unique on an instance. */
  readonly deviceIndex: number;
  /** "interface" (ENA, takes an IP address), "efa" (ENA and EFA) or "efa-only" (no IP address). */
  readonly interfaceType: string;
}

/**
 * How the network interfaces of an instance are spread over its network cards.
 *
 * The primary interface is always a plain ENA on card 0, device 0; EFAs are `efa-only` on exactly the cards that take
 * one (EC2 User Guide, EFA and accelerated instance types; per-family layouts: AI on EKS, EFA interface generator).
 */
export class EfaLayout {
  /** One IP address a node: the primary ENA, and an `efa-only` interface on each EFA card. */
  public static ipOptimised(): EfaLayout {
    return new EfaLayout("ip-optimised");
  }

  /**
   * More ENAs beside the EFAs, for IP traffic (object storage, file systems) beyond what card 0 carries; each takes an
   * IP address. p5, p5e, p5en, p6-b200, p6-b300 and p6e-gb200 follow their published layouts. Other types with several
   * cards follow EC2's general rule: on every EFA card after card 0 `efa-only` at device 0 and an ENA at device 1. On
   * a single card there is nothing to add, and the layout equals the IP-optimised one.
   */
  public static bandwidthOptimised(): EfaLayout {
    return new EfaLayout("bandwidth-optimised");
  }

  /** No EFA, and no interfaces in the launch template: EC2 creates the primary one. */
  public static none(): EfaLayout {
    return new EfaLayout("none");
  }

  /** Whether `x` is an EfaLayout, also one of another copy of this library. */
  public static isEfaLayout(x: any): boolean {
    return x !== null && typeof x === "object" && MARKER in x;
  }

  /** "ip-optimised", "bandwidth-optimised" or "none". */
  public readonly name: string;

  private constructor(name: string) {
    Object.defineProperty(this, MARKER, { value: true });
    this.name = name;
  }

  /**
   * @internal
   *
   * Interfaces of the launch template, primary first, ordered by card and device; empty for none, and for a type
   * without EFA.
   */
  public _interfaces(type: AcceleratorType): EfaInterface[] {
    if (this.name === "none" || type.efaCards.length === 0) {
      return [];
    }
    const { efaDevice, enaCards } = this.name === "ip-optimised" ? IP_OPTIMISED : bandwidthPlan(type);
    return [
      { networkCardIndex: 0, deviceIndex: 0, interfaceType: "interface" },
      ...type.efaCards.map((card) => ({
        networkCardIndex: card,
        deviceIndex: efaDevice(card),
        interfaceType: "efa-only",
      })),
      ...enaCards.map((card) => ({ networkCardIndex: card, deviceIndex: 1, interfaceType: "interface" })),
    ].sort((a, b) => a.networkCardIndex - b.networkCardIndex || a.deviceIndex - b.deviceIndex);
  }
}

interface LayoutPlan {
  readonly efaDevice: (card: number) => number;
  /** Cards with an ENA beside the primary one, at device 1. */
  readonly enaCards: number[];
}

const IP_OPTIMISED: LayoutPlan = { efaDevice: () => 1, enaCards: [] };

const ZERO_ON_FURTHER_CARDS = (card: number) => (card === 0 ? 1 : 0);
const ALWAYS_TWO = () => 2;

/** Published bandwidth-optimised layouts by instance family (AI on EKS, EFA interface generator). */
const PUBLISHED = new Map<string, LayoutPlan>([
  ["p5", { efaDevice: ZERO_ON_FURTHER_CARDS, enaCards: [4, 8, 12, 16, 20, 24, 28] }],
  ["p5e", { efaDevice: ZERO_ON_FURTHER_CARDS, enaCards: [4, 8, 12, 16, 20, 24, 28] }],
  ["p5en", { efaDevice: ALWAYS_TWO, enaCards: [2, 4, 6, 8, 10, 12, 14] }],
  ["p6-b200", { efaDevice: ALWAYS_TWO, enaCards: [1, 2, 3, 4, 5, 6, 7] }],
  ["p6-b300", { efaDevice: () => 0, enaCards: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] }],
  ["p6e-gb200", { efaDevice: ALWAYS_TWO, enaCards: [2, 6, 10, 14] }],
]);

function bandwidthPlan(type: AcceleratorType): LayoutPlan {
  const published = PUBLISHED.get(type.instanceType.split(".")[0]);
  // A published plan is for the size with all cards: p5.4xlarge has a single one.
  if (published !== undefined && published.enaCards.every((card) => card < type.networkCards)) {
    return published;
  }
  return { efaDevice: ZERO_ON_FURTHER_CARDS, enaCards: type.efaCards.filter((card) => card > 0) };
}
