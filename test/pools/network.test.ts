import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { Subnet } from "@cdktf/provider-aws/lib/subnet";
import { TerraformStack } from "cdktf";
import { EfaLayout, NodeGroupType } from "cdktf-elastic-gpu";
import { addPool, clusterOf, PoolChoices, synthPool } from "../support/pool";
import { customType } from "../support/samples";
import { allOf, Json, resources, synth, synthApp, theOne } from "../support/synth";

const availabilityZones = ["us-east-1a"];
const withEfa = (instanceType: string, efa = EfaLayout.ipOptimised(), more: PoolChoices = {}) =>
  synthPool({ instanceTypes: [instanceType], efa, availabilityZones, ...more }).json;
const interfacesOf = (json: Json): Json[] => theOne(json, "aws_launch_template").network_interfaces;
const layoutOf = (json: Json) =>
  interfacesOf(json).map((device) => [device.network_card_index, device.device_index, device.interface_type]);

describe("EFA", () => {
  test("on p4d each of the four cards has one, beside a plain primary interface", () => {
    expect(layoutOf(withEfa("p4d.24xlarge"))).toEqual([
      [0, 0, "interface"],
      [0, 1, "efa-only"],
      [1, 1, "efa-only"],
      [2, 1, "efa-only"],
      [3, 1, "efa-only"],
    ]);
  });

  test("on p6-b300 the first card, which has no EFA, stays a plain interface", () => {
    const layout = layoutOf(withEfa("p6-b300.48xlarge"));
    expect(layout.filter(([card]) => card === 0)).toEqual([[0, 0, "interface"]]);
    expect(layout.filter(([, , type]) => type === "efa-only").map(([card]) => card)).toEqual(
      Array.from({ length: 16 }, (_, index) => index + 1),
    );
  });

  test("the bandwidth-optimised layout adds plain interfaces on further cards", () => {
    const layout = layoutOf(withEfa("p5en.48xlarge", EfaLayout.bandwidthOptimised()));
    expect(layout.filter(([, , type]) => type === "interface")).toHaveLength(8);
    expect(layout.filter(([, , type]) => type === "efa-only")).toHaveLength(16);
  });

  test("every interface has all security groups and goes with its instance, and the instance has none beside them", () => {
    const json = withEfa("p4d.24xlarge", undefined, { securityGroupIds: ["sg-0ddd"] });
    const [own] = Object.keys(resources(json, "aws_security_group"));
    for (const device of interfacesOf(json)) {
      expect(device.security_groups).toEqual(["sg-0123456789abcdef0", "sg-0ddd", `\${aws_security_group.${own}.id}`]);
      expect(device.delete_on_termination).toBe("true");
    }
    expect(theOne(json, "aws_launch_template")).not.toHaveProperty("vpc_security_group_ids");
  });

  test("the primary interface alone says that its address is not public", () => {
    const [primary, ...others] = interfacesOf(withEfa("p4d.24xlarge"));
    expect(primary!.associate_public_ip_address).toBe("false");
    expect(others.filter((device) => "associate_public_ip_address" in device)).toEqual([]);
  });

  test("traffic may leave to and come from the pool's own group, by rules that name it", () => {
    const json = withEfa("p4d.24xlarge");
    const [own] = Object.keys(resources(json, "aws_security_group"));
    for (const direction of ["ingress", "egress"]) {
      expect(theOne(json, `aws_vpc_security_group_${direction}_rule`)).toMatchObject({
        security_group_id: `\${aws_security_group.${own}.id}`,
        referenced_security_group_id: `\${aws_security_group.${own}.id}`,
        ip_protocol: "-1",
      });
    }
  });

  test("nothing is opened to an address, and no rule stands inside of a group", () => {
    const json = withEfa("p4d.24xlarge");
    const text = JSON.stringify(json);
    expect(text).not.toMatch(/cidr_ipv4|cidr_ipv6|0\.0\.0\.0\/0|::\/0/);
    expect(theOne(json, "aws_security_group")).not.toHaveProperty("ingress");
    expect(theOne(json, "aws_security_group")).not.toHaveProperty("egress");
  });

  test("the pool's own group does not pass for the cluster's, of which controllers expect one", () => {
    const tags = theOne(withEfa("p4d.24xlarge", undefined, { tags: { team: "ml" } }), "aws_security_group").tags;
    expect(tags).toEqual({ team: "ml" });
  });

  test("nodes wait for the rules, and so the rules go after them", () => {
    const json = withEfa("p4d.24xlarge");
    const rules = ["ingress", "egress"].map((direction) => {
      const type = `aws_vpc_security_group_${direction}_rule`;
      return `${type}.${Object.keys(resources(json, type))[0]}`;
    });
    expect(theOne(json, "aws_eks_node_group").depends_on).toEqual(expect.arrayContaining(rules));
  });

  test("pools that share a security group of the user's add no rule to it", () => {
    const { json } = synth((stack) => {
      for (const id of ["first", "second"]) {
        const efa = EfaLayout.ipOptimised();
        addPool(stack, { instanceTypes: ["p4d.24xlarge"], efa, availabilityZones, securityGroupIds: ["sg-0ddd"] }, id);
      }
    });
    const rules = [
      ...allOf(json, "aws_vpc_security_group_ingress_rule"),
      ...allOf(json, "aws_vpc_security_group_egress_rule"),
    ];
    expect(rules).toHaveLength(4);
    expect(rules.filter((rule) => !rule.security_group_id.startsWith("${"))).toEqual([]);
  });

  test("on the first card it takes a place that pods would have had", () => {
    const nodeConfig = (json: Json) =>
      Buffer.from(theOne(json, "aws_launch_template").user_data, "base64").toString("utf8");
    // p5: 2 interfaces on the first card with 50 addresses each; p6-b300 has its devices on other cards.
    expect(nodeConfig(withEfa("p5.48xlarge"))).toContain('"maxPods": 51');
    expect(nodeConfig(withEfa("p6-b300.48xlarge"))).toContain('"maxPods": 198');
  });

  test("leaves no more pods than EKS allows: 110 below 30 vCPUs, 250 from there on", () => {
    const maxPods = (choices: PoolChoices): unknown => {
      const { json } = synthPool({ efa: EfaLayout.ipOptimised(), availabilityZones, ...choices });
      const text = Buffer.from(theOne(json, "aws_launch_template").user_data, "base64").toString("utf8");
      return /"maxPods": (\d+)/.exec(text)?.[1];
    };
    const withVcpus = (vcpus: number): PoolChoices => ({
      instanceTypes: ["x1.large"],
      customTypes: [customType("x1.large", { vcpus, enisOnCard0: 8, efaCards: [0] })],
    });
    // (15 - 1) x (50 - 1) + 2 = 688 addresses, and (8 - 1) x (50 - 1) + 2 = 345.
    expect(maxPods({ instanceTypes: ["p4d.24xlarge"] })).toBe("250");
    expect([29, 30].map((vcpus) => maxPods(withVcpus(vcpus)))).toEqual(["110", "250"]);
  });

  test("types of one layout may share a pool", () => {
    const instanceTypes = ["g6.8xlarge", "g6.16xlarge"];
    const { json } = synthPool({ instanceTypes, efa: EfaLayout.ipOptimised(), availabilityZones });
    expect(layoutOf(json)).toEqual([
      [0, 0, "interface"],
      [0, 1, "efa-only"],
    ]);
  });

  test.each([undefined, EfaLayout.none()])("is not there unless asked for (%#)", (efa) => {
    const { json } = synthPool({ instanceTypes: ["p5.48xlarge"], efa });
    const template = theOne(json, "aws_launch_template");
    expect(template).not.toHaveProperty("network_interfaces");
    expect(template.vpc_security_group_ids).toEqual(["sg-0123456789abcdef0"]);
    expect(allOf(json, "aws_security_group")).toEqual([]);
  });

  test("a path that begins with sg- gives no group a name that EC2 refuses", () => {
    const { sg } = synthApp((app) => {
      const stack = new TerraformStack(app, "sg");
      new AwsProvider(stack, "aws", { region: "us-east-1" });
      addPool(stack, { instanceTypes: ["p4d.24xlarge"], efa: EfaLayout.ipOptimised(), availabilityZones });
    });
    expect(theOne(sg!.json, "aws_security_group").name).toMatch(/^(?!sg-)[\w-]{1,255}$/);
  });
});

