const { Addon, ElasticGpuNodePool, GpuCluster, Workload } = require("cdktf-elastic-gpu");

/** @param {import("cdktf").TerraformStack} stack @param {{ id: string }[]} pools */
exports.addPools = (stack, pools) => {
  const cluster = GpuCluster.fromAttributes(stack, "cluster", {
    clusterName: "prod",
    kubernetesVersion: "1.34",
    clusterSecurityGroupId: "sg-0123456789abcdef0",
    vpcId: "vpc-0123456789abcdef0",
    subnets: [
      { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
      { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
    ],
  });
  cluster.alreadyHas(Addon.CLUSTER_AUTOSCALER);
  cluster.alreadyHas(Addon.NVIDIA_DEVICE_PLUGIN);
  for (const { id } of pools) {
    new ElasticGpuNodePool(stack, id, {
      cluster,
      instanceTypes: ["g6.12xlarge"],
      maxNodes: 20,
      workload: Workload.inference(),
    });
  }
};
