import { TerraformStack } from "cdktf";
import { ClusterNetwork, NatGateways } from "cdktf-elastic-gpu";
import { clusterRefusal } from "../../support/cluster";
import { listToken, numberToken, Refusal, textToken } from "../../support/samples";

const REGISTRY = "123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror";
const subnets = [
  { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
  { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
];
const noRegistry =
  "registry: must be given where nodes have no way to the internet, because the add-ons' images and charts come from it, got: undefined. Mirror them into ECR, and give the prefix, such as 123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror";
const zonesOf = (got: string) =>
  `availabilityZones: must be 2 to 7 zones, because EKS wants two at least, got: ${got}. Such as ["us-east-1a", "us-east-1b", "us-east-1c"]`;
const noZone = (got: string) =>
  `availabilityZones: must be names of Availability Zones such as us-east-1a, not of Local or Wavelength Zones, and no IDs, got: ${got}. Give the name that aws ec2 describe-availability-zones prints`;
const own = (cidr: any) => ({ network: ClusterNetwork.own({ cidr }) });
const noRange = (got: string, remedy: string) =>
  `network.cidr: must be an IPv4 range such as 10.0.0.0/16, with its first address, got: ${got}. ${remedy}`;

describe("clusters are refused with what to change", () => {
  describe("zones", () => {
    test.each<Refusal>([
      ["none given", { availabilityZones: undefined }, [zonesOf("undefined")]],
      ["none", { availabilityZones: [] }, [zonesOf("[]")]],
      ["one", { availabilityZones: ["us-east-1a"] }, [zonesOf('["us-east-1a"]')]],
      [
        "eight",
        { availabilityZones: [..."abcdefgh"].map((letter) => `us-east-1${letter}`) },
        [zonesOf(JSON.stringify([..."abcdefgh"].map((letter) => `us-east-1${letter}`)))],
      ],
      [
        "one twice",
        { availabilityZones: ["us-east-1a", "us-east-1b", "us-east-1a"] },
        ['availabilityZones: must name each zone once, got: "us-east-1a". Remove the repetition'],
      ],
      ["an ID", { availabilityZones: ["use1-az1", "us-east-1b"] }, [noZone('"use1-az1"')]],
      ["a Local Zone", { availabilityZones: ["us-east-1a", "us-east-1-bos-1a"] }, [noZone('"us-east-1-bos-1a"')]],
      ["a number", { availabilityZones: ["us-east-1a", 2] }, [noZone("2")]],
      [
        "of two regions",
        { availabilityZones: ["us-east-1a", "us-east-2a"] },
        ['availabilityZones: must be in one region, got: "us-east-1a, us-east-2a". Make a cluster for each region'],
      ],
      [
        "a token for one",
        (stack: TerraformStack) => ({ availabilityZones: ["us-east-1a", textToken(stack)] }),
        [
          "availabilityZones: must be literal texts, because they decide which subnets there are, got: a token. Write the zones out",
        ],
      ],
      [
        "a token for all",
        (stack: TerraformStack) => ({ availabilityZones: listToken(stack) }),
        [
          "availabilityZones: must be a list that is written out; its members may be tokens, got: a token. List the members one by one",
        ],
      ],
      [
        "beside an existing network",
        {
          availabilityZones: ["us-east-1a", "us-east-1b"],
          network: ClusterNetwork.existing({ vpcId: "vpc-0123", subnets }),
        },
        [
          'availabilityZones: must be left out for an existing network, whose subnets say it, got: ["us-east-1a","us-east-1b"]. Remove it',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("the range of the VPC", () => {
    test.each<Refusal>([
      ["an address inside of it", own("10.0.0.5/16"), [noRange('"10.0.0.5/16"', "Write 10.0.0.0/16")]],
      ["no range", own("10.0.0.0"), [noRange('"10.0.0.0"', "Correct it")]],
      ["a number that is too large", own("10.0.300.0/16"), [noRange('"10.0.300.0/16"', "Correct it")]],
      ["IPv6", own("2001:db8::/32"), [noRange('"2001:db8::/32"', "Correct it")]],
      ["a number", own(10), [noRange("10", "Correct it")]],
      [
        "larger than a VPC",
        own("10.0.0.0/15"),
        ['network.cidr: must be from /16 to /28, as VPCs are, got: "10.0.0.0/15". Choose such a range'],
      ],
      [
        "smaller than a VPC",
        own("10.0.0.0/29"),
        ['network.cidr: must be from /16 to /28, as VPCs are, got: "10.0.0.0/29". Choose such a range'],
      ],
      [
        "too small for three zones",
        own("10.0.0.0/24"),
        [
          'network.cidr: must be /23 or larger for 3 zones, so that load balancers fit into the public subnets, got: "10.0.0.0/24". Choose a larger range; GPU nodes take many addresses, and /16 costs no more',
        ],
      ],
      [
        "too small for four zones",
        { ...own("10.0.0.0/22"), availabilityZones: ["us-east-1a", "us-east-1b", "us-east-1c", "us-east-1d"] },
        [
          'network.cidr: must be /21 or larger for 4 zones, so that load balancers fit into the public subnets, got: "10.0.0.0/22". Choose a larger range; GPU nodes take many addresses, and /16 costs no more',
        ],
      ],
      [
        "a token",
        (stack: TerraformStack) => own(textToken(stack)),
        ["network.cidr: must be a literal text, because subnets are cut from it, got: a token. Write the range out"],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("the range of services", () => {
    const form = (got: string) =>
      `serviceCidr: must be a range of /12 to /24 in 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16, got: ${got}. Such as 172.20.0.0/16, or leave it out`;
    const inVpc = (vpc: string, got: string) =>
      `serviceCidr: must not overlap the VPC's range, ${vpc}, got: "${got}". Choose another range for one of them, or leave serviceCidr out`;
    test.each<Refusal>([
      ["inside of the VPC", { serviceCidr: "10.0.128.0/20" }, [inVpc("10.0.0.0/16", "10.0.128.0/20")]],
      [
        "around the VPC",
        { ...own("172.20.0.0/16"), serviceCidr: "172.16.0.0/12" },
        [inVpc("172.20.0.0/16", "172.16.0.0/12")],
      ],
      ["of the internet", { serviceCidr: "203.0.113.0/24" }, [form('"203.0.113.0/24"')]],
      ["half outside of a private range", { serviceCidr: "172.0.0.0/11" }, [form('"172.0.0.0/11"')]],
      ["too small", { serviceCidr: "172.20.0.0/25" }, [form('"172.20.0.0/25"')]],
      ["no range", { serviceCidr: "172.20.0.1/16" }, [form('"172.20.0.1/16"')]],
      ["a number", { serviceCidr: 172 }, [form("172")]],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("ways out", () => {
    test.each<Refusal>([
      ["no internet and no registry", { network: ClusterNetwork.isolated() }, [noRegistry]],
      [
        "no NAT gateways and no registry",
        { network: ClusterNetwork.own({ natGateways: NatGateways.none() }) },
        [noRegistry],
      ],
      [
        "a registry with a scheme",
        { registry: "https://registry.example.com" },
        [
          'registry: must be the name of a registry with a path, without a scheme and without a slash at its end, got: "https://registry.example.com". Such as 123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror',
        ],
      ],
      [
        "NAT gateways by number",
        { network: ClusterNetwork.own({ natGateways: 1 as any }) },
        [
          "network.natGateways: must be made by NatGateways.onePerZone(), .single() or .none(), got: 1. Call one of them",
        ],
      ],
      [
        "an endpoint for S3",
        { network: ClusterNetwork.own({ interfaceEndpoints: ["s3"] }) },
        [
          'network.interfaceEndpoints: must not name s3, which has its gateway endpoint, free of charge, got: "s3". Remove it',
        ],
      ],
      [
        "an endpoint twice",
        { network: ClusterNetwork.isolated({ interfaceEndpoints: ["fsx", "fsx"] }), registry: REGISTRY },
        ['network.interfaceEndpoints: must name each service once, got: "fsx". Remove the repetition'],
      ],
      [
        "an endpoint by its URL",
        { network: ClusterNetwork.own({ interfaceEndpoints: ["sts.us-east-1.amazonaws.com/"] }) },
        [
          'network.interfaceEndpoints: must be names of services as AWS writes them behind com.amazonaws.<region>., got: "sts.us-east-1.amazonaws.com/". Such as ecr.api',
        ],
      ],
      [
        "endpoints as token",
        (stack: TerraformStack) => ({ network: ClusterNetwork.own({ interfaceEndpoints: listToken(stack) }) }),
        [
          'network.interfaceEndpoints: must be a list of literal names of services, got: a token. Such as ["ecr.api", "ecr.dkr"]',
        ],
      ],
      [
        "a network of another make",
        { network: { cidr: "10.0.0.0/16" } },
        [
          'network: must be made by ClusterNetwork.own(), .isolated() or .existing(), got: {"cidr":"10.0.0.0/16"}. Call one of them',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });

  describe("an existing network", () => {
    const existing = (options: any) => ({
      network: ClusterNetwork.existing({ vpcId: "vpc-0123", subnets, ...options }),
    });
    test.each<Refusal>([
      [
        "its name",
        existing({ vpcId: "main" }),
        ['network.vpcId: must be the ID of a VPC (vpc-…), got: "main". Give the ID, not the name'],
      ],
      [
        "without subnets",
        existing({ subnets: [] }),
        ["network.subnets: must name at least one subnet, got: []. List the private subnets that pools may use"],
      ],
      [
        "subnets of one zone",
        existing({ subnets: [subnets[0], { ...subnets[1], availabilityZone: "us-east-1a" }] }),
        [
          'network.subnets: must be in two Availability Zones at least, as EKS wants it, got: ["us-east-1a"]. Add a subnet in another zone',
        ],
      ],
      [
        "subnets of two regions",
        existing({ subnets: [subnets[0], { ...subnets[1], availabilityZone: "us-east-2a" }] }),
        ['network.subnets: must be in one region, got: "us-east-1a, us-east-2a". Make a cluster for each region'],
      ],
      [
        "one subnet for the control plane",
        existing({ controlPlaneSubnetIds: ["subnet-0ccc"] }),
        [
          'network.controlPlaneSubnetIds: must be the IDs of two subnets at least (subnet-…), in different zones, got: ["subnet-0ccc"]. Leave it out for the subnets of nodes',
        ],
      ],
      [
        "a number token within its ID",
        (stack: TerraformStack) => existing({ vpcId: `vpc-${numberToken(stack)}` }),
        [
          "network.vpcId: must not have a number token within text, got: a token. Write Token.asString(number) in its place",
        ],
      ],
      [
        "a number token within a subnet's ID",
        (stack: TerraformStack) => existing({ controlPlaneSubnetIds: ["subnet-0ccc", `subnet-${numberToken(stack)}`] }),
        [
          "network.controlPlaneSubnetIds[1]: must not have a number token within text, got: a token. Write Token.asString(number) in its place",
        ],
      ],
      [
        "a subnet for the control plane outside of a list",
        existing({ controlPlaneSubnetIds: "subnet-0ccc" }),
        [
          'network.controlPlaneSubnetIds: must be a list that is written out; its members may be tokens, got: "subnet-0ccc". List the members one by one',
        ],
      ],
      [
        "a subnet for the control plane by name",
        existing({ controlPlaneSubnetIds: ["subnet-0ccc", "control"] }),
        [
          'network.controlPlaneSubnetIds: must be the IDs of two subnets at least (subnet-…), in different zones, got: "control". Leave it out for the subnets of nodes',
        ],
      ],
    ])("%s", (_, choices, lines) => expect(clusterRefusal(choices)).toEqual(lines));
  });
});
