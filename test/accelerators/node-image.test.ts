import {
  AcceleratorType,
  AcceleratorVendor,
  Architecture,
  CustomNodeImage,
  JoinMethod,
  NodeImage,
} from "../../lib/accelerators";

const of = (name: string) => AcceleratorType.of(name);
/** As for a program without tokens. */
const all = () => true;
const AMI = "ami-0123456789abcdef0";

function customImage(change: Partial<CustomNodeImage> = {}): NodeImage {
  return NodeImage.custom({ imageId: AMI, join: JoinMethod.nodeadm(), ...change });
}

describe("ami_type", () => {
  test.each<[string, NodeImage, string, string]>([
    ["AL2023 NVIDIA", NodeImage.al2023Nvidia(), "AL2023_x86_64_NVIDIA", "AL2023_ARM_64_NVIDIA"],
    ["AL2023 standard", NodeImage.al2023Standard(), "AL2023_x86_64_STANDARD", "AL2023_ARM_64_STANDARD"],
    ["Bottlerocket NVIDIA", NodeImage.bottlerocketNvidia(), "BOTTLEROCKET_x86_64_NVIDIA", "BOTTLEROCKET_ARM_64_NVIDIA"],
    [`custom AMI ${AMI}`, customImage(), "CUSTOM", "CUSTOM"],
  ])("%s", (name, image, x86, arm) => {
    expect(image.name).toBe(name);
    expect(image._amiType(Architecture.X86_64)).toBe(x86);
    expect(image._amiType(Architecture.ARM64)).toBe(arm);
  });

  test("AL2023 Neuron", () => {
    expect(NodeImage.al2023Neuron()._amiType(Architecture.X86_64)).toBe("AL2023_x86_64_NEURON");
  });
});

describe("SSM parameter", () => {
  test.each<[NodeImage, Architecture, string]>([
    [
      NodeImage.al2023Nvidia(),
      Architecture.X86_64,
      "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/nvidia/recommended/image_id",
    ],
    [
      NodeImage.al2023Nvidia({ releaseVersion: "1.34.2-20251120" }),
      Architecture.X86_64,
      "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/nvidia/" +
        "amazon-eks-node-al2023-x86_64-nvidia-1.34-v20251120/image_id",
    ],
    [
      NodeImage.al2023Neuron(),
      Architecture.X86_64,
      "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/neuron/recommended/image_id",
    ],
    [
      NodeImage.al2023Standard({ releaseVersion: "1.34.2-20251120" }),
      Architecture.ARM64,
      "/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/arm64/standard/" +
        "amazon-eks-node-al2023-arm64-standard-1.34-v20251120/image_id",
    ],
    [
      NodeImage.bottlerocketNvidia(),
      Architecture.ARM64,
      "/aws/service/bottlerocket/aws-k8s-1.34-nvidia/arm64/latest/image_id",
    ],
    [
      NodeImage.bottlerocketNvidia({ releaseVersion: "1.52.0" }),
      Architecture.X86_64,
      "/aws/service/bottlerocket/aws-k8s-1.34-nvidia/x86_64/1.52.0/image_id",
    ],
    [
      NodeImage.bottlerocketNvidia({ releaseVersion: "1.52.0-3b6b8a4f" }),
      Architecture.X86_64,
      "/aws/service/bottlerocket/aws-k8s-1.34-nvidia/x86_64/1.52.0-3b6b8a4f/image_id",
    ],
  ])("%# is where AWS publishes it", (image, architecture, path) => {
    expect(image._ssmParameter(architecture, "1.34")).toBe(path);
  });

  test("a custom image has none", () => {
    expect(() => customImage()._ssmParameter(Architecture.X86_64, "1.34")).toThrow(
      `custom AMI ${AMI} has no SSM parameter, use its imageId`,
    );
  });
});

