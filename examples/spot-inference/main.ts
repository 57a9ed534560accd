import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { DeploymentV1 } from "@cdktf/provider-kubernetes/lib/deployment-v1";
import { IngressV1 } from "@cdktf/provider-kubernetes/lib/ingress-v1";
import { NamespaceV1 } from "@cdktf/provider-kubernetes/lib/namespace-v1";
import { PodDisruptionBudgetV1 } from "@cdktf/provider-kubernetes/lib/pod-disruption-budget-v1";
import { ServiceV1 } from "@cdktf/provider-kubernetes/lib/service-v1";
import { App, TerraformOutput, TerraformStack } from "cdktf";
import {
  ClusterAutoscaler,
  ClusterProviders,
  DrainBudget,
  GpuCluster,
  Headroom,
  LoadBalancerController,
  LocalStorage,
  NodeTerminationHandler,
  NvidiaDevicePlugin,
  SpotWithFallback,
  Workload,
} from "cdktf-elastic-gpu";

const app = new App();
const stack = new TerraformStack(app, "spot-inference");
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
new ClusterProviders(stack, "providers", { cluster });

// The server: vLLM with a model of 15 GB, which fits an L4, from a registry that every new node may pull from at once.
const image = "123456789012.dkr.ecr.us-east-1.amazonaws.com/vllm-openai:v0.11.0";
const port = 8000;
const replicas = 6;

const pool = new SpotWithFallback(stack, "inference", {
  cluster,
  // One L4 each, so that three times as many Spot pools hold capacity for the same pod.
  instanceTypes: ["g6.2xlarge", "g6.4xlarge", "g6.8xlarge"],
  maxNodes: 40,
  workload: Workload.inference(),
  headroom: Headroom.nodes(1),
  // No request takes longer than 60 s, so that all have ended before SIGTERM.
  drain: DrainBudget.inference({ deregistrationSeconds: 60, afterSigtermSeconds: 45 }),
  // The node of the placeholder, too, has the image before the first pod comes.
  images: [image],
  localStorage: LocalStorage.raid0(),
});

new ClusterAutoscaler(stack, "autoscaler", { cluster });
const terminationHandler = new NodeTerminationHandler(stack, "termination-handler", { cluster });
new NvidiaDevicePlugin(stack, "device-plugin", { cluster });
const loadBalancers = new LoadBalancerController(stack, "load-balancers", { cluster });

// Terraform waits for the pods of a namespace that goes away, but not for those of a Deployment: they leave before nodes do.
const { metadata: namespace } = new NamespaceV1(stack, "namespace", {
  metadata: { name: "inference" },
  dependsOn: [pool.resource],
});
const matchLabels = { app: "vllm" };
const metadata = { name: "vllm", namespace: namespace.name, labels: matchLabels };

/** Spreads pods where there is a choice. As a condition it could not be met: AWS chooses zone and market of a new node. */
const spreadOver = (topologyKey: string) => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable: "ScheduleAnyway",
  labelSelector: [{ matchLabels }],
});
const health = { httpGet: { path: "/health", port: String(port) }, timeoutSeconds: 5 };
const resources = { cpu: "6", memory: "24Gi", [pool.acceleratorResource]: "1" };

new DeploymentV1(stack, "deployment", {
  metadata,
  // Pods wait for nodes that EC2 has yet to find; an apply does not.
  waitForRollout: false,
  spec: {
    replicas: String(replicas),
    selector: { matchLabels },
    template: {
      metadata: { labels: matchLabels },
      spec: {
        nodeSelector: pool.nodeSelector,
        // Those of the mixed group alone: the taint of nodes that stand in keeps pods away while there is room elsewhere.
        toleration: pool.taints.map(({ key, value, effect }) => ({ key, operator: "Equal", value, effect })),
        topologySpreadConstraint: [spreadOver("topology.kubernetes.io/zone"), spreadOver("node-lifecycle")],
        terminationGracePeriodSeconds: pool.drain.terminationGracePeriodSeconds,
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { seccompProfile: { type: "RuntimeDefault" } },
        container: [
          {
            name: "vllm",
            image,
            args: ["--model=Qwen/Qwen2.5-7B-Instruct", "--max-model-len=8192", `--port=${port}`],
            env: [{ name: "HOME", value: "/home/vllm" }],
            port: [{ name: "http", containerPort: port }],
            resources: { requests: resources, limits: resources },
            // The image must have a program named sleep: the provider does not know Kubernetes' own sleep action.
            lifecycle: { preStop: [{ exec: { command: ["sleep", String(pool.drain.preStopSeconds)] } }] },
            // Ten minutes to load the model, of which the first start spends some on its download.
            startupProbe: { ...health, periodSeconds: 10, failureThreshold: 60 },
            readinessProbe: { ...health, periodSeconds: 5 },
            livenessProbe: { ...health, periodSeconds: 10 },
            volumeMount: [
              { name: "home", mountPath: "/home/vllm" },
              { name: "tmp", mountPath: "/tmp" },
            ],
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
          },
        ],
        // On the instance store: the model, which a container that starts anew finds there, and compiled kernels.
        volume: [
          { name: "home", emptyDir: {} },
          { name: "tmp", emptyDir: {} },
        ],
      },
    },
  },
});

new PodDisruptionBudgetV1(stack, "disruption-budget", {
  metadata,
  spec: {
    // As many as EC2 may reclaim at once: the drain of a node that waits for another one's would outlast the notice.
    maxUnavailable: String(pool.purchasePlan.at(replicas).spot),
    selector: { matchLabels },
  },
});

const service = new ServiceV1(stack, "service", {
  metadata,
  spec: { selector: matchLabels, port: [{ name: "http", port: 80, targetPort: "http" }] },
});

const attributes = [pool.drain.targetGroupAttributes, "load_balancing.algorithm.type=least_outstanding_requests"];
new IngressV1(stack, "ingress", {
  metadata: {
    ...metadata,
    annotations: {
      "alb.ingress.kubernetes.io/scheme": "internal",
      "alb.ingress.kubernetes.io/subnets": pool.subnetIds.join(","),
      "alb.ingress.kubernetes.io/target-type": "ip",
      "alb.ingress.kubernetes.io/target-group-attributes": attributes.join(","),
      "alb.ingress.kubernetes.io/healthcheck-path": health.httpGet.path,
    },
  },
  spec: {
    ingressClassName: "alb",
    defaultBackend: { service: { name: service.metadata.name, port: { name: "http" } } },
  },
  // It goes first, since the controller alone can delete the load balancer.
  dependsOn: [loadBalancers.resource],
});

new TerraformOutput(stack, "alerts", {
  value: [pool.notificationTopicArn, terminationHandler.notificationTopicArn],
});

app.synth();
