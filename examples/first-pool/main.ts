import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack } from "cdktf";
import { Addon, ElasticGpuNodePool, GpuCluster, Workload } from "cdktf-elastic-gpu";

const app = new App();
const stack = new TerraformStack(app, "gpu-inference");
new AwsProvider(stack, "aws", { region: "us-east-1" });

const cluster = GpuCluster.fromAttributes(stack, "cluster", {
  clusterName: "prod",
  kubernetesVersion: "1.34",
  endpoint: "https://EXAMPLE.gr7.us-east-1.eks.amazonaws.com",
  certificateAuthority: "LS0t…",
  serviceCidr: "10.100.0.0/16",
  clusterSecurityGroupId: "sg-0123456789abcdef0",
  vpcId: "vpc-0123456789abcdef0",
  subnets: [
    { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
    { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
  ],
});
// Whatever is not in the cluster yet has a construct of its own: new ClusterAutoscaler(stack, "autoscaler", { cluster }).
cluster.alreadyHas(Addon.CLUSTER_AUTOSCALER);
cluster.alreadyHas(Addon.NVIDIA_DEVICE_PLUGIN);

new ElasticGpuNodePool(stack, "inference", {
  cluster,
  instanceTypes: ["g6.12xlarge"],
  maxNodes: 20,
  workload: Workload.inference(),
});

app.synth();