describe("addresses and security groups", () => {
  test.each([true, false])("a public address (%s) is said on the only interface", (associatePublicIpAddress) => {
    const template = theOne(synthPool({ associatePublicIpAddress }).json, "aws_launch_template");
    expect(template.network_interfaces).toEqual([
      {
        device_index: 0,
        associate_public_ip_address: String(associatePublicIpAddress),
        delete_on_termination: "true",
        security_groups: ["sg-0123456789abcdef0"],
      },
    ]);
    expect(template).not.toHaveProperty("vpc_security_group_ids");
  });

  test("no public address may be asked for where several interfaces are", () => {
    expect(interfacesOf(withEfa("p4d.24xlarge", undefined, { associatePublicIpAddress: false }))).toHaveLength(5);
  });

  test("a group that is given twice stands there once", () => {
    const securityGroupIds = ["sg-0ddd", "sg-0123456789abcdef0", "sg-0ddd"];
    const template = theOne(synthPool({ securityGroupIds }).json, "aws_launch_template");
    expect(template.vpc_security_group_ids).toEqual(["sg-0123456789abcdef0", "sg-0ddd"]);
  });
});

describe("zones", () => {
  const subnetsOf = (choices: PoolChoices) => theOne(synthPool(choices).json, "aws_eks_node_group").subnet_ids;

  test("a pool is in all zones of its cluster, in those that are chosen, or in the zones of the chosen subnets", () => {
    expect(subnetsOf({})).toEqual(["subnet-0aaa", "subnet-0bbb"]);
    expect(subnetsOf({ availabilityZones: ["us-east-1b"] })).toEqual(["subnet-0bbb"]);
    expect(subnetsOf({ subnetIds: ["subnet-0bbb"] })).toEqual(["subnet-0bbb"]);
  });

  test("of several subnets in a zone the chosen one is taken", () => {
    const subnets = ["subnet-0aaa", "subnet-0ccc"].map((subnetId) => ({ subnetId, availabilityZone: "us-east-1a" }));
    const { json } = synth((stack) =>
      addPool(stack, { cluster: clusterOf(stack, { subnets }), subnetIds: ["subnet-0ccc"] }),
    );
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toEqual(["subnet-0ccc"]);
  });

  test("a subnet made in the same program is recognized, though each reading of its ID is another token", () => {
    const { json } = synth((stack) => {
      const subnet = new Subnet(stack, "private", { vpcId: "vpc-0123456789abcdef0" });
      const subnets = [
        { subnetId: subnet.id, availabilityZone: "us-east-1a" },
        { subnetId: "subnet-0ccc", availabilityZone: "us-east-1a" },
      ];
      addPool(stack, { cluster: clusterOf(stack, { subnets }), subnetIds: [subnet.id] });
    });
    expect(theOne(json, "aws_eks_node_group").subnet_ids).toEqual(["${aws_subnet.private.id}"]);
  });

  test("a self-managed group takes the same subnets", () => {
    const { json } = synthPool({ nodeGroupType: NodeGroupType.SELF_MANAGED, availabilityZones });
    expect(theOne(json, "aws_autoscaling_group").vpc_zone_identifier).toEqual(["subnet-0aaa"]);
  });
});
