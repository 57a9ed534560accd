/** The instruction set of the instance's processor; images and container images must be built for it. */
export enum Architecture {
  X86_64 = "x86_64",
  ARM64 = "arm64",
}

/** Who makes the accelerator. It decides the node image, the device plugin and the name of the Kubernetes resource. */
export enum AcceleratorVendor {
  NVIDIA = "NVIDIA",
  AWS_NEURON = "AWS Neuron",
  AMD = "AMD",
  HABANA = "Habana",
  QUALCOMM = "Qualcomm",
  XILINX = "Xilinx",
}

/**
 * Extended resource that each vendor's device plugin registers with the kubelet. The Xilinx plugin names the resource
 * after the shell on the card; this is the one its U30 documentation uses.
 */
const RESOURCE_NAMES: Record<AcceleratorVendor, string> = {
  [AcceleratorVendor.NVIDIA]: "nvidia.com/gpu",
  [AcceleratorVendor.AWS_NEURON]: "aws.amazon.com/neuron",
  [AcceleratorVendor.AMD]: "amd.com/gpu",
  [AcceleratorVendor.HABANA]: "habana.ai/gaudi",
  [AcceleratorVendor.QUALCOMM]: "qualcomm.com/qaic",
  [AcceleratorVendor.XILINX]: "xilinx.com/fpga-xilinx_u30_gen3x4_base_1-0",
};

export function resourceNameOf(vendor: AcceleratorVendor): string {
  return RESOURCE_NAMES[vendor];
}

/**
 * Value of the label k8s.amazonaws.com/accelerator for a model. Cluster Autoscaler knows nvidia-tesla-t4, -v100, -a100,
 * nvidia-a10g, nvidia-l4 and nvidia-l40s by name (aws_cloud_provider.go); later models follow the same pattern, and
 * every value has the same effect: a node counts as unready until nvidia.com/gpu is allocatable.
 */
export function acceleratorLabelOf(vendor: AcceleratorVendor, model: string): string | undefined {
  if (vendor !== AcceleratorVendor.NVIDIA) {
    return undefined;
  }
  const slug = model
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return ["t4", "v100", "a100"].includes(slug) ? `nvidia-tesla-${slug}` : `nvidia-${slug}`;
}

/**
 * NeuronCores that the device plugin advertises for one device: Inferentia 4, Inferentia2 and Trainium 2, Trainium2 4.
 * A Trainium2 device has 8 physical cores; with the default logical core configuration (LNC=2) two make one logical
 * core and the plugin counts those, 64 on a trn2.48xlarge. (AWS Neuron documentation: NeuronCore architecture, Logical
 * NeuronCore configuration.)
 */
const NEURON_CORES = new Map<string, number>([
  ["Inferentia", 4],
  ["Inferentia2", 2],
  ["Trainium", 2],
  ["Trainium2", 4],
]);

export function neuronCoresPerDevice(model: string): number | undefined {
  return NEURON_CORES.get(model);
}
