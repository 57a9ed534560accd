import { DefaultSecurityGroup } from "@cdktf/provider-aws/lib/default-security-group";
import { Eip } from "@cdktf/provider-aws/lib/eip";
import { InternetGateway } from "@cdktf/provider-aws/lib/internet-gateway";
import { NatGateway } from "@cdktf/provider-aws/lib/nat-gateway";
import { Route } from "@cdktf/provider-aws/lib/route";
import { RouteTable } from "@cdktf/provider-aws/lib/route-table";
import { RouteTableAssociation } from "@cdktf/provider-aws/lib/route-table-association";
import { Subnet } from "@cdktf/provider-aws/lib/subnet";
import { Vpc } from "@cdktf/provider-aws/lib/vpc";
import { ITerraformDependable, TerraformResource } from "cdktf";
import { Construct } from "constructs";
import { ResourceOptions } from "../../internal/resource-options";
import { ClusterSubnet } from "../cluster";
import { ClusterNetwork, ExistingNetwork } from "../cluster-network";
import { regionOf } from "../zones";
import { carve } from "./carve";
import { Cidr, formatCidr } from "./cidr";
import { endpoints, NEEDED_WITHOUT_INTERNET } from "./endpoints";

const ANYWHERE = "0.0.0.0/0";

export interface OwnNetworkFacts {
  readonly network: ClusterNetwork;
  readonly cidr: Cidr;
  readonly zones: string[];
  /** Start of the names by which people know the parts. */
  readonly name: string;
  /** What names differ by although the path does not say it. */
  readonly realm: string;
  readonly tags: { [key: string]: string };
}

/** The network that a cluster is made in. */
export interface Network {
  readonly vpcId: string;
  /** For nodes and pods, one in each zone. */
  readonly subnets: ClusterSubnet[];
  readonly controlPlaneSubnetIds: string[];
  /** Ranges of the subnets by zone. Empty where they are not known. */
  readonly ranges: { [zone: string]: Cidr };
  /** What nodes need to reach images and AWS; it must be there before them, and go after them. */
  readonly ways: ITerraformDependable[];
}

/** A VPC over the zones, with what it takes for nodes to reach AWS. */
export function ownNetwork(scope: Construct, facts: OwnNetworkFacts, options: ResourceOptions): Network {
  const { network, zones, name, tags } = facts;
  const named = (part: string): { [key: string]: string } => ({ Name: `${name}-${part}`, ...tags });
  const vpc = new Vpc(scope, "Vpc", {
    ...options,
    cidrBlock: formatCidr(facts.cidr),
    enableDnsSupport: true,
    enableDnsHostnames: true,
    tags: { Name: name, ...tags },
  });
  const vpcId = vpc.id;
  // EC2 opens the group that comes with a VPC to itself and to the world; nothing is to be put into it by mistake.
  new DefaultSecurityGroup(scope, "DefaultSecurityGroup", { ...options, vpcId, tags: named("default-closed") });

  const parts: Parts = { scope, vpcId, zones, named, options };
  const { privateSubnets, publicSubnets } = carve(facts.cidr, zones.length);
  const ofNodes = subnets(parts, "Private", privateSubnets, "kubernetes.io/role/internal-elb");
  const outside = network._isPublic
    ? publicPart(parts, subnets(parts, "Public", publicSubnets, "kubernetes.io/role/elb"))
    : undefined;
  const gateways = outside ? natGateways(parts, network, outside) : [];
  const ways = privateRoutes(parts, ofNodes, gateways);
  const subnetIds = ofNodes.map((subnet) => subnet.id);
  const toServices = endpoints(
    scope,
    {
      region: regionOf(zones[0]),
      services: servicesOf(network),
      vpcId,
      vpcCidr: formatCidr(facts.cidr),
      subnetIds,
      routeTableIds: ways.routeTableIds,
      realm: facts.realm,
      tagsFor: named,
    },
    options,
  );
  return {
    vpcId,
    subnets: zones.map((availabilityZone, index) => ({ subnetId: subnetIds[index], availabilityZone })),
    controlPlaneSubnetIds: subnetIds,
    ranges: Object.fromEntries(zones.map((zone, index) => [zone, privateSubnets[index]])),
    ways: [...ways.routes, ...toServices],
  };
}

/** A VPC that exists, to which nothing is added. */
export function existingNetwork({ vpcId, subnets, controlPlaneSubnetIds }: ExistingNetwork): Network {
  return {
    vpcId,
    subnets: [...subnets],
    controlPlaneSubnetIds: controlPlaneSubnetIds ?? subnets.map((subnet) => subnet.subnetId),
    ranges: {},
    ways: [],
  };
}

