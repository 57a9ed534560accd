import { Subnet } from "@cdktf/provider-aws/lib/subnet";
import { TerraformStack, TerraformVariable } from "cdktf";
import { GpuCluster } from "cdktf-elastic-gpu";
import { addPool, clusterAttributes, clusterOf } from "../support/pool";
import { addresses, problemsOf, synth } from "../support/synth";
import { mapToken, numberToken, Refusal, textToken } from "../support/samples";

const refusalOf = (attributes: any): string[] =>
  problemsOf((stack) =>
    GpuCluster.fromAttributes(stack, "cluster", {
      ...clusterAttributes,
      ...(typeof attributes === "function" ? attributes(stack) : attributes),
    }),
  ).split("\n");

test("an imported cluster is what its owner says, and makes nothing", () => {
  const { json } = synth((stack) => {
    const cluster = clusterOf(stack);
    expect(cluster).toMatchObject(clusterAttributes);
    expect(cluster.pools).toEqual([]);
  });
  expect(addresses(json)).toEqual([]);
});

test("what only some pools need may be left out", () => {
  const needed = { endpoint: undefined, certificateAuthority: undefined, serviceCidr: undefined };
  expect(() => synth((stack) => addPool(stack, { cluster: clusterOf(stack, needed) }))).not.toThrow();
});

test("reading and changing its lists does not change the cluster", () => {
  synth((stack) => {
    const cluster = clusterOf(stack);
    addPool(stack, {});
    cluster.pools.pop();
    cluster.subnets.pop();
    expect([cluster.pools.length, cluster.subnets.length]).toEqual([1, 2]);
  });
});

test.each([
  ["us-east-1a", "us-east-1"],
  ["us-gov-west-1b", "us-gov-west-1"],
  ["cn-north-1a", "cn-north-1"],
  ["us-west-2-lax-1a", "us-west-2"],
  ["us-east-1-wl1-bos-wlz-1", "us-east-1"],
])("%s is a zone of %s", (availabilityZone, region) => {
  const subnets = [{ subnetId: "subnet-0aaa", availabilityZone }];
  synth((stack) => expect(clusterOf(stack, { subnets }).subnets).toEqual(subnets), region);
});

test.each([undefined, null, "prod"])("%p is no cluster's attributes", (attributes: any) => {
  expect(problemsOf((stack) => GpuCluster.fromAttributes(stack, "cluster", attributes))).toBe(
    `test/cluster: props: must be an object with properties, got: ${JSON.stringify(attributes)}. Write { clusterName: … }`,
  );
});

