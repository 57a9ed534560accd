/**
 * Accelerated EC2 instance types.
 *
 * Sources, as read on the date given:
 * - EC2 DescribeInstanceTypes as recorded by getmoto/moto, 2026-08-22 (processors, memory, devices, network cards, EFA,
 *   instance store, EBS limits, purchase options, placement groups)
 * - aws/amazon-vpc-cni-k8s, 2026-08-20 (network interfaces and addresses of network card 0)
 * - kubernetes/autoscaler, 2026-08-22; aws/karpenter-provider-aws, 2026-08-21; eksctl-io/eksctl, 2026-08-21
 *   (cross-checks of counts and limits)
 * - aws/eks-charts, EFA device plugin, 2026-08-03; AI on EKS, EFA interface generator (EFA of p5, p6 and p6e)
 * - AWS Neuron documentation (device memory of Trainium2)
 * - vantage-sh/ec2instances.info, 2026-07-20 and Karpenter's price list (on-demand prices, Linux, us-east-1)
 *
 * Purchase options say what the API accepts, not that capacity exists. dl1 and p3 are leaving the regions: check that
 * yours still offers them.
 */
import { CatalogueFamily, CatalogueRow } from "./family";
import { NEURON } from "./neuron";
import { NVIDIA_G } from "./nvidia-g";
import { NVIDIA_P } from "./nvidia-p";
import { OTHERS } from "./others";

export interface CatalogueEntry {
  readonly family: CatalogueFamily;
  readonly row: CatalogueRow;
}

const FAMILIES: CatalogueFamily[] = [...NVIDIA_G, ...NVIDIA_P, ...NEURON, ...OTHERS];

/** Names in catalogue order: NVIDIA G and P, AWS Neuron, others; sizes ascending. */
export function catalogueNames(): string[] {
  return FAMILIES.flatMap(({ family, rows }) => rows.map(([size]) => `${family}.${size}`));
}

export function catalogueEntry(instanceType: string): CatalogueEntry | undefined {
  const [familyName, size] = instanceType.split(".");
  const family = FAMILIES.find((candidate) => candidate.family === familyName);
  const row = family?.rows.find((candidate) => candidate[0] === size);
  return family !== undefined && row !== undefined && `${familyName}.${size}` === instanceType
    ? { family, row }
    : undefined;
}
