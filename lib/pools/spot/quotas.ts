import { AcceleratorType } from "../../accelerators";
import { SpotSizes } from "./sizes";

interface Quota {
  readonly name: string;
  readonly code: string;
}

interface ClassOfTypes {
  readonly types: RegExp;
  readonly onDemand: Quota;
  /** Undefined: sources disagree about which it is. */
  readonly spot?: Quota;
}

const ON_DEMAND_P = { name: "Running On-Demand P instances", code: "L-417A185B" };

/** EC2's quotas in vCPUs (AWS General Reference, Amazon EC2 endpoints and quotas). */
const CLASSES: ClassOfTypes[] = [
  {
    types: /^(g|gr|vt)\d/,
    onDemand: { name: "Running On-Demand G and VT instances", code: "L-DB2E81BA" },
    spot: { name: "All G and VT Spot Instance Requests", code: "L-3819A6DF" },
  },
  {
    types: /^p[234]/,
    onDemand: ON_DEMAND_P,
    spot: { name: "All P4, P3 and P2 Spot Instance Requests", code: "L-7212CCBC" },
  },
  { types: /^p5/, onDemand: ON_DEMAND_P, spot: { name: "All P5 Spot Instance Requests", code: "L-C4BD4855" } },
  { types: /^p\d/, onDemand: ON_DEMAND_P },
  {
    types: /^inf\d/,
    onDemand: { name: "Running On-Demand Inf instances", code: "L-1945791B" },
    spot: { name: "All Inf Spot Instance Requests", code: "L-B5D1601B" },
  },
  {
    types: /^trn\d/,
    onDemand: { name: "Running On-Demand Trn instances", code: "L-2C3B7624" },
    spot: { name: "All Trn Spot Instance Requests", code: "L-6B0D517C" },
  },
  {
    types: /^dl\d/,
    onDemand: { name: "Running On-Demand DL instances", code: "L-6E869C2A" },
    spot: { name: "All DL Spot Instance Requests", code: "L-85EED4F7" },
  },
];

/**
 * What the account must be allowed, which is 0 for most of these classes until one asks: a launch beyond it fails, and the
 * autoscaler tries again and again.
 */
export function quotaWarnings(types: AcceleratorType[], sizes: SpotSizes): string[] {
  const largest = types.reduce((most, type) => (type.vcpus > most.vcpus ? type : most));
  const ofTypes = CLASSES.find((each) => each.types.test(largest.instanceType));
  if (ofTypes === undefined) {
    return [];
  }
  const { mostSpotNodes, maxNodes, fallbackMaxNodes } = sizes;
  const onDemandNodes = maxNodes - mostSpotNodes + fallbackMaxNodes;
  const ofSpot = vcpus(mostSpotNodes, largest, ofTypes.spot ?? { name: "the Spot quota of its class", code: "" });
  const needs = [...(mostSpotNodes > 0 ? [ofSpot] : []), vcpus(onDemandNodes, largest, ofTypes.onDemand)];
  return [
    `maxNodes: the account must be allowed, if all nodes are ${largest.instanceType}: ${needs.join("; ")}. ` +
      "Compare with aws service-quotas get-service-quota --service-code ec2 --quota-code …, and have them raised before the first peak",
  ];
}

function vcpus(nodes: number, { vcpus }: AcceleratorType, { name, code }: Quota): string {
  return `${nodes} x ${vcpus} = ${nodes * vcpus} vCPUs of ${name}${code && ` (${code})`}`;
}
