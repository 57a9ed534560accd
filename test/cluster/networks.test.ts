import { ClusterNetwork, ClusterSubnet, NatGateways } from "cdktf-elastic-gpu";
import { addressOf, prerequisites, synthCluster } from "../support/cluster";
import { allOf, Json, resources, theOne } from "../support/synth";

const REGISTRY = "123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror";
const NEEDED = [
  "autoscaling",
  "ec2",
  "ecr.api",
  "ecr.dkr",
  "eks",
  "eks-auth",
  "elasticloadbalancing",
  "kms",
  "logs",
  "sqs",
  "sts",
];

function servicesOf(json: Json, type: "Interface" | "Gateway"): string[] {
  const endpoints = allOf(json, "aws_vpc_endpoint").filter(({ vpc_endpoint_type }) => vpc_endpoint_type === type);
  return endpoints.map(({ service_name }) => service_name.replace("com.amazonaws.us-east-1.", "")).sort();
}

function subnetsOf(json: Json, role: string): [zone: string, cidr: string][] {
  return allOf(json, "aws_subnet")
    .filter(({ tags }) => tags[role] === "1")
    .map(({ availability_zone, cidr_block }) => [availability_zone, cidr_block]);
}

describe("a network of the cluster's own", () => {
  const { json } = synthCluster();

  test("has a large private and a small public subnet in each zone, tagged for load balancers", () => {
    expect(theOne(json, "aws_vpc")).toMatchObject({
      cidr_block: "10.0.0.0/16",
      enable_dns_hostnames: true,
      enable_dns_support: true,
      tags: { Name: "training" },
    });
    expect(subnetsOf(json, "kubernetes.io/role/internal-elb")).toEqual([
      ["us-east-1a", "10.0.0.0/18"],
      ["us-east-1b", "10.0.64.0/18"],
      ["us-east-1c", "10.0.128.0/18"],
    ]);
    expect(subnetsOf(json, "kubernetes.io/role/elb")).toEqual([
      ["us-east-1a", "10.0.192.0/24"],
      ["us-east-1b", "10.0.193.0/24"],
      ["us-east-1c", "10.0.194.0/24"],
    ]);
    expect(allOf(json, "aws_subnet").filter((subnet) => subnet.map_public_ip_on_launch)).toEqual([]);
  });

  test("puts nodes and control plane into the private subnets", () => {
    const privateSubnets = Object.keys(resources(json, "aws_subnet"))
      .filter((id) => id.includes("Private"))
      .map((id) => `\${aws_subnet.${id}.id}`);
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toEqual(privateSubnets);
    expect(theOne(json, "aws_eks_cluster").vpc_config.subnet_ids).toEqual(privateSubnets);
  });

  test("leads each zone through its own NAT gateway", () => {
    for (const zone of ["us-east-1a", "us-east-1b", "us-east-1c"]) {
      const route = resources(json, "aws_route")[
        addressOf(json, "aws_route", `PrivateDefaultRoute-${zone}`).slice("aws_route.".length)
      ];
      expect(route).toMatchObject({
        destination_cidr_block: "0.0.0.0/0",
        nat_gateway_id: `\${${addressOf(json, "aws_nat_gateway", zone)}.id}`,
        route_table_id: `\${${addressOf(json, "aws_route_table", `PrivateRoutes-${zone}`)}.id}`,
      });
    }
  });

  test("has gateways that outlive what they lead to", () => {
    const nat = prerequisites(json, addressOf(json, "aws_nat_gateway", "us-east-1a"));
    expect(nat).toContain(addressOf(json, "aws_internet_gateway"));
    expect(nat).toContain(addressOf(json, "aws_route", "Public"));
  });

  test("closes the security group that comes with a VPC", () => {
    const group = theOne(json, "aws_default_security_group");
    expect(group).not.toHaveProperty("ingress");
    expect(group).not.toHaveProperty("egress");
  });

  test("reaches S3 without NAT, and nothing else", () => {
    expect(servicesOf(json, "Gateway")).toEqual(["s3"]);
    expect(theOne(json, "aws_vpc_endpoint").route_table_ids).toHaveLength(3);
    expect(servicesOf(json, "Interface")).toEqual([]);
    expect(allOf(json, "aws_security_group")).toEqual([]);
  });

  test("takes another range", () => {
    const { json } = synthCluster({ network: ClusterNetwork.own({ cidr: "172.31.0.0/20" }) });
    expect(theOne(json, "aws_vpc").cidr_block).toBe("172.31.0.0/20");
    expect(subnetsOf(json, "kubernetes.io/role/internal-elb")[2]).toEqual(["us-east-1c", "172.31.8.0/22"]);
  });

  test("has one NAT gateway for all zones where that is chosen", () => {
    const { json } = synthCluster({ network: ClusterNetwork.own({ natGateways: NatGateways.single() }) });
    expect(allOf(json, "aws_eip")).toHaveLength(1);
    const gateway = `\${${addressOf(json, "aws_nat_gateway", "us-east-1a")}.id}`;
    expect(allOf(json, "aws_route").filter(({ nat_gateway_id }) => nat_gateway_id === gateway)).toHaveLength(3);
  });

  test("has interface endpoints for the services that were chosen, open to the VPC by HTTPS alone", () => {
    const { json } = synthCluster({ network: ClusterNetwork.own({ interfaceEndpoints: ["ecr.dkr", "sts"] }) });
    expect(servicesOf(json, "Interface")).toEqual(["ecr.dkr", "sts"]);
    expect(theOne(json, "aws_vpc_security_group_ingress_rule")).toMatchObject({
      cidr_ipv4: "10.0.0.0/16",
      ip_protocol: "tcp",
      from_port: 443,
      to_port: 443,
    });
    const [, endpoint] = Object.entries(resources(json, "aws_vpc_endpoint")).find(([id]) => id.includes("ecr"))!;
    expect(endpoint).toMatchObject({
      private_dns_enabled: true,
      security_group_ids: [`\${${addressOf(json, "aws_security_group")}.id}`],
    });
    expect(endpoint.subnet_ids).toHaveLength(3);
  });
});

