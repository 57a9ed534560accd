import { TerraformStack } from "cdktf";
import { EfaLayout, GpuSharing, JoinMethod, NodeGroupType, NodeImage } from "cdktf-elastic-gpu";
import { refusalOf } from "../../support/pool";
import { inPool, Refusal, customType, textToken } from "../../support/samples";

describe("pools are refused with what to change", () => {
  describe("instance types", () => {
    test.each<Refusal>([
      [
        "none",
        { instanceTypes: [] },
        ['instanceTypes: must be a list of one instance type or more, got: []. Such as ["g6.12xlarge"]'],
      ],
      [
        "no list",
        { instanceTypes: "g6.xlarge" },
        ['instanceTypes: must be a list of one instance type or more, got: "g6.xlarge". Such as ["g6.12xlarge"]'],
      ],
      [
        "a misspelt type",
        { instanceTypes: ["g6.12xlrage"] },
        [
          'instanceTypes: must be accelerated EC2 instance types of the catalogue, got: "g6.12xlrage". Did you mean g6.12xlarge or g6.2xlarge or g6.16xlarge? A type that is newer than the catalogue is described with AcceleratorType.custom() in customTypes',
        ],
      ],
      [
        "a type without accelerators",
        { instanceTypes: ["m7i.large"] },
        [
          'instanceTypes: must be accelerated EC2 instance types of the catalogue, got: "m7i.large". Did you mean g6f.large? A type that is newer than the catalogue is described with AcceleratorType.custom() in customTypes',
        ],
      ],
      [
        "a type in capitals",
        { instanceTypes: ["G6.XLARGE"] },
        [
          'instanceTypes: must be accelerated EC2 instance types of the catalogue, got: "G6.XLARGE". Did you mean g6.xlarge or g6.2xlarge or g6.4xlarge? A type that is newer than the catalogue is described with AcceleratorType.custom() in customTypes',
        ],
      ],
      [
        "a type of which too little is known",
        { instanceTypes: ["p6e-gb200.36xlarge"] },
        [
          "instanceTypes: p6e-gb200.36xlarge: vCPUs, memory, accelerator memory, network interfaces: supply them with AcceleratorType.custom({ ... })",
        ],
      ],
      [
        "a type twice",
        { instanceTypes: ["g6.xlarge", "g6.xlarge"] },
        ['instanceTypes: must name each type once, got: "g6.xlarge". Remove the repetition'],
      ],
      [
        "more than a node group takes",
        { instanceTypes: Array(21).fill("g6.xlarge") },
        [
          "instanceTypes: must be at most 20, got: 21. Remove the least likely ones",
          'instanceTypes: must name each type once, got: "g6.xlarge". Remove the repetition',
        ],
      ],
      [
        "more than an Auto Scaling group takes",
        { nodeGroupType: NodeGroupType.SELF_MANAGED, instanceTypes: Array(41).fill("g6.xlarge") },
        [
          "instanceTypes: must be at most 40, got: 41. Remove the least likely ones",
          'instanceTypes: must name each type once, got: "g6.xlarge". Remove the repetition',
        ],
      ],
      [
        "a custom type that is not used",
        { customTypes: [customType("p7.48xlarge")] },
        ['customTypes: must be named in instanceTypes too, got: "p7.48xlarge". Add it there, or remove it here'],
      ],
      [
        "x86 and Arm",
        { instanceTypes: ["g5.xlarge", "g5g.xlarge"] },
        ["instanceTypes: must all have one shape, got: g5.xlarge is x86_64, g5g.xlarge is arm64. Make a pool for each"],
      ],
      [
        "two models of GPU",
        { instanceTypes: ["g5.xlarge", "g6.xlarge"] },
        [
          "instanceTypes: must all have one shape, got: g5.xlarge has NVIDIA A10G, g6.xlarge has NVIDIA L4. Make a pool for each",
        ],
      ],
      [
        "two counts of GPUs",
        { instanceTypes: ["g6.xlarge", "g6.12xlarge"] },
        [
          "instanceTypes: must all have one shape, got: g6.xlarge has 1 accelerator, g6.12xlarge has 4 accelerators. Make a pool for each",
        ],
      ],
      [
        "two sizes of GPU memory",
        { instanceTypes: ["p4d.24xlarge", "p4de.24xlarge"] },
        [
          "instanceTypes: must all have one shape, got: p4d.24xlarge has 40960 MiB per accelerator, p4de.24xlarge has 81920 MiB per accelerator. Make a pool for each",
        ],
      ],
      [
        "two vendors",
        { instanceTypes: ["g6.xlarge", "inf2.xlarge"] },
        [
          "instanceTypes: must all have one shape, got: g6.xlarge has NVIDIA L4, inf2.xlarge has AWS Neuron Inferentia2. Make a pool for each",
        ],
      ],
      [
        "a larger type before a smaller one",
        { instanceTypes: ["g6.4xlarge", "g6.xlarge"] },
        [
          'instanceTypes: must start with the type that has the fewest vCPUs and the least memory, because the Cluster Autoscaler takes every node to be like the first, got: "g6.4xlarge (16 vCPUs, 64 GiB) before g6.xlarge (4 vCPUs, 16 GiB)". Put g6.xlarge first, or make a pool for each',
        ],
      ],
      [
        "fewer vCPUs than asked for",
        { instanceTypes: ["g6.xlarge", "g6.2xlarge"], minVcpusPerGpu: 8 },
        [
          'instanceTypes: must have at least 8 vCPUs an accelerator (minVcpusPerGpu), got: "g6.xlarge with 4". Remove it, choose a larger size, or lower minVcpusPerGpu',
        ],
      ],
      [
        "no vCPU asked for",
        { minVcpusPerGpu: 0 },
        [
          "minVcpusPerGpu: must be a literal number above 0, because types are held against it, got: 0. Give the vCPUs that feed one accelerator",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("EFA", () => {
    test.each<Refusal>([
      [
        "a type without EFA",
        { instanceTypes: ["g6.xlarge"], efa: EfaLayout.ipOptimised() },
        [
          'efa: must be EfaLayout.none() for types without EFA, got: "g6.xlarge". Leave efa out, or choose types that have it',
        ],
      ],
      [
        "one of several types without EFA",
        { instanceTypes: ["g6.4xlarge", "g6.8xlarge"], efa: EfaLayout.ipOptimised() },
        [
          'efa: must be EfaLayout.none() for types without EFA, got: "g6.4xlarge". Leave efa out, or choose types that have it',
        ],
      ],
      [
        "two layouts of cards",
        {
          instanceTypes: ["trn1.32xlarge", "trn1n.32xlarge"],
          efa: EfaLayout.ipOptimised(),
          availabilityZones: ["us-east-1a"],
        },
        [
          'instanceTypes: must have the same EFA cards, because the launch template lists them, got: "trn1.32xlarge with 8, trn1n.32xlarge with 16". Make a pool for each',
        ],
      ],
      [
        "types that differ in everything",
        {
          instanceTypes: ["p5.48xlarge", "p4d.24xlarge"],
          efa: EfaLayout.ipOptimised(),
          availabilityZones: ["us-east-1a"],
        },
        [
          "instanceTypes: must all have one shape, got: p5.48xlarge has NVIDIA H100, p4d.24xlarge has NVIDIA A100. Make a pool for each",
        ],
      ],
      [
        "several zones",
        { instanceTypes: ["p5.48xlarge"], efa: EfaLayout.ipOptimised() },
        [
          'efa: must be used in one Availability Zone, because EFA traffic does not leave it, got: "us-east-1a, us-east-1b". Choose one with availabilityZones',
        ],
      ],
      [
        "a public address beside several interfaces",
        {
          instanceTypes: ["p4d.24xlarge"],
          efa: EfaLayout.ipOptimised(),
          availabilityZones: ["us-east-1a"],
          associatePublicIpAddress: true,
        },
        [
          'associatePublicIpAddress: must not be true for nodes with several network interfaces, which EC2 refuses to launch, got: "true with 5 interfaces". Leave it out, and use private subnets with NAT or VPC endpoints',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
  describe("images and sharing", () => {
    test.each<Refusal>([
      [
        "Neuron's image for a GPU",
        { image: NodeImage.al2023Neuron() },
        [
          "image: AL2023 Neuron is for AWS Neuron only, got: g6.12xlarge with NVIDIA L4; use NodeImage.al2023Nvidia() or a custom image",
        ],
      ],
      [
        "an image without a driver",
        { image: NodeImage.al2023Standard() },
        [
          "image: AL2023 standard has no NVIDIA driver, so no nvidia.com/gpu would become allocatable, got: g6.12xlarge; use NodeImage.al2023Nvidia() or a custom image",
        ],
      ],
      [
        "NVIDIA's image for Neuron",
        { instanceTypes: ["inf2.xlarge"], image: NodeImage.al2023Nvidia() },
        [
          "image: AL2023 NVIDIA is for NVIDIA only, got: inf2.xlarge with AWS Neuron Inferentia2; use NodeImage.al2023Neuron() or a custom image",
        ],
      ],
      [
        "a GPU that is newer than the image's driver",
        { instanceTypes: ["g7.2xlarge"] },
        [
          "image: AL2023 NVIDIA comes with NVIDIA driver 580 and the RTX PRO 4500 needs 595, got: g7.2xlarge; use NodeImage.custom() with an image built with that driver",
        ],
      ],
      [
        "a release of another Kubernetes",
        { image: NodeImage.al2023Nvidia({ releaseVersion: "1.31.7-20250610" }) },
        [
          "image: releaseVersion must be one of Kubernetes 1.34, the version of the nodes, got: 1.31.7-20250610 of Kubernetes 1.31; leave it out for the latest",
        ],
      ],
      [
        "an image's name in the place of its ID",
        { image: NodeImage.custom({ imageId: "my-image", join: JoinMethod.nodeadm() }) },
        ["image: imageId must be an AMI id such as ami-0123456789abcdef0, got: my-image"],
      ],
      [
        "a release as token in a self-managed group",
        (stack: TerraformStack) => ({
          nodeGroupType: NodeGroupType.SELF_MANAGED,
          image: NodeImage.al2023Nvidia({ releaseVersion: textToken(stack) }),
        }),
        [
          "image: must have a literal releaseVersion for a self-managed group, because the path of its image is made from it, got: a token. Write it out",
        ],
      ],
      [
        "a share too few",
        { sharing: GpuSharing.timeSlicing({ replicas: 1 }) },
        [
          "sharing: time-slicing replicas must be a whole number from 2 to 250 (the pods that EKS gives a node at most), got: 1; for one pod a GPU use GpuSharing.none()",
        ],
      ],
      [
        "sharing of Neuron devices",
        { instanceTypes: ["inf2.xlarge"], sharing: GpuSharing.timeSlicing({ replicas: 4 }) },
        [
          "sharing: time-slicing needs NVIDIA GPUs, got: inf2.xlarge with AWS Neuron Inferentia2; use GpuSharing.none() and let pods request single cores as aws.amazon.com/neuroncore",
        ],
      ],
      [
        "a profile of another GPU",
        { instanceTypes: ["p5.48xlarge"], sharing: GpuSharing.mig("1g.5gb") },
        [
          "sharing: MIG profile must be one of 1g.10gb, 1g.10gb+me, 1g.20gb, 2g.20gb, 3g.40gb, 4g.40gb, 7g.80gb for H100 80GB (p5.48xlarge), got: 1g.5gb",
        ],
      ],
      [
        "partitions of a GPU that has none",
        { sharing: GpuSharing.mig("1g.5gb") },
        [
          "sharing: MIG needs one of the GPUs A100, H100, H200, B200, B300, GB200, RTX PRO Server 6000, got: g6.12xlarge with L4; use GpuSharing.timeSlicing() or GpuSharing.mps()",
        ],
      ],
      [
        "a profile that Bottlerocket does not set",
        { instanceTypes: ["p5.48xlarge"], image: NodeImage.bottlerocketNvidia(), sharing: GpuSharing.mig("4g.40gb") },
        [
          "sharing: MIG profile must be one of 1g.10gb, 1g.20gb, 2g.20gb, 3g.40gb, 7g.80gb on Bottlerocket for H100 80GB (p5.48xlarge), got: 4g.40gb; use one of those or NodeImage.al2023Nvidia()",
        ],
      ],
      [
        "partitions on an image that joins by itself",
        {
          instanceTypes: ["p5.48xlarge"],
          sharing: GpuSharing.mig("1g.10gb"),
          image: NodeImage.custom({ imageId: "ami-0123456789abcdef0", join: JoinMethod.ownUserData() }),
        },
        [
          "sharing: must not be MIG for an image that joins by its own user data, because the partitions are made before nodeadm starts. Use JoinMethod.nodeadm(), or partition in the image and leave sharing out",
        ],
      ],
    ])("%s", (_, choices, lines) => expect(refusalOf(choices)).toEqual(inPool(lines)));
  });
});
