import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack } from "cdktf";
import {
  ClusterAutoscaler,
  ClusterProviders,
  ElasticGpuNodePool,
  EndpointAccess,
  GpuCluster,
  LoadBalancerController,
  MetricsServer,
  NvidiaDevicePlugin,
  Workload,
} from "cdktf-elastic-gpu";

const app = new App();
const stack = new TerraformStack(app, "new-cluster");
new AwsProvider(stack, "aws", { region: "us-east-1" });

const cluster = new GpuCluster(stack, "cluster", {
  clusterName: "training",
  kubernetesVersion: "1.34",
  availabilityZones: ["us-east-1a", "us-east-1b", "us-east-1c"],
  // Your own addresses: Terraform and kubectl reach the API server from there. Without admins, whoever applies is the
  // administrator, of which a warning reminds.
  endpointAccess: EndpointAccess.publicFrom(["203.0.113.0/24"]),
});
new ClusterProviders(stack, "providers", { cluster });

new ElasticGpuNodePool(stack, "inference", {
  cluster,
  instanceTypes: ["g6.12xlarge"],
  maxNodes: 20,
  workload: Workload.inference(),
});

new ClusterAutoscaler(stack, "autoscaler", { cluster });
new NvidiaDevicePlugin(stack, "device-plugin", { cluster });
new MetricsServer(stack, "metrics-server", { cluster });
new LoadBalancerController(stack, "load-balancers", { cluster });

app.synth();
