import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  ClusterAutoscaler,
  ClusterNetwork,
  ClusterProviders,
  ElasticGpuNodePool,
  GpuCluster,
  LoadBalancerController,
  MetricsServer,
  NeuronDevicePlugin,
  NvidiaDevicePlugin,
  Workload,
} from "cdktf-elastic-gpu";

const app = new App();
const stack = new TerraformStack(app, "private-cluster");
new AwsProvider(stack, "aws", { region: "eu-central-1" });

// The role that the pipeline has, on a runner inside of the VPC or of a network that is connected with it: the API server
// has no public address.
const pipeline = "arn:aws:iam::123456789012:role/platform/deploy";

const cluster = new GpuCluster(stack, "cluster", {
  clusterName: "restricted",
  kubernetesVersion: "1.34",
  availabilityZones: ["eu-central-1a", "eu-central-1b"],
  // No internet gateway and no NAT: AWS is reached through endpoints in the VPC, all else is in the registry.
  network: ClusterNetwork.isolated({ cidr: "10.64.0.0/16" }),
  registry: "123456789012.dkr.ecr.eu-central-1.amazonaws.com/mirror",
  admins: [pipeline],
});
new ClusterProviders(stack, "providers", { cluster, roleArn: pipeline });

new ElasticGpuNodePool(stack, "inference", {
  cluster,
  instanceTypes: ["g6e.12xlarge"],
  maxNodes: 8,
  workload: Workload.inference(),
});
new ElasticGpuNodePool(stack, "compiled-models", {
  cluster,
  instanceTypes: ["inf2.8xlarge"],
  maxNodes: 8,
  workload: Workload.inference(),
});

new ClusterAutoscaler(stack, "autoscaler", { cluster });
new NvidiaDevicePlugin(stack, "device-plugin", { cluster });
new NeuronDevicePlugin(stack, "neuron-device-plugin", { cluster });
new MetricsServer(stack, "metrics-server", { cluster });
new LoadBalancerController(stack, "load-balancers", { cluster });

app.synth();