describe("volumes and joining", () => {
  test.each<[string, NodeImage, object]>([
    [
      "AL2023",
      NodeImage.al2023Nvidia(),
      { _rootDeviceName: "/dev/xvda", _dataDeviceName: undefined, _minimumVolumeGib: 20, _join: { name: "nodeadm" } },
    ],
    [
      "Bottlerocket",
      NodeImage.bottlerocketNvidia(),
      {
        _rootDeviceName: "/dev/xvda",
        _dataDeviceName: "/dev/xvdb",
        _minimumVolumeGib: 20,
        _join: { name: "bottlerocket" },
      },
    ],
    [
      "custom with its defaults",
      customImage({ join: JoinMethod.ownUserData() }),
      {
        _rootDeviceName: "/dev/xvda",
        _dataDeviceName: undefined,
        _minimumVolumeGib: 1,
        _join: { name: "own user data" },
      },
    ],
    [
      "custom Bottlerocket with its own root device",
      customImage({ join: JoinMethod.bottlerocket(), rootDeviceName: "/dev/sda1", minimumVolumeGib: 40 }),
      {
        _rootDeviceName: "/dev/sda1",
        _dataDeviceName: "/dev/xvdb",
        _minimumVolumeGib: 40,
        _join: { name: "bottlerocket" },
      },
    ],
  ])("%s", (_, image, expected) => {
    expect(image).toMatchObject(expected);
  });
});

describe("an image that fits raises no problem", () => {
  test.each<[NodeImage, string]>([
    [NodeImage.al2023Nvidia(), "g6.12xlarge"],
    [NodeImage.al2023Nvidia(), "g5g.xlarge"],
    [NodeImage.al2023Nvidia({ releaseVersion: "1.34.2-20251120" }), "p5.48xlarge"],
    [NodeImage.al2023Neuron(), "trn2.48xlarge"],
    [NodeImage.al2023Standard(), "g4ad.xlarge"],
    [NodeImage.al2023Standard(), "dl1.24xlarge"],
    [NodeImage.bottlerocketNvidia({ releaseVersion: "1.52.0" }), "g5.xlarge"],
    [NodeImage.bottlerocketNvidia({ releaseVersion: "1.52.0-3b6b8a4f" }), "g5g.xlarge"],
    [customImage(), "g7.2xlarge"],
    [customImage(), "inf2.xlarge"],
    [customImage({ imageId: "ami-01234567", rootDeviceName: "/dev/sda1" }), "g5g.xlarge"],
  ])("%# ", (image, type) => {
    expect(image._problems(of(type), "1.34", all)).toEqual([]);
    expect(image._problems(of(type), undefined, all)).toEqual([]);
  });
});

test("settings that only Terraform knows are not held against their forms", () => {
  const settings = { imageId: "var.image", rootDeviceName: "var.device", releaseVersion: "var.release" };
  const { releaseVersion, ...own } = settings;
  const isKnown = (setting: string) => !Object.values(settings).includes(setting);
  expect(customImage(own)._problems(of("g5.xlarge"), "1.34", isKnown)).toEqual([]);
  for (const image of [NodeImage.al2023Nvidia({ releaseVersion }), NodeImage.bottlerocketNvidia({ releaseVersion })]) {
    expect(image._problems(of("g5.xlarge"), "1.34", isKnown)).toEqual([]);
  }
});

