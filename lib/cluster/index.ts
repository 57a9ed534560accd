export { ClusterSubnet, IGpuCluster } from "./cluster";
export { GpuCluster } from "./gpu-cluster";
export { GpuClusterAttributes } from "./imported-cluster";
export { INodePool, NodeTier } from "./node-pool";
export { NodeTaint, TaintEffect } from "./node-taint";
