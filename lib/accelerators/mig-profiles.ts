import { AcceleratorType } from "./accelerator-type";

/** MIG profiles of one GPU: profile name to the instances that one GPU holds when all of them use this profile. */
interface MigTable {
  /** Model as EC2 reports it. */
  readonly model: string;
  /** Distinguishes models sold with two memory sizes: the table is for GPUs of at most that many MiB. */
  readonly upToMib: number;
  readonly title: string;
  readonly profiles: Record<string, number>;
  readonly bottlerocket?: BottlerocketMig;
}

interface BottlerocketMig {
  /** Key below settings.kubelet-device-plugins.nvidia.mig.profile. */
  readonly key: string;
  readonly profiles: string[];
}

/**
 * Profiles and counts: NVIDIA MIG User Guide and mig-parted's default configuration; B300: the MIG configuration of
 * SageMaker HyperPod (after NVIDIA GPU Operator 25.3). Bottlerocket: the profiles its settings model accepts.
 */
const MIG_TABLES: MigTable[] = [
  {
    model: "A100",
    upToMib: 49152,
    title: "A100 40GB",
    profiles: {
      "1g.5gb": 7,
      "1g.5gb+me": 1,
      "1g.10gb": 4,
      "2g.10gb": 3,
      "3g.20gb": 2,
      "4g.20gb": 1,
      "7g.40gb": 1,
    },
    bottlerocket: { key: "a100.40gb", profiles: ["1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "7g.40gb"] },
  },
  {
    model: "A100",
    upToMib: Infinity,
    title: "A100 80GB",
    profiles: {
      "1g.10gb": 7,
      "1g.10gb+me": 1,
      "1g.20gb": 4,
      "2g.20gb": 3,
      "3g.40gb": 2,
      "4g.40gb": 1,
      "7g.80gb": 1,
    },
    bottlerocket: { key: "a100.80gb", profiles: ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"] },
  },
  {
    model: "H100",
    upToMib: Infinity,
    title: "H100 80GB",
    profiles: {
      "1g.10gb": 7,
      "1g.10gb+me": 1,
      "1g.20gb": 4,
      "2g.20gb": 3,
      "3g.40gb": 2,
      "4g.40gb": 1,
      "7g.80gb": 1,
    },
    bottlerocket: { key: "h100.80gb", profiles: ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "7g.80gb"] },
  },
  {
    model: "H200",
    upToMib: Infinity,
    title: "H200 141GB",
    profiles: {
      "1g.18gb": 7,
      "1g.18gb+me": 1,
      "1g.35gb": 4,
      "2g.35gb": 3,
      "3g.71gb": 2,
      "4g.71gb": 1,
      "7g.141gb": 1,
    },
    bottlerocket: { key: "h200.141gb", profiles: ["1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "7g.141gb"] },
  },
  {
    model: "B200",
    upToMib: Infinity,
    title: "B200 180GB",
    profiles: {
      "1g.23gb": 7,
      "1g.23gb+me": 1,
      "1g.45gb": 4,
      "2g.45gb": 3,
      "3g.90gb": 2,
      "4g.90gb": 1,
      "7g.180gb": 1,
    },
    bottlerocket: { key: "b200.180gb", profiles: ["1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "7g.180gb"] },
  },
  {
    model: "B300",
    upToMib: Infinity,
    title: "B300 269GB",
    profiles: { "1g.34gb": 7, "1g.67gb": 4, "2g.67gb": 3, "3g.135gb": 2, "4g.135gb": 1, "7g.269gb": 1 },
    bottlerocket: {
      key: "b300.269gb",
      profiles: ["1g.34gb", "1g.67gb", "2g.67gb", "3g.135gb", "4g.135gb", "7g.269gb"],
    },
  },
  {
    model: "GB200",
    upToMib: Infinity,
    title: "GB200 189GB",
    profiles: { "1g.24gb": 7, "1g.47gb": 4, "2g.47gb": 3, "3g.95gb": 2, "4g.95gb": 1, "7g.189gb": 1 },
  },
  {
    model: "RTX PRO Server 6000",
    upToMib: Infinity,
    title: "RTX PRO Server 6000 96GB",
    profiles: { "1g.24gb": 4, "2g.48gb": 2, "4g.96gb": 1 },
    bottlerocket: { key: "rtxpro6000.96gb", profiles: ["1g.24gb", "2g.48gb", "4g.96gb"] },
  },
];

/** GPUs that can be partitioned but whose profiles no public table states. */
const UNSOURCED_MODELS = ["RTX PRO 4500"];

function migTable(type: AcceleratorType): MigTable | undefined {
  return type._fractional
    ? undefined
    : MIG_TABLES.find(({ model, upToMib }) => model === type.model && type.acceleratorMemoryMib <= upToMib);
}

/** Instances of the profile that one GPU of this type holds; undefined where it does not have the profile. */
export function migInstancesPerGpu(type: AcceleratorType, profile: string): number | undefined {
  const table = migTable(type);
  return table !== undefined && has(table, profile) ? table.profiles[profile] : undefined;
}

/** An own key: a name such as "constructor" is no profile. */
function has(table: MigTable, profile: string): boolean {
  return Object.keys(table.profiles).includes(profile);
}

/** Why GPUs of this type cannot be partitioned with this profile, or undefined. */
export function migProblem(type: AcceleratorType, profile: string): string | undefined {
  if (type._fractional) {
    return (
      `MIG needs whole GPUs, got: ${type.instanceType}, which has a slice of one; ` +
      "use GpuSharing.timeSlicing() or a type with whole GPUs"
    );
  }
  if (UNSOURCED_MODELS.includes(type.model)) {
    return (
      `MIG profiles of the ${type.model} are not published, got: ${type.instanceType} with profile ${profile}; ` +
      "use GpuSharing.timeSlicing() or GpuSharing.mps()"
    );
  }
  const table = migTable(type);
  if (table === undefined) {
    const models = [...new Set(MIG_TABLES.map(({ model }) => model))].join(", ");
    return (
      `MIG needs one of the GPUs ${models}, got: ${type.instanceType} with ${type.model}; ` +
      "use GpuSharing.timeSlicing() or GpuSharing.mps()"
    );
  }
  return has(table, profile)
    ? undefined
    : `MIG profile must be one of ${Object.keys(table.profiles).join(", ")} for ${table.title} ` +
        `(${type.instanceType}), got: ${profile}`;
}

/** Key of this GPU below Bottlerocket's settings.kubelet-device-plugins.nvidia.mig.profile; undefined if it has none. */
export function bottlerocketMigKey(type: AcceleratorType): string | undefined {
  return migTable(type)?.bottlerocket?.key;
}

/** Why Bottlerocket cannot partition this type with this profile although the GPU could, or undefined. */
export function bottlerocketMigProblem(type: AcceleratorType, profile: string): string | undefined {
  const table = migTable(type);
  if (table === undefined) {
    return undefined;
  }
  if (table.bottlerocket === undefined) {
    return (
      `Bottlerocket has no MIG setting for ${table.title}, got: ${type.instanceType} with profile ${profile}; ` +
      "use NodeImage.al2023Nvidia()"
    );
  }
  return table.bottlerocket.profiles.includes(profile)
    ? undefined
    : `MIG profile must be one of ${table.bottlerocket.profiles.join(", ")} on Bottlerocket for ${table.title} ` +
        `(${type.instanceType}), got: ${profile}; use one of those or NodeImage.al2023Nvidia()`;
}