describe("an image that does not fit is refused", () => {
  test.each<[NodeImage, string, string | undefined, string[]]>([
    [
      NodeImage.al2023Nvidia(),
      "inf2.xlarge",
      "1.34",
      [
        "AL2023 NVIDIA is for NVIDIA only, got: inf2.xlarge with AWS Neuron Inferentia2; " +
          "use NodeImage.al2023Neuron() or a custom image",
      ],
    ],
    [
      NodeImage.al2023Nvidia(),
      "g4ad.xlarge",
      "1.34",
      [
        "AL2023 NVIDIA is for NVIDIA only, got: g4ad.xlarge with AMD Radeon Pro V520; " +
          "use NodeImage.al2023Standard() or a custom image",
      ],
    ],
    [
      NodeImage.bottlerocketNvidia(),
      "trn1.32xlarge",
      "1.34",
      [
        "Bottlerocket NVIDIA is for NVIDIA only, got: trn1.32xlarge with AWS Neuron Trainium; " +
          "use NodeImage.al2023Neuron() or a custom image",
      ],
    ],
    [
      NodeImage.al2023Neuron(),
      "g5.xlarge",
      "1.34",
      [
        "AL2023 Neuron is for AWS Neuron only, got: g5.xlarge with NVIDIA A10G; " +
          "use NodeImage.al2023Nvidia() or a custom image",
      ],
    ],
    [
      NodeImage.al2023Neuron(),
      "g5g.xlarge",
      "1.34",
      [
        "AL2023 Neuron is for AWS Neuron only, got: g5g.xlarge with NVIDIA T4g; " +
          "use NodeImage.al2023Nvidia() or a custom image",
        "AL2023 Neuron exists for x86_64 only, got: g5g.xlarge, which is arm64; use a custom image",
      ],
    ],
    [
      NodeImage.al2023Standard(),
      "g5.xlarge",
      "1.34",
      [
        "AL2023 standard has no NVIDIA driver, so no nvidia.com/gpu would become allocatable, got: g5.xlarge; " +
          "use NodeImage.al2023Nvidia() or a custom image",
      ],
    ],
    [
      NodeImage.al2023Standard(),
      "inf1.xlarge",
      "1.34",
      [
        "AL2023 standard has no AWS Neuron driver, so no aws.amazon.com/neuron would become allocatable, " +
          "got: inf1.xlarge; use NodeImage.al2023Neuron() or a custom image",
      ],
    ],
    [
      NodeImage.al2023Nvidia(),
      "g7.2xlarge",
      "1.34",
      [
        "AL2023 NVIDIA comes with NVIDIA driver 580 and the RTX PRO 4500 needs 595, got: g7.2xlarge; " +
          "use NodeImage.custom() with an image built with that driver",
      ],
    ],
    [
      NodeImage.bottlerocketNvidia(),
      "g7.48xlarge",
      "1.34",
      [
        "Bottlerocket NVIDIA comes with NVIDIA driver 580 and the RTX PRO 4500 needs 595, got: g7.48xlarge; " +
          "use NodeImage.custom() with an image built with that driver",
      ],
    ],
    [
      NodeImage.al2023Nvidia(),
      "g5.xlarge",
      "v1.34",
      ["kubernetesVersion must be a minor version such as 1.34, got: v1.34"],
    ],
    [customImage(), "g5.xlarge", "1.34.2", ["kubernetesVersion must be a minor version such as 1.34, got: 1.34.2"]],
    [
      NodeImage.al2023Nvidia(),
      "g5.xlarge",
      "1.22",
      ["AL2023 images exist from Kubernetes 1.23 on, got: 1.22; upgrade the cluster"],
    ],
    [
      NodeImage.al2023Nvidia({ releaseVersion: "1.33.5-20251120" }),
      "g5.xlarge",
      "1.34",
      [
        "releaseVersion must be one of Kubernetes 1.34, the version of the nodes, " +
          "got: 1.33.5-20251120 of Kubernetes 1.33; leave it out for the latest",
      ],
    ],
    [
      NodeImage.al2023Nvidia({ releaseVersion: "v20251120" }),
      "g5.xlarge",
      undefined,
      ["releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: v20251120"],
    ],
    [
      NodeImage.al2023Nvidia({ releaseVersion: "1.34.2-20251320" }),
      "g5.xlarge",
      "1.34",
      [
        "releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: 1.34.2-20251320, " +
          "which is a Bottlerocket release",
      ],
    ],
    [
      NodeImage.al2023Neuron({ releaseVersion: "1.52.0" }),
      "inf2.xlarge",
      "1.34",
      [
        "releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: 1.52.0, which is a Bottlerocket release",
      ],
    ],
    [
      NodeImage.bottlerocketNvidia({ releaseVersion: "1.34.2-20251120" }),
      "g5.xlarge",
      "1.34",
      [
        "releaseVersion of a Bottlerocket image must look like 1.52.0 or 1.52.0-3b6b8a4f, got: 1.34.2-20251120, " +
          "which is an AL2023 release",
      ],
    ],
    [
      NodeImage.bottlerocketNvidia({ releaseVersion: "latest" }),
      "g5.xlarge",
      "1.34",
      ["releaseVersion of a Bottlerocket image must look like 1.52.0 or 1.52.0-3b6b8a4f, got: latest"],
    ],
    [
      customImage({ imageId: "${var.image}", rootDeviceName: "${var.device}" }),
      "g5.xlarge",
      "1.34",
      [
        "imageId must be an AMI id such as ami-0123456789abcdef0, got: ${var.image}",
        "rootDeviceName must be a device such as /dev/xvda or /dev/sda1, got: ${var.device}; " +
          "the AMI's block device mapping names it",
      ],
    ],
    [
      NodeImage.al2023Nvidia({ releaseVersion: "${var.release}" }),
      "g5.xlarge",
      "1.34",
      ["releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: ${var.release}"],
    ],
    [
      customImage({ minimumVolumeGib: "20" as any }),
      "g5.xlarge",
      "1.34",
      ['minimumVolumeGib must be a whole number of at least 1, got: "20"'],
    ],
    [
      customImage({ imageId: "my-image", rootDeviceName: "xvda", minimumVolumeGib: 0 }),
      "g5.xlarge",
      "1.34",
      [
        "imageId must be an AMI id such as ami-0123456789abcdef0, got: my-image",
        "rootDeviceName must be a device such as /dev/xvda or /dev/sda1, got: xvda; " +
          "the AMI's block device mapping names it",
        "minimumVolumeGib must be a whole number of at least 1, got: 0",
      ],
    ],
    [
      NodeImage.al2023Standard({ releaseVersion: "newest" }),
      "g5.xlarge",
      "34",
      [
        "AL2023 standard has no NVIDIA driver, so no nvidia.com/gpu would become allocatable, got: g5.xlarge; " +
          "use NodeImage.al2023Nvidia() or a custom image",
        "kubernetesVersion must be a minor version such as 1.34, got: 34",
        "releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: newest",
      ],
    ],
  ])("%#", (image, type, kubernetesVersion, problems) => {
    expect(image._problems(of(type), kubernetesVersion, all)).toEqual(problems);
  });
});

