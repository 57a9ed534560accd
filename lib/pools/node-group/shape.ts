import { AcceleratorType, EfaInterface, EfaLayout, GpuSharing, JoinMethod, NodeImage } from "../../accelerators";
import { Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";

/** Most instance types of a managed node group (EKS API), and most overrides of an Auto Scaling group (its API). */
const MOST_TYPES = { managed: 20, selfManaged: 40 };

/** vCPU and memory of the types of one pool may differ by this factor before a warning: above it, pods meet very different machines. */
const UNEVEN = 1.5;

/**
 * vCPUs an accelerator below which a warning says that data loading will starve it. The smallest types that EC2 sells for
 * one whole GPU have 4; only types that are cut down further have less.
 */
const FEW_VCPUS = 4;

/** What a pool's nodes are, decided from the user's choices: the same for every type in the pool. */
export interface NodeShape {
  /** The smallest first. */
  readonly types: AcceleratorType[];
  readonly image: NodeImage;
  readonly sharing: GpuSharing;
  /** Network interfaces for EFA; empty without it, when EC2 adds the one that it always adds. */
  readonly interfaces: EfaInterface[];
  /** Whether nodes read Bottlerocket settings instead of MIME parts. */
  readonly bottlerocket: boolean;
}

export interface ShapeChoices {
  readonly instanceTypes: string[];
  readonly customTypes?: AcceleratorType[];
  readonly image?: NodeImage;
  readonly sharing?: GpuSharing;
  readonly efa?: EfaLayout;
  readonly minVcpusPerGpu?: number;
}

/** Refuses what is no list of names. */
export function checkTypeNames(instanceTypes: unknown, problems: Problems): void {
  const property = "instanceTypes";
  const example = 'Such as ["g6.12xlarge"]';
  if (!isKnown(instanceTypes)) {
    problems.addText(
      property,
      "must be literal texts, because GPUs, network interfaces and tags are read off them, got: a token. Choose the types in the program",
    );
  } else if (!Array.isArray(instanceTypes) || instanceTypes.length === 0) {
    problems.add(property, "must be a list of one instance type or more", instanceTypes, example);
  } else {
    [...instanceTypes].forEach((name, index) => {
      if (typeof name !== "string") {
        problems.add(`${property}[${index}]`, "must be the name of an instance type", name, example);
      }
    });
  }
}

/**
 * The types by name, as far as they are known. Where one is not, what is asked about types cannot be answered, so the
 * caller stops after reporting what was found.
 */
export function resolveTypes(
  { instanceTypes, customTypes = [] }: ShapeChoices,
  managed: boolean,
  problems: Problems,
): AcceleratorType[] | undefined {
  const most = managed ? MOST_TYPES.managed : MOST_TYPES.selfManaged;
  if (instanceTypes.length > most) {
    problems.add("instanceTypes", `must be at most ${most}`, instanceTypes.length, "Remove the least likely ones");
  }
  const repeated = instanceTypes.find((name, index) => instanceTypes.indexOf(name) !== index);
  if (repeated !== undefined) {
    problems.add("instanceTypes", "must name each type once", repeated, "Remove the repetition");
  }
  const unused = customTypes.find((type) => !instanceTypes.includes(type.instanceType));
  if (unused) {
    problems.add(
      "customTypes",
      "must be named in instanceTypes too",
      unused.instanceType,
      "Add it there, or remove it here",
    );
  }
  const found = instanceTypes.map(
    (name) => customTypes.find((type) => type.instanceType === name) ?? knownType(name, problems),
  );
  return found.every((type) => type !== undefined) ? (found as AcceleratorType[]) : undefined;
}

function knownType(name: string, problems: Problems): AcceleratorType | undefined {
  const type = AcceleratorType.find(name);
  if (type?._incomplete) {
    problems.addText("instanceTypes", `${name}: ${type._incomplete}`);
    return undefined;
  }
  if (!type) {
    const near = AcceleratorType.nearest(name);
    problems.add(
      "instanceTypes",
      "must be accelerated EC2 instance types of the catalogue",
      name,
      `${near.length > 0 ? `Did you mean ${near.join(" or ")}? ` : ""}A type that is newer than the catalogue is described with AcceleratorType.custom() in customTypes`,
    );
  }
  return type;
}

export function checkShape(
  shape: NodeShape,
  choices: ShapeChoices,
  kubernetesVersion: string,
  problems: Problems,
): void {
  checkSameShape(shape, problems);
  const { types, image, sharing } = shape;
  for (const type of types.slice(0, 1)) {
    image
      ._problems(type, isKnown(kubernetesVersion) ? kubernetesVersion : undefined, isKnown)
      .forEach((text) => problems.addText("image", text));
    if (isKnown([sharing.replicas, sharing.migProfile])) {
      sharing._problems(type).forEach((text) => problems.addText("sharing", text));
    } else {
      problems.addText(
        "sharing",
        "must have literal replicas or profile, because the count of GPUs that nodes offer follows from it, got: a token. Write it out",
      );
    }
  }
  if (choices.efa && choices.efa.name !== EfaLayout.none().name) {
    checkEfa(types, problems);
  }
  const least = choices.minVcpusPerGpu;
  if (least !== undefined) {
    const weakest = weakestBy(types, vcpusPerGpu);
    if (typeof least !== "number" || !(least > 0)) {
      problems.add(
        "minVcpusPerGpu",
        "must be a literal number above 0, because types are held against it",
        least,
        "Give the vCPUs that feed one accelerator",
      );
    } else if (vcpusPerGpu(weakest) < least) {
      problems.add(
        "instanceTypes",
        `must have at least ${least} vCPUs an accelerator (minVcpusPerGpu)`,
        `${weakest.instanceType} with ${perGpu(vcpusPerGpu(weakest))}`,
        "Remove it, choose a larger size, or lower minVcpusPerGpu",
      );
    }
  }
}

/** The autoscaler models every node on the first type, so nothing that it reads off it may be different for another. */
function checkSameShape({ types, interfaces }: NodeShape, problems: Problems): void {
  const [first, ...others] = types;
  const alike = others.filter((other) => first.shapeDifference(other) === undefined);
  for (const other of others) {
    const difference = first.shapeDifference(other);
    if (difference) {
      problems.addText("instanceTypes", `must all have one shape, got: ${difference}. Make a pool for each`);
    } else if (interfaces.length > 0 && String(first.efaCards) !== String(other.efaCards)) {
      problems.add(
        "instanceTypes",
        "must have the same EFA cards, because the launch template lists them",
        `${first.instanceType} with ${first.efaCards.length}, ${other.instanceType} with ${other.efaCards.length}`,
        "Make a pool for each",
      );
    }
  }
  const smaller = alike.find((type) => type.vcpus < first.vcpus || type.memoryMib < first.memoryMib);
  if (smaller) {
    problems.add(
      "instanceTypes",
      "must start with the type that has the fewest vCPUs and the least memory, because the Cluster Autoscaler takes every node to be like the first",
      `${describe(first)} before ${describe(smaller)}`,
      `Put ${smaller.instanceType} first, or make a pool for each`,
    );
  }
}

function checkEfa(types: AcceleratorType[], problems: Problems): void {
  const without = types.filter((type) => type.efaCards.length === 0).map((type) => type.instanceType);
  if (without.length > 0) {
    problems.add(
      "efa",
      "must be EfaLayout.none() for types without EFA",
      without.join(", "),
      "Leave efa out, or choose types that have it",
    );
  }
}

/** What is legal but seldom meant: texts for annotations. */
export function shapeWarnings({ types }: NodeShape, choices: ShapeChoices, withSpot: boolean): string[] {
  // With Spot, larger sizes are there for their capacity, and the first is what pods are sized for.
  const warnings = withSpot
    ? []
    : [
        ...uneven(types, "vCPUs", vcpusPerGpu, perGpu),
        ...uneven(types, "GiB of memory", (type) => type.memoryMib / 1024 / type.acceleratorCount, perGpu),
      ];
  const weakest = weakestBy(types, vcpusPerGpu);
  if (choices.minVcpusPerGpu === undefined && vcpusPerGpu(weakest) < FEW_VCPUS) {
    warnings.push(
      `instanceTypes: ${weakest.instanceType} has ${perGpu(vcpusPerGpu(weakest))} vCPUs an accelerator; fewer than ${FEW_VCPUS} seldom feed one. Choose a larger size, or say with minVcpusPerGpu what you need`,
    );
  }
  return warnings;
}

function uneven(
  types: AcceleratorType[],
  what: string,
  measure: (type: AcceleratorType) => number,
  print: (value: number) => string,
): string[] {
  const weakest = weakestBy(types, measure);
  const strongest = weakestBy(types, (type) => -measure(type));
  if (measure(strongest) <= UNEVEN * measure(weakest)) {
    return [];
  }
  return [
    `instanceTypes: ${weakest.instanceType} has ${print(measure(weakest))} ${what} an accelerator, ${strongest.instanceType} ${print(measure(strongest))}: ` +
      `a pod must fit the weakest. Keep within a factor of ${UNEVEN}, or size pods for ${weakest.instanceType}`,
  ];
}

function weakestBy(types: AcceleratorType[], measure: (type: AcceleratorType) => number): AcceleratorType {
  return types.reduce((weakest, type) => (measure(type) < measure(weakest) ? type : weakest));
}

function vcpusPerGpu(type: AcceleratorType): number {
  return type.vcpus / type.acceleratorCount;
}

function perGpu(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function describe(type: AcceleratorType): string {
  return `${type.instanceType} (${type.vcpus} vCPUs, ${Math.round(type.memoryMib / 1024)} GiB)`;
}

/** Whether the image's nodes are configured with Bottlerocket settings. */
export function isBottlerocket(image: NodeImage): boolean {
  return image._join.name === JoinMethod.bottlerocket().name;
}

/** Whether the image's nodes find the cluster by themselves, and read nothing that the pool says to nodeadm. */
export function joinsByItself(image: NodeImage): boolean {
  return image._join.name === JoinMethod.ownUserData().name;
}
