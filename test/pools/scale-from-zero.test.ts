import {
  Capacity,
  EfaLayout,
  GpuSharing,
  LocalStorage,
  NodeGroupType,
  NodeTaint,
  TaintEffect,
  Workload,
} from "cdktf-elastic-gpu";
import { autoscalingTags, PoolChoices, synthPool, templateTags } from "../support/pool";
import { allOf, resources, theOne } from "../support/synth";

const tagsOf = (choices: PoolChoices) => templateTags(synthPool(choices).json);
const availabilityZones = ["us-east-1a"];

const choices: PoolChoices = {
  labels: { team: "vision" },
  taints: [NodeTaint.noSchedule("example.com/spot", "true")],
  workload: Workload.training(),
  workloadTaint: TaintEffect.NO_EXECUTE,
};
const expected = {
  "label/node-tier": "on-demand",
  "label/workload-type": "training",
  "label/nvidia.com/gpu.present": "true",
  "label/k8s.amazonaws.com/accelerator": "nvidia-l4",
  "label/team": "vision",
  "taint/nvidia.com/gpu": "present:NoSchedule",
  "taint/workload-type": "training:NoExecute",
  "taint/example.com/spot": "true:NoSchedule",
  "resources/nvidia.com/gpu": "4",
  "resources/ephemeral-storage": "88Gi",
};

test("the Auto Scaling group of a managed pool has a tag for every label, taint and resource", () => {
  expect(tagsOf(choices)).toEqual(expected);
});

test("a self-managed group has the same tags, and one for the market, which EKS does not tell", () => {
  expect(tagsOf({ ...choices, nodeGroupType: NodeGroupType.SELF_MANAGED })).toEqual({
    ...expected,
    "label/node-lifecycle": "on-demand",
  });
});

test("each tag is a resource of its own on the name that EKS gives the group, and reaches no instance", () => {
  const { json } = synthPool(choices);
  const [group] = Object.keys(resources(json, "aws_eks_node_group"));
  const tags = allOf(json, "aws_autoscaling_group_tag");
  expect(tags).toHaveLength(Object.keys(expected).length);
  for (const { autoscaling_group_name: name, tag, ...others } of tags) {
    expect(name).toBe(`\${aws_eks_node_group.${group}.resources[0].autoscaling_groups[0].name}`);
    expect(tag.propagate_at_launch).toBe(false);
    expect(others).not.toHaveProperty("for_each");
  }
});

test("a type that an autoscaler may not know says its GPUs, EFA devices and huge pages", () => {
  expect(
    tagsOf({ instanceTypes: ["p6-b200.48xlarge"], efa: EfaLayout.ipOptimised(), availabilityZones }),
  ).toMatchObject({
    "resources/nvidia.com/gpu": "8",
    "resources/vpc.amazonaws.com/efa": "8",
    "resources/hugepages-2Mi": "10256Mi",
    "label/vpc.amazonaws.com/efa.present": "true",
  });
});

test("without EFA there are neither EFA devices nor huge pages", () => {
  const keys = Object.keys(tagsOf({ instanceTypes: ["p6-b200.48xlarge"] }));
  expect(keys.filter((key) => /efa|hugepages/.test(key))).toEqual([]);
});

test("both EFA layouts offer the same EFA devices", () => {
  for (const efa of [EfaLayout.ipOptimised(), EfaLayout.bandwidthOptimised()]) {
    expect(tagsOf({ instanceTypes: ["p5en.48xlarge"], efa, availabilityZones })).toMatchObject({
      "resources/vpc.amazonaws.com/efa": "16",
    });
  }
});

test.each([
  [GpuSharing.timeSlicing({ replicas: 4 }), "16", "time-slicing-4", undefined],
  [GpuSharing.mps({ replicas: 8 }), "32", "mps-8", "true"],
  [GpuSharing.none(), "4", undefined, undefined],
])("shares are counted, and the device plugin is told how (%#)", (sharing, count, config, mps) => {
  const tags = tagsOf({ sharing });
  expect(tags["resources/nvidia.com/gpu"]).toBe(count);
  expect(tags["label/nvidia.com/device-plugin.config"]).toBe(config);
  expect(tags["label/nvidia.com/mps.capable"]).toBe(mps);
});

test("partitions are counted", () => {
  expect(tagsOf({ instanceTypes: ["p5.48xlarge"], sharing: GpuSharing.mig("1g.10gb") })).toMatchObject({
    "resources/nvidia.com/gpu": "56",
    "label/nvidia.com/device-plugin.config": "mig-single",
  });
});

