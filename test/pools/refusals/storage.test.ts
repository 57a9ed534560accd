import { JoinMethod, LocalStorage, NodeImage, VolumeEncryption, VolumeType } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("the root volume", () => {
    test.each<Refusal>([
      [
        "smaller than the image",
        { rootVolume: { sizeGib: 10 } },
        ["rootVolume.sizeGib: must be a whole number from 20 to 65536, got: 10. AL2023 NVIDIA needs 20 GiB by itself"],
      ],
      [
        "larger than EBS has",
        { rootVolume: { sizeGib: 65537 } },
        [
          "rootVolume.sizeGib: must be a whole number from 20 to 65536, got: 65537. AL2023 NVIDIA needs 20 GiB by itself",
        ],
      ],
      [
        "a fraction of a GiB",
        { rootVolume: { sizeGib: 99.5 } },
        [
          "rootVolume.sizeGib: must be a whole number from 20 to 65536, got: 99.5. AL2023 NVIDIA needs 20 GiB by itself",
        ],
      ],
      [
        "smaller than a custom image says",
        {
          rootVolume: { sizeGib: 100 },
          image: NodeImage.custom({
            imageId: "ami-0123456789abcdef0",
            join: JoinMethod.nodeadm(),
            minimumVolumeGib: 200,
          }),
        },
        [
          "rootVolume.sizeGib: must be a whole number from 200 to 65536, got: 100. custom AMI ami-0123456789abcdef0 needs 200 GiB by itself",
        ],
      ],
      [
        "an unknown type",
        { rootVolume: { volumeType: "gp2" } },
        ['rootVolume.volumeType: must be VolumeType.GP3 or VolumeType.IO2, got: "gp2". Choose one of them'],
      ],
      [
        "io2 without IOPS",
        { rootVolume: { volumeType: VolumeType.IO2 } },
        ["rootVolume.iops: must be given for io2, from 100 to 256000, got: undefined. Give it, or use gp3"],
      ],
      [
        "fewer IOPS than gp3 includes",
        { rootVolume: { iops: 2999 } },
        ["rootVolume.iops: must be a whole number from 3000 to 80000, got: 2999. Give what gp3 offers"],
      ],
      [
        "more IOPS than gp3 offers",
        { rootVolume: { iops: 80001, sizeGib: 1000 } },
        ["rootVolume.iops: must be a whole number from 3000 to 80000, got: 80001. Give what gp3 offers"],
      ],
      [
        "more IOPS than the size carries",
        { rootVolume: { iops: 60000, sizeGib: 100 } },
        [
          'rootVolume.iops: must be at most 500 a GiB for gp3, got: "60000 for 100 GiB". Raise sizeGib to 120 or lower iops',
        ],
      ],
      [
        "more IOPS than io2 gives a GiB",
        { rootVolume: { volumeType: VolumeType.IO2, iops: 60000, sizeGib: 50 } },
        [
          'rootVolume.iops: must be at most 1000 a GiB for io2, got: "60000 for 50 GiB". Raise sizeGib to 60 or lower iops',
        ],
      ],
      [
        "more IOPS than the instance can use",
        { instanceTypes: ["p3.2xlarge"], rootVolume: { iops: 12000 } },
        [
          "rootVolume.iops: must be at most what p3.2xlarge can use, 10000 IOPS, got: 12000. Lower it, or choose a larger type",
        ],
      ],
      [
        "more IOPS than the weakest instance can use",
        { instanceTypes: ["g5.2xlarge", "g5.4xlarge"], rootVolume: { iops: 18000 } },
        [
          "rootVolume.iops: must be at most what g5.2xlarge can use, 15000 IOPS, got: 18000. Lower it, or choose a larger type",
        ],
      ],
      [
        "throughput below gp3's",
        { rootVolume: { throughputMibps: 124 } },
        ["rootVolume.throughputMibps: must be a whole number from 125 to 2000, got: 124. Give what gp3 offers"],
      ],
      [
        "throughput above gp3's",
        { rootVolume: { throughputMibps: 2001, iops: 10000 } },
        ["rootVolume.throughputMibps: must be a whole number from 125 to 2000, got: 2001. Give what gp3 offers"],
      ],
      [
        "throughput above a quarter of the IOPS",
        { rootVolume: { throughputMibps: 1000 } },
        [
          'rootVolume.throughputMibps: must be at most a quarter of the IOPS, got: "1000 MiB/s for 3000 IOPS". Raise iops to 4000',
        ],
      ],
      [
        "throughput above what the instance can use",
        { instanceTypes: ["g5.xlarge"], rootVolume: { throughputMibps: 500 } },
        [
          "rootVolume.throughputMibps: must be at most what g5.xlarge can use, 437.5 MB/s, got: 500. Lower it, or choose a larger type",
        ],
      ],
      [
        "throughput of io2",
        { rootVolume: { volumeType: VolumeType.IO2, iops: 3000, throughputMibps: 500 } },
        ["rootVolume.throughputMibps: must be left out for other volumes than gp3, got: 500. Leave it out, or use gp3"],
      ],
      [
        "a key by alias",
        { rootVolume: { encryption: VolumeEncryption.customerKey("alias/nodes") } },
        [
          'rootVolume.encryption: must be the ARN of a key, got: "alias/nodes". Give arn:aws:kms:<region>:<account>:key/<id>, not the ID or an alias',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("the instance store", () => {
    test.each<Refusal>([
      [
        "a type without one",
        { instanceTypes: ["g5g.xlarge"], localStorage: LocalStorage.raid0() },
        [
          'localStorage: must be left out for types without an instance store, got: "g5g.xlarge". Leave it out, or choose types with NVMe disks',
        ],
      ],
      [
        "another type without one",
        { instanceTypes: ["p3.2xlarge"], localStorage: LocalStorage.mount() },
        [
          'localStorage: must be left out for types without an instance store, got: "p3.2xlarge". Leave it out, or choose types with NVMe disks',
        ],
      ],
      [
        "a mirror on one disk",
        { instanceTypes: ["g6.xlarge"], localStorage: LocalStorage.raid10() },
        ['localStorage: must not be RAID10 with fewer than 4 disks, got: "g6.xlarge with 1". Use LocalStorage.raid0()'],
      ],
      [
        "mounts on Bottlerocket",
        { image: NodeImage.bottlerocketNvidia(), localStorage: LocalStorage.mount() },
        [
          'localStorage: must be LocalStorage.raid0() on Bottlerocket, which offers no other, got: "Mount". Use it, or another image',
        ],
      ],
      [
        "an image that joins by itself",
        {
          localStorage: LocalStorage.raid0(),
          image: NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.ownUserData() }),
        },
        [
          'localStorage: must be left out for an image that joins by its own user data, got: "RAID0". Set the disks up in userData, or use JoinMethod.nodeadm()',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
