import { TerraformStack } from "cdktf";
import { AcceleratorType, ClusterNetwork, GpuSharing, NatGateways, PodAddressing } from "cdktf-elastic-gpu";
import { addressesPerNode } from "../../lib/cluster/address-estimate";
import { addCluster, ClusterChoices } from "../support/cluster";
import { addPool, PoolChoices } from "../support/pool";
import { numberToken } from "../support/samples";
import { synth } from "../support/synth";

/** What is said of addresses with these pools. Only warnings of the cluster itself count. */
function addressWarnings(
  choices: ClusterChoices,
  ...pools: (PoolChoices | ((stack: TerraformStack) => PoolChoices))[]
) {
  const { warnings } = synth((stack) => {
    const cluster = addCluster(stack, choices);
    pools.forEach((pool, index) =>
      addPool(stack, { cluster, ...(typeof pool === "function" ? pool(stack) : pool) }, `pool${index}`),
    );
  });
  return warnings.filter((warning) => warning.startsWith("test/cluster: "));
}

const small = { network: ClusterNetwork.own({ cidr: "10.0.0.0/20", natGateways: NatGateways.single() }) };
const p5: PoolChoices = { instanceTypes: ["p5.48xlarge"] };

describe("the addresses of a node", () => {
  test.each([
    // 8 pods with GPUs and 6 of DaemonSets on one interface of 50, and one more that is kept ready.
    ["p5.48xlarge", 8, PodAddressing.SECONDARY_ADDRESSES, 100],
    // 14 pods in one prefix of 16, one more that is kept ready, and the node's own.
    ["p5.48xlarge", 8, PodAddressing.PREFIXES, 33],
    // 62 pods need two interfaces of 50, or four prefixes.
    ["p5.48xlarge", 56, PodAddressing.SECONDARY_ADDRESSES, 100],
    ["p5.48xlarge", 56, PodAddressing.PREFIXES, 81],
    // 10 pods on one interface of 30, and one more.
    ["g6.12xlarge", 4, PodAddressing.SECONDARY_ADDRESSES, 60],
  ])("%s with %i accelerators by %s: %i", (type, accelerators, addressing, expected) =>
    expect(addressesPerNode(AcceleratorType.of(type), accelerators, addressing)).toBe(expected),
  );

  test("are at most those of all its interfaces, and never fewer than those of the pods that fit", () => {
    for (const type of AcceleratorType.all().filter((each) => each._ipv4PerEni > 0)) {
      const most = type._enisOnCard0 * type._ipv4PerEni;
      const addresses = addressesPerNode(type, type.acceleratorCount, PodAddressing.SECONDARY_ADDRESSES);
      expect(addresses).toBeLessThanOrEqual(most);
      expect(addresses).toBeGreaterThanOrEqual(Math.min(type.acceleratorCount, most));
    }
  });
});

describe("pools that want more addresses than their subnets have", () => {
  test("are counted together, and the arithmetic is shown", () => {
    expect(addressWarnings(small, { ...p5, maxNodes: 20 }, { instanceTypes: ["g6.12xlarge"], maxNodes: 30 })).toEqual([
      "test/cluster: the subnets of nodes in us-east-1a, us-east-1b and us-east-1c have 3057 addresses (3 x 1024, less 5 each), and the pools at their largest want about 3800: pool0 20 nodes x 100 = 2000, pool1 30 nodes x 60 = 1800. Choose a larger range with network, set podAddressing to PodAddressing.PREFIXES, or lower maxNodes",
    ]);
  });

  test("are counted in their own zones", () => {
    const inOne = { ...p5, maxNodes: 11, availabilityZones: ["us-east-1b"] };
    expect(addressWarnings(small, inOne, { ...p5, maxNodes: 19 })).toEqual([
      "test/cluster: the subnets of nodes in us-east-1b have 1019 addresses (1 x 1024, less 5 each), and the pools at their largest want about 1100: pool0 11 nodes x 100 = 1100. Choose a larger range with network, set podAddressing to PodAddressing.PREFIXES, or lower maxNodes",
    ]);
  });

  test("fit with prefixes, until they do not", () => {
    const withPrefixes = { ...small, podAddressing: PodAddressing.PREFIXES };
    expect(addressWarnings(withPrefixes, { ...p5, maxNodes: 92 })).toEqual([]);
    expect(addressWarnings(withPrefixes, { ...p5, maxNodes: 93 })).toEqual([
      "test/cluster: the subnets of nodes in us-east-1a, us-east-1b and us-east-1c have 3057 addresses (3 x 1024, less 5 each), and the pools at their largest want about 3069: pool0 93 nodes x 33 = 3069. Choose a larger range with network, or lower maxNodes",
    ]);
  });

  test("count the pods that share a GPU", () => {
    const shared = { instanceTypes: ["g6.12xlarge"], sharing: GpuSharing.timeSlicing({ replicas: 10 }), maxNodes: 40 };
    expect(addressWarnings(small, shared)).toEqual([expect.stringContaining("pool0 40 nodes x 90 = 3600")]);
  });
});

describe("nothing is said", () => {
  test("where the addresses suffice", () => {
    expect(addressWarnings({}, { ...p5, maxNodes: 400 })).toEqual([]);
  });

  test("of a network that exists, whose size is not known", () => {
    const subnets = [
      { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
      { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
    ];
    const network = ClusterNetwork.existing({ vpcId: "vpc-0123", subnets });
    expect(addressWarnings({ network }, { ...p5, maxNodes: 4000 })).toEqual([]);
  });

  test("of a size that Terraform knows", () => {
    expect(addressWarnings(small, (stack) => ({ ...p5, maxNodes: numberToken(stack) }))).toEqual([]);
  });
});