test("Neuron nodes say devices and cores, and no GPU", () => {
  const tags = tagsOf({ instanceTypes: ["inf2.48xlarge"] });
  expect(tags).toMatchObject({
    "resources/aws.amazon.com/neuron": "12",
    "resources/aws.amazon.com/neuroncore": "24",
    "taint/aws.amazon.com/neuron": "present:NoSchedule",
  });
  expect(Object.keys(tags).filter((key) => key.includes("nvidia"))).toEqual([]);
});

test("nodes of other vendors say that they have none of NVIDIA's GPUs, which the autoscaler would assume", () => {
  expect(tagsOf({ instanceTypes: ["g4ad.8xlarge"] })).toMatchObject({
    "resources/amd.com/gpu": "2",
    "resources/nvidia.com/gpu": "0",
    "taint/amd.com/gpu": "present:NoSchedule",
  });
});

test("a slice of a GPU is one, although EC2 counts none", () => {
  expect(tagsOf({ instanceTypes: ["g6f.xlarge"] })["resources/nvidia.com/gpu"]).toBe("1");
});

test("the zone is said where there is one, and not where the autoscaler would take one for all", () => {
  expect(tagsOf({ availabilityZones })["label/topology.kubernetes.io/zone"]).toBe("us-east-1a");
  expect(tagsOf({})).not.toHaveProperty(["label/topology.kubernetes.io/zone"]);
});

test("groups of different tiers are never similar", () => {
  const tierOf = (capacity?: Capacity) => tagsOf({ capacity, availabilityZones })["label/node-tier"];
  expect([
    tierOf(),
    tierOf(Capacity.spot()),
    tierOf(Capacity.reservation({ reservationId: "cr-0123456789abcdef0" })),
  ]).toEqual(["on-demand", "spot", "reserved"]);
});

test("ephemeral storage is the volume's, or the instance store's where that is one array", () => {
  const gib = (more: PoolChoices) =>
    Number(/^(\d+)Gi$/.exec(tagsOf({ instanceTypes: ["p5.48xlarge"], ...more })["resources/ephemeral-storage"]!)?.[1]);
  const volume = gib({ rootVolume: { sizeGib: 500 } });
  expect(volume).toBe(448);
  expect(gib({ rootVolume: { sizeGib: 500 }, localStorage: LocalStorage.mount() })).toBe(volume);
  // 8 disks of 3,800 GB are 28,312 GiB, a little understated.
  expect(gib({ localStorage: LocalStorage.raid0() })).toBe(25478);
  expect(gib({ localStorage: LocalStorage.raid10() })).toBe(12738);
});

test("with several types the smallest instance store counts", () => {
  const tags = tagsOf({
    instanceTypes: ["g6.xlarge", "g6.2xlarge", "g6.4xlarge"],
    localStorage: LocalStorage.raid0(),
  });
  expect(tags["resources/ephemeral-storage"]).toBe("207Gi");
});

test("scale-down options are tags in the autoscaler's own spelling, and only those that are given", () => {
  const scaleDown = { unneededMinutes: 30, unreadyMinutes: 45, gpuUtilizationThreshold: 0.35 };
  const options = (tags: Record<string, string>) =>
    Object.entries(tags).filter(([key]) => key.startsWith("autoscaling-options/"));
  expect(Object.fromEntries(options(tagsOf({ scaleDown })))).toEqual({
    "autoscaling-options/scaledownunneededtime": "30m0s",
    "autoscaling-options/scaledownunreadytime": "45m0s",
    "autoscaling-options/scaledowngpuutilizationthreshold": "0.35",
  });
  expect(options(tagsOf({}))).toEqual([]);
  expect(options(tagsOf({ scaleDown: { gpuUtilizationThreshold: 0 } }))).toEqual([
    ["autoscaling-options/scaledowngpuutilizationthreshold", "0"],
  ]);
});

test("tags of the user reach the Auto Scaling group, for cost allocation", () => {
  const { json } = synthPool({ costAllocation: { team: "ml", workload: "llm" }, tags: { project: "x" } });
  expect(autoscalingTags(json)).toMatchObject({ team: "ml", workload: "llm", project: "x" });
  expect(theOne(json, "aws_eks_node_group").tags).toEqual({ team: "ml", workload: "llm", project: "x" });
});