describe("a network whose nodes have no way to the internet", () => {
  test("but load balancers: public subnets, no NAT gateway, and an endpoint for each service", () => {
    const network = ClusterNetwork.own({ natGateways: NatGateways.none() });
    const { json } = synthCluster({ network, registry: REGISTRY });
    expect(allOf(json, "aws_internet_gateway")).toHaveLength(1);
    expect(subnetsOf(json, "kubernetes.io/role/elb")).toHaveLength(3);
    expect([...allOf(json, "aws_nat_gateway"), ...allOf(json, "aws_eip")]).toEqual([]);
    expect(servicesOf(json, "Interface")).toEqual(NEEDED);
  });

  test("nor load balancers: no internet gateway, no public subnets, and an endpoint for each service", () => {
    const { json } = synthCluster({ network: ClusterNetwork.isolated(), registry: REGISTRY });
    for (const type of ["aws_internet_gateway", "aws_nat_gateway", "aws_eip", "aws_route"]) {
      expect([type, allOf(json, type)]).toEqual([type, []]);
    }
    expect(subnetsOf(json, "kubernetes.io/role/elb")).toEqual([]);
    expect(subnetsOf(json, "kubernetes.io/role/internal-elb")).toEqual(
      subnetsOf(synthCluster().json, "kubernetes.io/role/internal-elb"),
    );
    expect(servicesOf(json, "Gateway")).toEqual(["s3"]);
    expect(servicesOf(json, "Interface")).toEqual(NEEDED);
  });

  test("takes further services, and one that it has anyway", () => {
    const network = ClusterNetwork.isolated({ interfaceEndpoints: ["fsx", "sts"] });
    expect(servicesOf(synthCluster({ network, registry: REGISTRY }).json, "Interface")).toEqual(
      [...NEEDED, "fsx"].sort(),
    );
  });

  test("has its endpoints before the first node", () => {
    const { json } = synthCluster({ network: ClusterNetwork.isolated(), registry: REGISTRY });
    const before = prerequisites(json, addressOf(json, "aws_eks_node_group"));
    for (const type of ["aws_vpc_endpoint", "aws_vpc_security_group_ingress_rule"]) {
      expect(Object.keys(resources(json, type)).filter((id) => !before.has(`${type}.${id}`))).toEqual([]);
    }
  });
});

describe("a network that exists", () => {
  const subnets: ClusterSubnet[] = [
    { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
    { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
  ];
  const existing = (controlPlaneSubnetIds?: string[]) =>
    synthCluster({ network: ClusterNetwork.existing({ vpcId: "vpc-0123", subnets, controlPlaneSubnetIds }) }).json;

  test("is used as it is", () => {
    const json = existing();
    expect(Object.keys(json.resource).filter((type) => /vpc|subnet|route|gateway|eip|security/.test(type))).toEqual([]);
    expect(theOne(json, "aws_eks_cluster").vpc_config.subnet_ids).toEqual(["subnet-0aaa", "subnet-0bbb"]);
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toEqual(["subnet-0aaa", "subnet-0bbb"]);
  });

  test("may have other subnets for the control plane", () => {
    const json = existing(["subnet-0ccc", "subnet-0ddd"]);
    expect(theOne(json, "aws_eks_cluster").vpc_config.subnet_ids).toEqual(["subnet-0ccc", "subnet-0ddd"]);
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toEqual(["subnet-0aaa", "subnet-0bbb"]);
  });
});
