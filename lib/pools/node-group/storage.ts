import { AcceleratorType, NodeImage } from "../../accelerators";
import { checkWhole } from "../../internal/numbers";
import { Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { LocalStorage } from "../local-storage";
import { RootVolume, VolumeType } from "../root-volume";
import { isBottlerocket, joinsByItself } from "./shape";

const DEFAULT_SIZE_GIB = 100;

/** Ranges of the EC2 API reference, EbsBlockDevice, since September 2025. */
const VOLUME_LIMITS = {
  [VolumeType.GP3]: { sizeGib: 65536, leastIops: 3000, mostIops: 80000, iopsPerGib: 500 },
  [VolumeType.IO2]: { sizeGib: 65536, leastIops: 100, mostIops: 256000, iopsPerGib: 1000 },
};
const GP3_THROUGHPUT = { least: 125, most: 2000, perIops: 0.25 };
const GP3_INCLUDED_IOPS = 3000;

export interface StorageChoices {
  readonly rootVolume?: RootVolume;
  readonly localStorage?: LocalStorage;
}

export function volumeSizeGib({ sizeGib = DEFAULT_SIZE_GIB }: RootVolume = {}): number {
  return sizeGib;
}

/**
 * What the kubelet will have for images, containers and `emptyDir`, a little understated, since a pod that does not fit
 * after all makes the autoscaler add nodes for ever. The kubelet keeps a tenth free and reserves a little (EKS: 17.0 GiB
 * of a volume of 20); the file system takes its own part.
 *
 * Undefined where it cannot be known at synth.
 */
export function ephemeralStorageGib(
  types: AcceleratorType[],
  { rootVolume, localStorage }: StorageChoices,
): number | undefined {
  const disks = (type: AcceleratorType): number => (type.nvmeTotalGb * 1e9) / 2 ** 30;
  const gib = onInstanceStore(localStorage)
    ? Math.min(...types.map(disks)) / (localStorage?.strategy === "RAID10" ? 2 : 1)
    : volumeSizeGib(rootVolume);
  return isKnown(gib) ? Math.floor(gib * 0.9) - 2 : undefined;
}

function onInstanceStore(localStorage: LocalStorage | undefined): boolean {
  return localStorage !== undefined && localStorage.strategy !== "Mount";
}

export function checkStorage(
  types: AcceleratorType[],
  image: NodeImage,
  choices: StorageChoices,
  problems: Problems,
): void {
  checkVolume(types, image, choices.rootVolume ?? {}, problems);
  checkLocalStorage(types, image, choices.localStorage, problems);
}

function checkVolume(types: AcceleratorType[], image: NodeImage, volume: RootVolume, problems: Problems): void {
  const { volumeType: type = VolumeType.GP3, iops, throughputMibps } = volume;
  const sizeGib = volumeSizeGib(volume);
  const limits = VOLUME_LIMITS[type];
  if (!limits) {
    problems.add("rootVolume.volumeType", "must be VolumeType.GP3 or VolumeType.IO2", type, "Choose one of them");
    return;
  }
  checkWhole(
    "rootVolume.sizeGib",
    sizeGib,
    image._minimumVolumeGib,
    `${image.name} needs ${image._minimumVolumeGib} GiB by itself`,
    problems,
    limits.sizeGib,
  );
  if (type === VolumeType.IO2 && iops === undefined) {
    problems.add(
      "rootVolume.iops",
      `must be given for io2, from ${limits.leastIops} to ${limits.mostIops}`,
      iops,
      "Give it, or use gp3",
    );
  }
  const iopsRight =
    iops === undefined ||
    checkWhole("rootVolume.iops", iops, limits.leastIops, `Give what ${type} offers`, problems, limits.mostIops);
  if (iops !== undefined && iopsRight && isKnown([iops, sizeGib])) {
    if (iops > limits.leastIops && iops > limits.iopsPerGib * sizeGib) {
      problems.add(
        "rootVolume.iops",
        `must be at most ${limits.iopsPerGib} a GiB for ${type}`,
        `${iops} for ${sizeGib} GiB`,
        `Raise sizeGib to ${Math.ceil(iops / limits.iopsPerGib)} or lower iops`,
      );
    }
    checkInstanceLimit("rootVolume.iops", iops, "IOPS", types, (t) => t.maxEbsIops, problems);
  }
  if (throughputMibps !== undefined) {
    checkThroughput(type, throughputMibps, iops, types, problems);
  }
}

function checkThroughput(
  type: VolumeType,
  throughput: number,
  iops: number | undefined,
  types: AcceleratorType[],
  problems: Problems,
): void {
  const property = "rootVolume.throughputMibps";
  if (type !== VolumeType.GP3) {
    problems.add(property, "must be left out for other volumes than gp3", throughput, "Leave it out, or use gp3");
    return;
  }
  if (
    !checkWhole(property, throughput, GP3_THROUGHPUT.least, "Give what gp3 offers", problems, GP3_THROUGHPUT.most) ||
    !isKnown(throughput)
  ) {
    return;
  }
  const given = iops ?? GP3_INCLUDED_IOPS;
  if (isKnown(given) && throughput > GP3_THROUGHPUT.perIops * given) {
    problems.add(
      property,
      "must be at most a quarter of the IOPS",
      `${throughput} MiB/s for ${given} IOPS`,
      `Raise iops to ${throughput / GP3_THROUGHPUT.perIops}`,
    );
  }
  checkInstanceLimit(property, throughput, "MB/s", types, (t) => t.maxEbsThroughputMbps, problems);
}

/** A volume that can do more than its instance is paid for in vain. */
function checkInstanceLimit(
  property: string,
  wanted: number,
  unit: string,
  types: AcceleratorType[],
  limitOf: (type: AcceleratorType) => number | undefined,
  problems: Problems,
): void {
  for (const type of types) {
    const limit = limitOf(type);
    if (limit !== undefined && wanted > limit) {
      problems.add(
        property,
        `must be at most what ${type.instanceType} can use, ${limit} ${unit}`,
        wanted,
        "Lower it, or choose a larger type",
      );
    }
  }
}

function checkLocalStorage(
  types: AcceleratorType[],
  image: NodeImage,
  storage: LocalStorage | undefined,
  problems: Problems,
): void {
  if (storage === undefined) {
    return;
  }
  const without = types.filter((type) => type.nvmeDisks === 0).map((type) => type.instanceType);
  if (without.length > 0) {
    problems.add(
      "localStorage",
      "must be left out for types without an instance store",
      without.join(", "),
      "Leave it out, or choose types with NVMe disks",
    );
  } else if (storage.strategy === "RAID10") {
    for (const type of types.filter((type) => type.nvmeDisks < 4)) {
      problems.add(
        "localStorage",
        "must not be RAID10 with fewer than 4 disks",
        `${type.instanceType} with ${type.nvmeDisks}`,
        "Use LocalStorage.raid0()",
      );
    }
  }
  if (isBottlerocket(image) && storage.strategy !== "RAID0") {
    problems.add(
      "localStorage",
      "must be LocalStorage.raid0() on Bottlerocket, which offers no other",
      storage.strategy,
      "Use it, or another image",
    );
  }
  if (joinsByItself(image)) {
    problems.add(
      "localStorage",
      "must be left out for an image that joins by its own user data",
      storage.strategy,
      "Set the disks up in userData, or use JoinMethod.nodeadm()",
    );
  }
}
