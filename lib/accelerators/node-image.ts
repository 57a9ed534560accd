import { AcceleratorType } from "./accelerator-type";
import { al2023ImageName, ImageFamily, kubernetesVersionProblems, releaseVersionProblems } from "./image-release";
import { JoinMethod } from "./join-method";
import { checkOneOf, checkOptions, MakerOptions, shown } from "./maker-options";
import { AcceleratorVendor, Architecture } from "./vendor";

const MARKER = Symbol.for("cdktf-elastic-gpu/NodeImage");

/** Which release of an EKS image nodes start from. */
export interface NodeImageRelease {
  /**
   * EKS release version: "1.34.2-20251120" for AL2023, "1.52.0" or "1.52.0-3b6b8a4f" for Bottlerocket. Left out: the
   * latest of the cluster's Kubernetes version when the node group is created or its template changes.
   */
  readonly releaseVersion?: string;
}

/** An image of your own. */
export interface CustomNodeImage {
  /** AMI id, for example "ami-0123456789abcdef0"; may be a token. */
  readonly imageId: string;
  /** How a node of it joins the cluster. */
  readonly join: JoinMethod;
  /**
   * Device of the root volume in the AMI's block device mapping. Left out: "/dev/xvda", as in Amazon Linux and
   * Bottlerocket. A wrong name makes EC2 add a second volume and leave the root volume at its default size.
   */
  readonly rootDeviceName?: string;
  /**
   * Smallest volume in GiB, at least the size of the AMI's snapshot: EC2 refuses a smaller root volume. Left out: 1,
   * that is no check, since the snapshot's size is not known at synth.
   */
  readonly minimumVolumeGib?: number;
}

const OF_RELEASE: MakerOptions<NodeImageRelease> = { releaseVersion: "optional" };
const OF_CUSTOM: MakerOptions<CustomNodeImage> = {
  imageId: "required",
  join: "required",
  rootDeviceName: "optional",
  minimumVolumeGib: "optional",
};

/** What the named makers differ in. */
interface ImageTraits {
  readonly name: string;
  readonly family?: ImageFamily;
  /** Last part of the SSM path for AL2023. */
  readonly variant?: string;
  /** Vendors whose driver the image brings; undefined for an image that brings what its owner built in. */
  readonly drivers?: AcceleratorVendor[];
  readonly amiTypes?: Record<Architecture, string | undefined>;
  readonly releaseVersion?: string;
  readonly imageId?: string;
  readonly join: JoinMethod;
  readonly rootDeviceName?: string;
  readonly minimumVolumeGib: number;
}

/** Disk size that EKS gives a Linux node when none is asked for (EKS API, CreateNodegroup diskSize). */
const EKS_DEFAULT_DISK_GIB = 20;

/** Models that the NVIDIA driver of the stock images (branch 580) does not drive (amazon-eks-ami, G7 images). */
const NEWER_DRIVER_MODELS = new Map<string, string>([["RTX PRO 4500", "595"]]);

const IMAGE_ID = /^ami-[0-9a-f]{8}(?:[0-9a-f]{9})?$/;
const DEVICE_NAME = /^\/dev\/(?:sd|xvd)[a-z]{1,2}[0-9]{0,2}$/;

/** The machine image of a pool's nodes, which decides drivers, bootstrap and volumes. */
export class NodeImage {
  /** EKS's AL2023 with the NVIDIA driver and container toolkit, for x86_64 and arm64. */
  public static al2023Nvidia(options: NodeImageRelease = {}): NodeImage {
    checkOptions("NodeImage.al2023Nvidia", options, OF_RELEASE);
    return NodeImage.al2023("AL2023 NVIDIA", "nvidia", [AcceleratorVendor.NVIDIA], "NVIDIA", "NVIDIA", options);
  }

  /** EKS's AL2023 with the Neuron driver, for x86_64. */
  public static al2023Neuron(options: NodeImageRelease = {}): NodeImage {
    checkOptions("NodeImage.al2023Neuron", options, OF_RELEASE);
    return NodeImage.al2023("AL2023 Neuron", "neuron", [AcceleratorVendor.AWS_NEURON], "NEURON", undefined, options);
  }

  /**
   * EKS's AL2023 without accelerator drivers, for x86_64 and arm64. AMD, Habana, Qualcomm and Xilinx nodes start from
   * it, and you bring the driver: in user data or with the vendor's operator.
   */
  public static al2023Standard(options: NodeImageRelease = {}): NodeImage {
    checkOptions("NodeImage.al2023Standard", options, OF_RELEASE);
    return NodeImage.al2023("AL2023 standard", "standard", [], "STANDARD", "STANDARD", options);
  }