test("every type but those that need a newer driver runs from its vendor's image", () => {
  const refused = AcceleratorType.all().filter(
    (type) => NodeImage.forVendor(type.vendor)._problems(type, "1.34", all).length > 0,
  );
  expect([...new Set(refused.map((type) => type.instanceType.split(".")[0]))]).toEqual(["g7"]);
});

test.each([
  [AcceleratorVendor.NVIDIA, "AL2023 NVIDIA"],
  [AcceleratorVendor.AWS_NEURON, "AL2023 Neuron"],
  [AcceleratorVendor.AMD, "AL2023 standard"],
  [AcceleratorVendor.HABANA, "AL2023 standard"],
  [AcceleratorVendor.QUALCOMM, "AL2023 standard"],
  [AcceleratorVendor.XILINX, "AL2023 standard"],
])("the image for %s is %s", (vendor, name) => {
  expect(NodeImage.forVendor(vendor).name).toBe(name);
});

test("a custom image keeps its id, and puts into its name nothing else than one", () => {
  expect(customImage()).toMatchObject({ imageId: AMI, releaseVersion: undefined });
  const token = "${TfToken[TOKEN.7]}";
  expect(customImage({ imageId: token })).toMatchObject({ imageId: token, name: "custom AMI" });
  expect(NodeImage.al2023Nvidia({ releaseVersion: "1.34.2-20251120" })).toMatchObject({
    imageId: undefined,
    releaseVersion: "1.34.2-20251120",
  });
});

test("images and join methods are recognised", () => {
  expect(NodeImage.isNodeImage(NodeImage.al2023Nvidia())).toBe(true);
  expect(JoinMethod.isJoinMethod(JoinMethod.nodeadm())).toBe(true);
  for (const other of [undefined, null, "nodeadm", {}, { name: "nodeadm" }]) {
    expect(NodeImage.isNodeImage(other)).toBe(false);
    expect(JoinMethod.isJoinMethod(other)).toBe(false);
  }
});
