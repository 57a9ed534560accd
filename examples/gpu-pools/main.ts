import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  Addon,
  Capacity,
  EfaLayout,
  ElasticGpuNodePool,
  GpuCluster,
  GpuSharing,
  LocalStorage,
  NodeGroupType,
  NodeTaint,
  Workload,
} from "cdktf-elastic-gpu";

const app = new App();
const stack = new TerraformStack(app, "gpu-pools");
new AwsProvider(stack, "aws", { region: "us-east-1" });

const cluster = GpuCluster.fromAttributes(stack, "cluster", {
  clusterName: "prod",
  kubernetesVersion: "1.34",
  endpoint: "https://EXAMPLE.gr7.us-east-1.eks.amazonaws.com",
  certificateAuthority: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
  serviceCidr: "10.100.0.0/16",
  clusterSecurityGroupId: "sg-0123456789abcdef0",
  vpcId: "vpc-0123456789abcdef0",
  subnets: [
    { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
    { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
  ],
});
for (const addon of [
  Addon.CLUSTER_AUTOSCALER,
  Addon.NVIDIA_DEVICE_PLUGIN,
  Addon.NEURON_DEVICE_PLUGIN,
  Addon.EFA_DEVICE_PLUGIN,
]) {
  cluster.alreadyHas(addon);
}

const costAllocation = { team: "ml-platform", environment: "production" };

// Small models and notebooks: four pods on each T4 or L4. The two GPUs differ, so each has a pool of its own.
for (const [id, instanceType] of Object.entries({ "shared-t4": "g4dn.xlarge", "shared-l4": "g6.xlarge" })) {
  const shared = new ElasticGpuNodePool(stack, id, {
    cluster,
    instanceTypes: [instanceType],
    maxNodes: 10,
    workload: Workload.inference(),
    sharing: GpuSharing.timeSlicing({ replicas: 4 }),
    costAllocation,
  });
  // One node of each is there before the working day begins, and may go when it ends.
  shared.addSchedule({ cron: "30 7 * * MON-FRI", timezone: "Europe/Berlin", minNodes: 1 });
  shared.addSchedule({ cron: "0 19 * * MON-FRI", timezone: "Europe/Berlin", minNodes: 0 });
}

// Batch inference that survives a reclaim: Spot, with the instance store for scratch data. The more types, the more Spot
// there is to be had; pods are sized for the first, which is the smallest.
new ElasticGpuNodePool(stack, "batch-a10g", {
  cluster,
  instanceTypes: ["g5.4xlarge", "g5.8xlarge", "g5.16xlarge"],
  maxNodes: 40,
  workload: Workload.named("batch"),
  capacity: Capacity.spot(),
  localStorage: LocalStorage.raid0(),
  taints: [NodeTaint.noSchedule("example.com/spot", "true")],
  scaleDown: { unneededMinutes: 2 },
  costAllocation,
});

// Eight weeks of training on H100s bought as a Capacity Block, each node with its 32 EFA interfaces.
new ElasticGpuNodePool(stack, "training-h100", {
  cluster,
  instanceTypes: ["p5.48xlarge"],
  maxNodes: 8,
  nodeGroupType: NodeGroupType.SELF_MANAGED,
  workload: Workload.training(),
  capacity: Capacity.capacityBlock({
    reservationId: "cr-0123456789abcdef0",
    instanceCount: 8,
    endsAt: "2027-03-01T11:30:00Z",
  }),
  availabilityZones: ["us-east-1b"],
  efa: EfaLayout.ipOptimised(),
  localStorage: LocalStorage.raid0(),
  rootVolume: { sizeGib: 200 },
  costAllocation,
});

// Inferentia2 for models compiled with Neuron.
new ElasticGpuNodePool(stack, "neuron", {
  cluster,
  instanceTypes: ["inf2.xlarge"],
  maxNodes: 10,
  workload: Workload.inference(),
  costAllocation,
});

app.synth();