  /** Bottlerocket with the NVIDIA driver; containers live on a second volume. EKS has no Bottlerocket group for Neuron. */
  public static bottlerocketNvidia(options: NodeImageRelease = {}): NodeImage {
    checkOptions("NodeImage.bottlerocketNvidia", options, OF_RELEASE);
    return new NodeImage({
      name: "Bottlerocket NVIDIA",
      family: ImageFamily.BOTTLEROCKET,
      drivers: [AcceleratorVendor.NVIDIA],
      amiTypes: {
        [Architecture.X86_64]: "BOTTLEROCKET_x86_64_NVIDIA",
        [Architecture.ARM64]: "BOTTLEROCKET_ARM_64_NVIDIA",
      },
      releaseVersion: options.releaseVersion,
      join: JoinMethod.bottlerocket(),
      minimumVolumeGib: EKS_DEFAULT_DISK_GIB,
    });
  }

  /** An image of your own, which brings the driver and says how it joins. */
  public static custom(options: CustomNodeImage): NodeImage {
    const maker = "NodeImage.custom";
    checkOptions(maker, options, OF_CUSTOM);
    const makers = "made by JoinMethod.nodeadm(), .bottlerocket() or .ownUserData()";
    checkOneOf(maker, "join", options.join, JoinMethod.isJoinMethod(options.join), makers);
    return new NodeImage({
      name: IMAGE_ID.test(options.imageId) ? `custom AMI ${options.imageId}` : "custom AMI",
      imageId: options.imageId,
      join: options.join,
      rootDeviceName: options.rootDeviceName,
      minimumVolumeGib: options.minimumVolumeGib ?? 1,
    });
  }

  /** The image that EKS offers for a vendor: NVIDIA and AWS Neuron have their own, others start from the standard one. */
  public static forVendor(vendor: AcceleratorVendor): NodeImage {
    switch (vendor) {
      case AcceleratorVendor.NVIDIA:
        return NodeImage.al2023Nvidia();
      case AcceleratorVendor.AWS_NEURON:
        return NodeImage.al2023Neuron();
      default:
        return NodeImage.al2023Standard();
    }
  }

  /** Whether `x` is a NodeImage, also one of another copy of this library. */
  public static isNodeImage(x: any): boolean {
    return x !== null && typeof x === "object" && MARKER in x;
  }

  private static al2023(
    name: string,
    variant: string,
    drivers: AcceleratorVendor[],
    x86AmiType: string,
    armAmiType: string | undefined,
    { releaseVersion }: NodeImageRelease,
  ): NodeImage {
    return new NodeImage({
      name,
      family: ImageFamily.AL2023,
      variant,
      drivers,
      amiTypes: {
        [Architecture.X86_64]: `AL2023_x86_64_${x86AmiType}`,
        [Architecture.ARM64]: armAmiType === undefined ? undefined : `AL2023_ARM_64_${armAmiType}`,
      },
      releaseVersion,
      join: JoinMethod.nodeadm(),
      minimumVolumeGib: EKS_DEFAULT_DISK_GIB,
    });
  }

  /** Readable name, for example "AL2023 NVIDIA" or "custom AMI ami-0123456789abcdef0". */
  public readonly name: string;
  /** Pinned release, undefined for the latest and for custom images. */
  public readonly releaseVersion?: string;
  /** AMI id of a custom image, otherwise undefined: EKS or SSM chooses it. */
  public readonly imageId?: string;

  /** @internal */
  public readonly _join: JoinMethod;
  /** @internal */
  public readonly _rootDeviceName: string;
  /** @internal Second volume, where images and containers live (Bottlerocket). */
  public readonly _dataDeviceName?: string;
  /** @internal Smallest size in GiB of the volume that holds images and containers. */
  public readonly _minimumVolumeGib: number;

  private readonly traits: ImageTraits;

  private constructor(traits: ImageTraits) {
    Object.defineProperty(this, MARKER, { value: true });
    this.traits = traits;
    this.name = traits.name;
    this.releaseVersion = traits.releaseVersion;
    this.imageId = traits.imageId;
    this._join = traits.join;
    this._rootDeviceName = traits.rootDeviceName ?? "/dev/xvda";
    this._dataDeviceName = traits.join.name === "bottlerocket" ? "/dev/xvdb" : undefined;
    this._minimumVolumeGib = traits.minimumVolumeGib;
  }

  /** @internal EKS ami_type; "CUSTOM" for a custom image. */
  public _amiType(architecture: Architecture): string {
    return this.traits.amiTypes?.[architecture] ?? "CUSTOM";
  }