describe("attributes that cannot be right are refused with where to find the right ones", () => {
  test.each<Refusal>([
    [
      "an ARN as name",
      { clusterName: "arn:aws:eks:us-east-1:111122223333:cluster/prod" },
      [
        'clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: "arn:aws:eks:us-east-1:111122223333:cluster/prod". Give the name that `aws eks list-clusters` prints',
      ],
    ],
    [
      "an empty name",
      { clusterName: "" },
      [
        'clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: "". Give the name that `aws eks list-clusters` prints',
      ],
    ],
    [
      "a name over the limit",
      { clusterName: "c".repeat(101) },
      [
        'clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: "ccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc". Give the name that `aws eks list-clusters` prints',
      ],
    ],
    [
      "no name",
      { clusterName: undefined },
      [
        "clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: undefined. Give the name that `aws eks list-clusters` prints",
      ],
    ],
    [
      "a version with a patch",
      { kubernetesVersion: "1.34.2" },
      [
        'kubernetesVersion: must be a minor version of Kubernetes such as 1.34, got: "1.34.2". Give the cluster\'s version without a patch number, as text',
      ],
    ],
    [
      "a version as number",
      { kubernetesVersion: 1.34 },
      [
        "kubernetesVersion: must be a minor version of Kubernetes such as 1.34, got: 1.34. Give the cluster's version without a patch number, as text",
      ],
    ],
    [
      "a version with a v",
      { kubernetesVersion: "v1.34" },
      [
        'kubernetesVersion: must be a minor version of Kubernetes such as 1.34, got: "v1.34". Give the cluster\'s version without a patch number, as text',
      ],
    ],
    [
      "an endpoint without https",
      { endpoint: "EXAMPLE.gr7.us-east-1.eks.amazonaws.com" },
      [
        'endpoint: must be the https URL of the API server, got: "EXAMPLE.gr7.us-east-1.eks.amazonaws.com". Give what `aws eks describe-cluster` prints as endpoint',
      ],
    ],
    [
      "an endpoint with a path",
      { endpoint: "https://example.com/api" },
      [
        'endpoint: must be the https URL of the API server, got: "https://example.com/api". Give what `aws eks describe-cluster` prints as endpoint',
      ],
    ],
    [
      "a certificate as PEM",
      { certificateAuthority: "-----BEGIN CERTIFICATE-----" },
      [
        'certificateAuthority: must be the certificate in base64, on one line, as EKS gives it, got: "-----BEGIN CERTIFICATE-----". Give certificateAuthority.data of `aws eks describe-cluster`, not the PEM text',
      ],
    ],
    [
      "a certificate in lines",
      { certificateAuthority: "LS0t\nLS0t" },
      [
        'certificateAuthority: must be the certificate in base64, on one line, as EKS gives it, got: "LS0t\\nLS0t". Give certificateAuthority.data of `aws eks describe-cluster`, not the PEM text',
      ],
    ],
    [
      "an address in the place of a range",
      { serviceCidr: "10.100.0.1" },
      [
        'serviceCidr: must be an address range such as 10.100.0.0/16, got: "10.100.0.1". Give kubernetesNetworkConfig.serviceIpv4Cidr of `aws eks describe-cluster`',
      ],
    ],
    [
      "a security group by name",
      { clusterSecurityGroupId: "eks-cluster-sg-prod" },
      [
        'clusterSecurityGroupId: must be the ID of a security group (sg-…), got: "eks-cluster-sg-prod". Give resourcesVpcConfig.clusterSecurityGroupId of `aws eks describe-cluster`',
      ],
    ],
    [
      "no VPC",
      { vpcId: "" },
      ['vpcId: must be the ID of a VPC (vpc-…), got: "". Give resourcesVpcConfig.vpcId of `aws eks describe-cluster`'],
    ],
    [
      "no subnet",
      { subnets: [] },
      ["subnets: must name at least one subnet, got: []. List the private subnets that pools may use"],
    ],
    [
      "no list of subnets",
      { subnets: undefined },
      ["subnets: must name at least one subnet, got: undefined. List the private subnets that pools may use"],
    ],
    [
      "a subnet by ARN",
      {
        subnets: [
          { subnetId: "arn:aws:ec2:us-east-1:111122223333:subnet/subnet-0aaa", availabilityZone: "us-east-1a" },
        ],
      },
      [
        'subnets[0].subnetId: must be the ID of a subnet (subnet-…), got: "arn:aws:ec2:us-east-1:111122223333:subnet/subnet-0aaa". Give the ID, not the ARN or the name',
      ],
    ],
    [
      "nothing in the place of a subnet",
      { subnets: [null] },
      [
        'subnets[0]: must be a subnet with its zone, got: null. Such as { subnetId: "subnet-0123456789abcdef0", availabilityZone: "us-east-1a" }',
      ],
    ],
    [
      "a subnet's ID alone",
      { subnets: ["subnet-0aaa"] },
      [
        'subnets[0]: must be a subnet with its zone, got: "subnet-0aaa". Such as { subnetId: "subnet-0123456789abcdef0", availabilityZone: "us-east-1a" }',
      ],
    ],
    [
      "a misspelt attribute",
      { vpcID: "vpc-0aaa" },
      ["vpcID: is not a property of this construct. Correct its name, or remove it"],
    ],
    [
      "null",
      { endpoint: null },
      [
        "endpoint: must be the https URL of the API server, got: null. Give what `aws eks describe-cluster` prints as endpoint",
      ],
    ],
    [
      "what stands for anything",
      (stack: TerraformStack) => {
        const any: any = new TerraformVariable(stack, "any", { type: "any" }).value;
        return {
          clusterSecurityGroupId: any,
          subnets: [{ subnetId: any, availabilityZone: "us-east-1a" }],
          systemNodeSelector: { role: any },
        };
      },
      ["clusterSecurityGroupId", 'systemNodeSelector["role"]', "subnets[0].subnetId"].map(
        (property) =>
          `${property}: must be text, got: a token of something else. Use stringValue of the variable, or Token.asString()`,
      ),
    ],
    [
      "number tokens within texts",
      (stack: TerraformStack) => ({
        clusterName: `prod-${numberToken(stack)}`,
        subnets: [{ subnetId: `subnet-${numberToken(stack, "subnet")}`, availabilityZone: "us-east-1a" }],
        systemNodeSelector: { role: `system-${numberToken(stack, "role")}` },
      }),
      ["clusterName", 'systemNodeSelector["role"]', "subnets[0].subnetId"].map(
        (property) =>
          `${property}: must not have a number token within text, got: a token. Write Token.asString(number) in its place`,
      ),
    ],
    [
      "a selector as text",
      { systemNodeSelector: "node-role=system" },
      [
        'systemNodeSelector: must be a map that is written out; its values may be tokens, got: "node-role=system". Write its keys and values out',
      ],
    ],
    [
      "a selector that only Terraform knows",
      (stack: TerraformStack) => ({ systemNodeSelector: mapToken(stack) }),
      [
        "systemNodeSelector: must be a map that is written out; its values may be tokens, got: a token. Write its keys and values out",
      ],
    ],
    [
      "a number for a label",
      { systemNodeSelector: { tier: 1 } },
      ['systemNodeSelector["tier"]: must be text, got: 1. Put it in quotes'],
    ],
    [
      "a subnet without a zone",
      { subnets: [{ subnetId: "subnet-0aaa" }] },
      [
        "subnets[0].availabilityZone: must be the name of an Availability Zone such as us-east-1a, got: undefined. Give the zone's name, not its ID (use1-az1)",
      ],
    ],
    [
      "a zone by its ID",
      { subnets: [{ subnetId: "subnet-0aaa", availabilityZone: "use1-az1" }] },
      [
        'subnets[0].availabilityZone: must be the name of an Availability Zone such as us-east-1a, got: "use1-az1". Give the zone\'s name, not its ID (use1-az1)',
      ],
    ],
    [
      "a region as zone",
      { subnets: [{ subnetId: "subnet-0aaa", availabilityZone: "us-east-1" }] },
      [
        'subnets[0].availabilityZone: must be the name of an Availability Zone such as us-east-1a, got: "us-east-1". Give the zone\'s name, not its ID (use1-az1)',
      ],
    ],
    [
      "a zone as token",
      (stack: TerraformStack) => ({ subnets: [{ subnetId: "subnet-0aaa", availabilityZone: textToken(stack) }] }),
      [
        "subnets[0].availabilityZone: must be a literal text, because it decides which subnets a pool has, got: a token. Write the zone's name, such as us-east-1a",
      ],
    ],
    [
      "a subnet twice",
      { subnets: [...clusterAttributes.subnets, clusterAttributes.subnets[0]] },
      ['subnets: must name each subnet once, got: "subnet-0aaa". Remove the repetition'],
    ],
    [
      "a subnet twice as different tokens of one reference",
      (stack: TerraformStack) => {
        const subnet = new Subnet(stack, "private", { vpcId: "vpc-1" });
        return { subnets: ["a", "b"].map((zone) => ({ subnetId: subnet.id, availabilityZone: `us-east-1${zone}` })) };
      },
      ["subnets: must name each subnet once, got: a token. Remove the repetition"],
    ],
    [
      "all that is wrong at once",
      { clusterName: "a b", vpcId: "main", subnets: [{ subnetId: "a", availabilityZone: "b" }] },
      [
        'clusterName: must be 1 to 100 letters, digits, hyphens and underscores, and start with a letter or a digit, got: "a b". Give the name that `aws eks list-clusters` prints',
        'vpcId: must be the ID of a VPC (vpc-…), got: "main". Give resourcesVpcConfig.vpcId of `aws eks describe-cluster`',
        'subnets[0].subnetId: must be the ID of a subnet (subnet-…), got: "a". Give the ID, not the ARN or the name',
        'subnets[0].availabilityZone: must be the name of an Availability Zone such as us-east-1a, got: "b". Give the zone\'s name, not its ID (use1-az1)',
      ],
    ],
  ])("%s", (_, attributes, lines) =>
    expect(refusalOf(attributes)).toEqual(lines.map((line) => `test/cluster: ${line}`)),
  );
});
