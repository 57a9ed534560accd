import { checkArgument } from "../accelerators/maker-options";
import { isMarked, mark } from "../internal/choices";

/** EBS volume types that a node's volume may have. */
export enum VolumeType {
  /** General purpose: 3,000 IOPS and 125 MiB/s are included. */
  GP3 = "gp3",
  /** Provisioned IOPS, with higher durability. */
  IO2 = "io2",
}

const MARKER = Symbol.for("cdktf-elastic-gpu/VolumeEncryption");

/** The key that a node's volume is encrypted with. It is always encrypted. */
export class VolumeEncryption {
  /** The account's AWS managed key, `aws/ebs`. */
  static awsManagedKey(): VolumeEncryption {
    return new VolumeEncryption(false);
  }

  /**
   * A customer managed key that exists, by ARN. A grant lets EC2 Auto Scaling use it; without one, instances end at
   * launch with `Client.InternalError`. Whoever deploys needs `kms:CreateGrant` on the key.
   */
  static customerKey(keyArn: string): VolumeEncryption {
    checkArgument("VolumeEncryption.customerKey", "keyArn", keyArn);
    return new VolumeEncryption(false, keyArn);
  }

  /** A customer managed key of the pool's own, that rotates yearly and that EC2 Auto Scaling may use. */
  static ownKey(): VolumeEncryption {
    return new VolumeEncryption(true);
  }

  /** Whether a value was made by this class, in whichever copy of the package. */
  static isVolumeEncryption(x: any): x is VolumeEncryption {
    return isMarked(x, MARKER);
  }

  private constructor(
    /** Whether the pool makes its own key. */
    readonly isOwnKey: boolean,
    /** ARN of the existing customer managed key, where one was given. */
    readonly keyArn?: string,
  ) {
    mark(this, MARKER);
  }
}

/** The EBS volume that holds a node's images, containers and logs: the root volume, on Bottlerocket the data volume. */
export interface RootVolume {
  /** GiB. Left out: 100, which holds a few images of AI frameworks. */
  readonly sizeGib?: number;
  /** Left out: gp3. */
  readonly volumeType?: VolumeType;
  /**
   * Provisioned IOPS: 3,000 to 80,000 for gp3, at most 500 a GiB; 100 to 256,000 for io2, at most 1,000 a GiB.
   *
   * Left out: the 3,000 of gp3. io2 needs it.
   */
  readonly iops?: number;
  /**
   * MiB/s, gp3 only: 125 to 2,000, at most a quarter of the IOPS. More than 1,000 needs an AWS provider of November 2025 or later (6.25 has it, 5.100 not).
   *
   * Left out: the 125 of gp3. Image pulls are often bound by it.
   */
  readonly throughputMibps?: number;
  /** Left out: the account's AWS managed key. */
  readonly encryption?: VolumeEncryption;
}