  /**
   * @internal
   *
   * SSM parameter with the AMI id: the recommended release, or the pinned one.
   *
   * @throws for a custom image, whose id is known
   */
  public _ssmParameter(architecture: Architecture, kubernetesVersion: string): string {
    const { family, variant, releaseVersion } = this.traits;
    if (family === undefined) {
      throw new Error(`${this.name} has no SSM parameter, use its imageId`);
    }
    if (family === ImageFamily.BOTTLEROCKET) {
      return `/aws/service/bottlerocket/aws-k8s-${kubernetesVersion}-nvidia/${architecture}/${releaseVersion ?? "latest"}/image_id`;
    }
    const release =
      releaseVersion === undefined
        ? "recommended"
        : al2023ImageName(releaseVersion, kubernetesVersion, architecture, `${variant}`);
    return `/aws/service/eks/optimized-ami/${kubernetesVersion}/amazon-linux-2023/${architecture}/${variant}/${release}/image_id`;
  }

  /**
   * @internal
   *
   * Why nodes of this type cannot run from this image, and what is wrong with the image's own settings; empty if all
   * is well. A version that is not known at synth is passed as undefined and not checked; which of the image's own
   * settings are known, the caller says.
   */
  public _problems(
    type: AcceleratorType,
    kubernetesVersion: string | undefined,
    isKnown: (setting: string) => boolean,
  ): string[] {
    const { family, releaseVersion } = this.traits;
    return [
      ...driverProblems(this.traits, type),
      ...(kubernetesVersion === undefined ? [] : kubernetesVersionProblems(family, kubernetesVersion)),
      ...(family === undefined || releaseVersion === undefined || !isKnown(releaseVersion)
        ? []
        : releaseVersionProblems(family, releaseVersion, kubernetesVersion)),
      ...(family === undefined ? customImageProblems(this, isKnown) : []),
    ];
  }
}

/** Vendors for which EKS builds an image with the driver, and the maker to use. */
const IMAGES_WITH_DRIVER = new Map<AcceleratorVendor, string>([
  [AcceleratorVendor.NVIDIA, "NodeImage.al2023Nvidia()"],
  [AcceleratorVendor.AWS_NEURON, "NodeImage.al2023Neuron()"],
]);

function driverProblems({ name, drivers, amiTypes }: ImageTraits, type: AcceleratorType): string[] {
  if (drivers === undefined) {
    return [];
  }
  const problems: string[] = [];
  const instead = IMAGES_WITH_DRIVER.get(type.vendor);
  if (drivers.length > 0 && !drivers.includes(type.vendor)) {
    problems.push(
      `${name} is for ${drivers.join(", ")} only, got: ${type.instanceType} with ${type.vendor} ${type.model}; ` +
        `use ${instead ?? "NodeImage.al2023Standard()"} or a custom image`,
    );
  } else if (drivers.length === 0 && instead !== undefined) {
    problems.push(
      `${name} has no ${type.vendor} driver, so no ${type.resourceName} would become allocatable, ` +
        `got: ${type.instanceType}; use ${instead} or a custom image`,
    );
  }
  if (amiTypes?.[type.architecture] === undefined) {
    problems.push(
      `${name} exists for x86_64 only, got: ${type.instanceType}, which is ${type.architecture}; ` +
        "use a custom image",
    );
  }
  const driver = NEWER_DRIVER_MODELS.get(type.model);
  if (drivers.includes(AcceleratorVendor.NVIDIA) && driver !== undefined) {
    problems.push(
      `${name} comes with NVIDIA driver 580 and the ${type.model} needs ${driver}, got: ${type.instanceType}; ` +
        "use NodeImage.custom() with an image built with that driver",
    );
  }
  return problems;
}

function customImageProblems(image: NodeImage, isKnown: (setting: string) => boolean): string[] {
  const problems: string[] = [];
  const imageId = `${image.imageId}`;
  if (isKnown(imageId) && !IMAGE_ID.test(imageId)) {
    problems.push(`imageId must be an AMI id such as ami-0123456789abcdef0, got: ${imageId}`);
  }
  if (isKnown(image._rootDeviceName) && !DEVICE_NAME.test(image._rootDeviceName)) {
    problems.push(
      `rootDeviceName must be a device such as /dev/xvda or /dev/sda1, got: ${image._rootDeviceName}; ` +
        "the AMI's block device mapping names it",
    );
  }
  if (!Number.isInteger(image._minimumVolumeGib) || image._minimumVolumeGib < 1) {
    problems.push(`minimumVolumeGib must be a whole number of at least 1, got: ${shown(image._minimumVolumeGib)}`);
  }
  return problems;
}
