import {
  AcceleratorType,
  Capacity,
  ElasticGpuNodePool,
  GpuSharing,
  NodeGroupType,
  NodeImage,
  NodeTaint,
  NodeTier,
  Workload,
} from "cdktf-elastic-gpu";
import { addPool, PoolChoices, refusalOf, synthPool } from "../support/pool";
import { resources, synth } from "../support/synth";
import { customType, inPool } from "../support/samples";

describe("what later constructs read", () => {
  const choices: PoolChoices = {
    instanceTypes: ["g6.xlarge", "g6.2xlarge"],
    minNodes: 1,
    maxNodes: 6,
    workload: Workload.inference(),
    labels: { team: "vision" },
    taints: [NodeTaint.noSchedule("team")],
    sharing: GpuSharing.timeSlicing({ replicas: 4 }),
    capacity: Capacity.spot(),
    availabilityZones: ["us-east-1b"],
  };
  let pool: ElasticGpuNodePool;
  synth((stack) => (pool = addPool(stack, choices)));

  test("hardware, sharing and image", () => {
    expect(pool.instanceTypes).toEqual([AcceleratorType.of("g6.xlarge"), AcceleratorType.of("g6.2xlarge")]);
    expect(pool.acceleratorResource).toBe("nvidia.com/gpu");
    expect(pool.acceleratorsPerNode).toBe(4);
    expect(pool.sharing).toBe(choices.sharing);
    expect(pool.image.name).toBe("AL2023 NVIDIA");
  });

  test("labels and taints, those of the pool included", () => {
    expect(pool.labels).toMatchObject({ "node-tier": "spot", "workload-type": "inference", team: "vision" });
    expect(pool.taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`)).toEqual([
      "nvidia.com/gpu=present:NoSchedule",
      "team=:NoSchedule",
    ]);
  });

  test("bounds, zones, subnets and tier", () => {
    expect([pool.minNodes, pool.maxNodes]).toEqual([1, 6]);
    expect(pool.availabilityZones).toEqual(["us-east-1b"]);
    expect(pool.subnetIds).toEqual(["subnet-0bbb"]);
    expect(pool.nodeTier).toBe(NodeTier.SPOT);
  });

  test("reading and changing a list or map does not change the pool", () => {
    pool.instanceTypes.pop();
    pool.taints.pop();
    pool.availabilityZones.pop();
    pool.subnetIds.pop();
    delete pool.labels.team;
    expect(
      [pool.instanceTypes, pool.taints, pool.availabilityZones, pool.subnetIds].map(({ length }) => length),
    ).toEqual([2, 2, 1, 1]);
    expect(pool.labels.team).toBe("vision");
  });

  test.each([
    [NodeGroupType.MANAGED, "aws_eks_node_group", "node_group_name", "resources[0].autoscaling_groups[0].name"],
    [NodeGroupType.SELF_MANAGED, "aws_autoscaling_group", "name", "name"],
  ])("names, role and template of a %s group are references to it", (nodeGroupType, type, name, groupName) => {
    const { json } = synth((stack) => {
      const made = addPool(stack, { nodeGroupType });
      stack.addOverride("locals", {
        names: [made.nodeGroupName, made.autoscalingGroupName, made.nodeRoleArn, made.launchTemplateId],
      });
      expect(ElasticGpuNodePool.isElasticGpuNodePool(made)).toBe(true);
      expect(made.resource.node.id).toBe("Resource");
    });
    const id = (kind: string) => Object.keys(resources(json, kind))[0];
    expect(json.locals.names).toEqual([
      `\${${type}.${id(type)}.${name}}`,
      `\${${type}.${id(type)}.${groupName}}`,
      `\${aws_iam_role.${id("aws_iam_role")}.arn}`,
      `\${aws_launch_template.${id("aws_launch_template")}.id}`,
    ]);
  });

  test.each([undefined, null, "pool", {}, [], NodeImage.al2023Nvidia()])("%p is no pool", (value) => {
    expect(ElasticGpuNodePool.isElasticGpuNodePool(value)).toBe(false);
  });
});

describe("types that the catalogue lacks", () => {
  const custom = customType("p7.48xlarge");

  test("are described beside their names, and checked like others", () => {
    const { json } = synthPool({ instanceTypes: ["p7.48xlarge"], customTypes: [custom] });
    expect(Object.values(resources(json, "aws_eks_node_group"))[0]!.labels).toMatchObject({
      "k8s.amazonaws.com/accelerator": "nvidia-x100",
    });
    expect(refusalOf({ instanceTypes: ["p7.48xlarge", "p5.48xlarge"], customTypes: [custom] })).toEqual(
      inPool([
        "instanceTypes: must all have one shape, got: p7.48xlarge has NVIDIA X100, p5.48xlarge has NVIDIA H100. Make a pool for each",
      ]),
    );
  });
});

describe("what is legal but seldom meant is a warning", () => {
  const warningsOf = (choices: PoolChoices) => synthPool(choices).warnings;

  test("where pods meet very different machines: it names the weakest, by vCPUs and by memory", () => {
    expect(warningsOf({ instanceTypes: ["g6.xlarge", "g6.2xlarge"] })).toEqual(
      inPool([
        "instanceTypes: g6.xlarge has 4 vCPUs an accelerator, g6.2xlarge 8: a pod must fit the weakest. Keep within a factor of 1.5, or size pods for g6.xlarge",
        "instanceTypes: g6.xlarge has 16 GiB of memory an accelerator, g6.2xlarge 32: a pod must fit the weakest. Keep within a factor of 1.5, or size pods for g6.xlarge",
      ]),
    );
  });

  test("where machines differ in memory alone", () => {
    expect(warningsOf({ instanceTypes: ["g6.4xlarge", "gr6.4xlarge"] })).toEqual(
      inPool([
        "instanceTypes: g6.4xlarge has 64 GiB of memory an accelerator, gr6.4xlarge 128: a pod must fit the weakest. Keep within a factor of 1.5, or size pods for g6.4xlarge",
      ]),
    );
  });

  test("where vCPUs seldom feed the GPU, unless the user says what is enough", () => {
    expect(warningsOf({ instanceTypes: ["g6f.large"] })).toEqual(
      inPool([
        "instanceTypes: g6f.large has 2 vCPUs an accelerator; fewer than 4 seldom feed one. Choose a larger size, or say with minVcpusPerGpu what you need",
      ]),
    );
    expect(warningsOf({ instanceTypes: ["g6f.large"], minVcpusPerGpu: 2 })).toEqual([]);
  });

  test("and machines within the factor are none", () => {
    const customTypes = [customType("p7.24xlarge", { vcpus: 96 }), customType("p7.48xlarge", { vcpus: 144 })];
    expect(warningsOf({ instanceTypes: ["p7.24xlarge", "p7.48xlarge"], customTypes })).toEqual([]);
  });
});

describe("all that is wrong is said at once", () => {
  test("each line names the pool and the property", () => {
    expect(
      refusalOf({
        name: "-",
        instanceTypes: ["g6.xlarge", "g5g.xlarge"],
        minNodes: 5,
        maxNodes: 2,
        labels: { "kubernetes.io/os": "linux" },
        taints: [NodeTaint.noSchedule("a b")],
        rootVolume: { sizeGib: 5 },
        tags: { "aws:x": "y" },
        imdsHopLimit: 0,
        securityGroupIds: ["default"],
      }).map((line) => line.split(": ").slice(0, 2).join(": ")),
    ).toEqual(
      inPool([
        "minNodes",
        "name",
        'tags["aws:x"]',
        "imdsHopLimit",
        "instanceTypes",
        "rootVolume.sizeGib",
        "securityGroupIds",
        'labels["kubernetes.io/os"]',
        'taints["a b"]',
      ]),
    );
  });

  test("where a type is unknown, what does not depend on types is said with it", () => {
    expect(refusalOf({ instanceTypes: ["g6.12xlrage"], maxNodes: 0, availabilityZones: ["us-east-1f"] })).toEqual(
      inPool([
        'instanceTypes: must be accelerated EC2 instance types of the catalogue, got: "g6.12xlrage". Did you mean g6.12xlarge or g6.2xlarge or g6.16xlarge? A type that is newer than the catalogue is described with AcceleratorType.custom() in customTypes',
        'availabilityZones: must be one or more of the zones that the cluster has a subnet in (us-east-1a and us-east-1b), got: "us-east-1f". Choose among them, leave it out for all, or add a subnet of the zone to the cluster',
        "maxNodes: must be a whole number of at least 1, got: 0. Set it to the most nodes that may ever run at once",
      ]),
    );
  });

  test("a refused pool leaves no half of itself with its cluster", () => {
    synth((stack) => {
      expect(() => addPool(stack, { maxNodes: 0 }, "bad")).toThrow("test/bad: maxNodes");
      expect(addPool(stack, {}, "good").node.scope!.node.tryFindChild("cluster")).toMatchObject({ pools: [{}] });
    });
  });
});

test.each([
  ["gpu pool", 'got: "gpu pool"'],
  ["gpu.pool", 'got: "gpu.pool"'],
  ["4gpus", 'got: "4gpus"'],
  ["größe", 'got: "größe"'],
])("the id %p, of which CDKTF would make another address, is refused", (id, got) => {
  const text = (): unknown => synth((stack) => addPool(stack, {}, id));
  expect(text).toThrow(
    `test/${id}: id: must start with a letter or an underscore and hold letters, digits, hyphens and underscores only, ${got}. Terraform addresses are made from it: choose another id`,
  );
});
