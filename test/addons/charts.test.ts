import { Addon } from "cdktf-elastic-gpu";
import { chartOf, mirrored } from "../../lib/addons/charts";

test("a mirror needs every chart and image, each under a name of its own", () => {
  const all = mirrored();
  expect(all.map(({ source, target }) => `${source} -> ${target}`)).toEqual([
    "https://kubernetes.github.io/autoscaler/cluster-autoscaler:9.59.0 -> charts/cluster-autoscaler:9.59.0",
    ...["v1.31.5", "v1.32.7", "v1.33.6", "v1.34.5", "v1.35.2", "v1.36.1"].map(
      (tag) => `registry.k8s.io/autoscaling/cluster-autoscaler:${tag} -> autoscaling/cluster-autoscaler:${tag}`,
    ),
    "https://nvidia.github.io/k8s-device-plugin/nvidia-device-plugin:0.20.0 -> charts/nvidia-device-plugin:0.20.0",
    "nvcr.io/nvidia/k8s-device-plugin:v0.20.0 -> nvidia/k8s-device-plugin:v0.20.0",
    "oci://public.ecr.aws/neuron/neuron-helm-chart:1.9.0 -> charts/neuron-helm-chart:1.9.0",
    "public.ecr.aws/neuron/neuron-device-plugin:2.31.0.0 -> neuron/neuron-device-plugin:2.31.0.0",
    "https://kubernetes-sigs.github.io/metrics-server/metrics-server:3.13.1 -> charts/metrics-server:3.13.1",
    "registry.k8s.io/metrics-server/metrics-server:v0.8.1 -> metrics-server/metrics-server:v0.8.1",
    "https://aws.github.io/eks-charts/aws-load-balancer-controller:3.5.0 -> charts/aws-load-balancer-controller:3.5.0",
    "public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0 -> eks/aws-load-balancer-controller:v3.5.0",
    "oci://public.ecr.aws/aws-ec2/helm/aws-node-termination-handler:0.27.6 -> charts/aws-node-termination-handler:0.27.6",
    "public.ecr.aws/aws-ec2/aws-node-termination-handler:v1.25.6 -> aws-ec2/aws-node-termination-handler:v1.25.6",
  ]);
  const targets = all.map(({ target }) => target);
  expect(new Set(targets).size).toBe(targets.length);
});

test("there is a Cluster Autoscaler for every version of Kubernetes that clusters are made of", () => {
  const minors = chartOf(Addon.CLUSTER_AUTOSCALER).images[0]!.tags.map((tag) => tag.split(".").slice(0, 2).join("."));
  expect(minors).toEqual(expect.arrayContaining(["v1.31", "v1.32", "v1.33", "v1.34", "v1.35"]));
  expect(new Set(minors).size).toBe(minors.length);
});
