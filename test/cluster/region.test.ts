import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { TerraformStack } from "cdktf";
import { ClusterNetwork, GpuCluster, IGpuCluster } from "cdktf-elastic-gpu";
import { addCluster } from "../support/cluster";
import { clusterAttributes } from "../support/pool";
import { textToken } from "../support/samples";
import { synthApp } from "../support/synth";

type Maker = (stack: TerraformStack) => IGpuCluster;

const { subnets } = clusterAttributes;
const created: Maker = (stack) => addCluster(stack);
const imported: Maker = (stack) => GpuCluster.fromAttributes(stack, "cluster", clusterAttributes);
const named: Maker = (stack) =>
  GpuCluster.fromName(stack, "cluster", { clusterName: "prod", kubernetesVersion: "1.34", subnets });
const inExisting: Maker = (stack) =>
  addCluster(stack, { network: ClusterNetwork.existing({ vpcId: "vpc-0123", subnets }) });

/** What is said of a cluster in us-east-1 beside these providers, which are declared after it. */
function saidOf(make: Maker, addProviders: (stack: TerraformStack) => void): string[] {
  try {
    synthApp((app) => {
      const stack = new TerraformStack(app, "test");
      make(stack);
      addProviders(stack);
    });
  } catch (error) {
    return (error as Error).message.match(/test\/cluster: .*/g) ?? [];
  }
  return [];
}

const inRegion = (region: string | undefined) => (stack: TerraformStack) =>
  void new AwsProvider(stack, "aws", { region });
const line = (property: string, zone: string, regions = "us-west-2") =>
  `test/cluster: ${property}: must be in the region of the AWS provider (${regions}), got: "${zone}". Correct the zone, or the provider's region`;

describe.each<[string, Maker, string[]]>([
  [
    "a cluster that is made",
    created,
    ["us-east-1a", "us-east-1b", "us-east-1c"].map((z) => line("availabilityZones", z)),
  ],
  ["one in an existing network", inExisting, ["us-east-1a", "us-east-1b"].map((z) => line("network.subnets", z))],
  ["an imported cluster", imported, ["us-east-1a", "us-east-1b"].map((z) => line("subnets", z))],
  ["a cluster by its name", named, ["us-east-1a", "us-east-1b"].map((z) => line("subnets", z))],
])("the zones of %s", (_, make, lines) => {
  test("are refused in another region than that of the provider", () =>
    expect(saidOf(make, inRegion("us-west-2"))).toEqual(lines));

  test("are taken in its region", () => expect(saidOf(make, inRegion("us-east-1"))).toEqual([]));

  test("are taken where the environment says the region", () => expect(saidOf(make, inRegion(undefined))).toEqual([]));

  test("are taken where Terraform knows the region", () =>
    expect(saidOf(make, (stack) => inRegion(textToken(stack))(stack))).toEqual([]));
});

test("an imported cluster may be that of any of the stack's providers", () => {
  const two = (stack: TerraformStack) => {
    inRegion("us-west-2")(stack);
    new AwsProvider(stack, "other", { alias: "other", region: "us-east-1" });
  };
  expect(saidOf(imported, two)).toEqual([]);
  expect(saidOf(created, two)).toHaveLength(3);
});

test("a cluster is held against the provider that it is given", () => {
  const made =
    (region: string): Maker =>
    (stack) =>
      addCluster(stack, { provider: new AwsProvider(stack, "own", { alias: "own", region }) });
  expect(saidOf(made("us-east-1"), inRegion("us-west-2"))).toEqual([]);
  expect(saidOf(made("eu-west-1"), inRegion("us-east-1"))).toContain(
    line("availabilityZones", "us-east-1a", "eu-west-1"),
  );
});

test("a Local Zone belongs to the region at its front", () => {
  const local: Maker = (stack) =>
    GpuCluster.fromAttributes(stack, "cluster", {
      ...clusterAttributes,
      subnets: [{ subnetId: "subnet-0aaa", availabilityZone: "us-west-2-lax-1a" }],
    });
  expect(saidOf(local, inRegion("us-west-2"))).toEqual([]);
  expect(saidOf(local, inRegion("us-east-1"))).toEqual([line("subnets", "us-west-2-lax-1a", "us-east-1")]);
});
