/** A controller or driver that pools need, or that a cluster commonly has. The values are the names they are known by. */
export enum Addon {
  /** Cluster Autoscaler: adds nodes for pods that wait, and takes idle ones away. */
  CLUSTER_AUTOSCALER = "cluster-autoscaler",
  /** NVIDIA device plugin: makes `nvidia.com/gpu` allocatable. */
  NVIDIA_DEVICE_PLUGIN = "nvidia-device-plugin",
  /** Neuron device plugin: makes `aws.amazon.com/neuron` and `aws.amazon.com/neuroncore` allocatable. */
  NEURON_DEVICE_PLUGIN = "neuron-device-plugin",
  /** EFA device plugin: makes `vpc.amazonaws.com/efa` allocatable. */
  EFA_DEVICE_PLUGIN = "aws-efa-k8s-device-plugin",
  /** Metrics Server: CPU and memory of pods, for HorizontalPodAutoscalers and `kubectl top`. */
  METRICS_SERVER = "metrics-server",
  /** AWS Load Balancer Controller: load balancers for services and ingresses. */
  LOAD_BALANCER_CONTROLLER = "aws-load-balancer-controller",
  /** AWS Node Termination Handler: drains nodes of self-managed groups before their instances end. */
  NODE_TERMINATION_HANDLER = "aws-node-termination-handler",
}
