export { AcceleratorType } from "./accelerator-type";
export { CustomAcceleratorType } from "./custom-accelerator-type";
export { EfaInterface, EfaLayout } from "./efa-layout";
export { GpuSharing, GpuSharingStrategy, SharingReplicas } from "./gpu-sharing";
export { JoinMethod } from "./join-method";
export { CustomNodeImage, NodeImage, NodeImageRelease } from "./node-image";
export { AcceleratorVendor, Architecture } from "./vendor";