/** Services with an interface endpoint: all that a cluster needs where nodes have no other way. */
function servicesOf(network: ClusterNetwork): string[] {
  const needed = network._natGateways._count(1) === 0 ? NEEDED_WITHOUT_INTERNET : [];
  return [...needed, ...network._endpoints.filter((service) => !needed.includes(service))];
}

interface Parts {
  readonly scope: Construct;
  readonly vpcId: string;
  readonly zones: string[];
  readonly named: (part: string) => { [key: string]: string };
  readonly options: ResourceOptions;
}

function subnets(parts: Parts, kind: "Private" | "Public", ranges: Cidr[], role: string): Subnet[] {
  const { scope, vpcId, zones, named, options } = parts;
  return zones.map(
    (availabilityZone, index) =>
      new Subnet(scope, `${kind}Subnet-${availabilityZone}`, {
        ...options,
        vpcId,
        availabilityZone,
        cidrBlock: formatCidr(ranges[index]),
        mapPublicIpOnLaunch: false,
        // By these the AWS Load Balancer Controller finds subnets for load balancers.
        tags: { ...named(`${kind.toLowerCase()}-${availabilityZone}`), [role]: "1" },
      }),
  );
}

interface Outside {
  readonly subnetIds: string[];
  /** What must exist before anything in the public subnets reaches the internet. */
  readonly routes: TerraformResource[];
}

function publicPart({ scope, vpcId, zones, named, options }: Parts, publicSubnets: Subnet[]): Outside {
  const gateway = new InternetGateway(scope, "InternetGateway", { ...options, vpcId, tags: named("internet") });
  const table = new RouteTable(scope, "PublicRoutes", { ...options, vpcId, tags: named("public") });
  const routeTableId = table.id;
  const route = new Route(scope, "PublicDefaultRoute", {
    ...options,
    routeTableId,
    destinationCidrBlock: ANYWHERE,
    gatewayId: gateway.id,
  });
  const subnetIds = publicSubnets.map((subnet) => subnet.id);
  const associations = zones.map(
    (zone, index) =>
      new RouteTableAssociation(scope, `PublicRoutes-${zone}`, {
        ...options,
        routeTableId,
        subnetId: subnetIds[index],
      }),
  );
  return { subnetIds, routes: [route, ...associations] };
}

/** NAT gateways in the first zones, as many as were chosen. */
function natGateways({ scope, zones, named, options }: Parts, network: ClusterNetwork, outside: Outside): NatGateway[] {
  const dependsOn = [...(options.dependsOn ?? []), ...outside.routes];
  return zones.slice(0, network._natGateways._count(zones.length)).map((zone, index) => {
    const address = new Eip(scope, `NatAddress-${zone}`, {
      ...options,
      dependsOn,
      domain: "vpc",
      tags: named(`nat-${zone}`),
    });
    return new NatGateway(scope, `NatGateway-${zone}`, {
      ...options,
      dependsOn,
      allocationId: address.id,
      subnetId: outside.subnetIds[index],
      tags: named(`nat-${zone}`),
    });
  });
}

interface PrivateRoutes {
  readonly routeTableIds: string[];
  readonly routes: TerraformResource[];
}

/** A route table for each zone, so that zones can have gateways of their own. */
function privateRoutes(
  { scope, vpcId, zones, named, options }: Parts,
  ofNodes: Subnet[],
  gateways: NatGateway[],
): PrivateRoutes {
  const natIds = gateways.map((gateway) => gateway.id);
  const routeTableIds: string[] = [];
  const routes = zones.flatMap((zone, index) => {
    const routeTableId = new RouteTable(scope, `PrivateRoutes-${zone}`, {
      ...options,
      vpcId,
      tags: named(`private-${zone}`),
    }).id;
    routeTableIds.push(routeTableId);
    const association = new RouteTableAssociation(scope, `PrivateRoutesOf-${zone}`, {
      ...options,
      routeTableId,
      subnetId: ofNodes[index].id,
    });
    const natGatewayId = natIds[index] ?? natIds[0];
    return natGatewayId === undefined
      ? [association]
      : [
          association,
          new Route(scope, `PrivateDefaultRoute-${zone}`, {
            ...options,
            routeTableId,
            destinationCidrBlock: ANYWHERE,
            natGatewayId,
          }),
        ];
  });
  return { routeTableIds, routes };
}
