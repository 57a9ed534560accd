export { ClusterAutoscaler } from "./cluster-autoscaler/cluster-autoscaler";
export { AutoscalerPriority, ClusterAutoscalerProps } from "./cluster-autoscaler/cluster-autoscaler-props";
export { DevicePluginProps } from "./device-plugin-props";
export { AwsAddonProps, HelmAddonProps } from "./helm-addon-props";
export { LoadBalancerController } from "./load-balancer-controller";
export { MetricsServer } from "./metrics-server";
export { NeuronDevicePlugin } from "./neuron-device-plugin";
export { NvidiaDevicePlugin } from "./nvidia-device-plugin";
