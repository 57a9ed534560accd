import { AcceleratorVendor } from "../vendor";
import { CatalogueFamily, cards } from "./family";

// Columns: size, vCPUs, memory GiB, devices, ENIs per card, IPv4 per ENI, EBS IOPS, EBS MB/s.
// Trainium2 memory is the 96 GiB of HBM a device has (AWS Neuron documentation, Trn2 architecture);
// DescribeInstanceTypes states 512 GiB for it, which no device has.
export const NEURON: CatalogueFamily[] = [
  {
    family: "inf1",
    vendor: AcceleratorVendor.AWS_NEURON,
    model: "Inferentia",
    deviceMib: 8192,
    rows: [
      ["xlarge", 4, 8, 1, 4, 10, 20000, 593.75, { usd: 0.228 }],
      ["2xlarge", 8, 16, 1, 4, 10, 20000, 593.75, { usd: 0.362 }],
      ["6xlarge", 24, 48, 4, 8, 30, 20000, 593.75, { usd: 1.18 }],
      ["24xlarge", 96, 192, 16, 11, 30, 80000, 2375, { efa: [0], usd: 4.721 }],
    ],
  },
  {
    family: "inf2",
    vendor: AcceleratorVendor.AWS_NEURON,
    model: "Inferentia2",
    deviceMib: 32768,
    rows: [
      ["xlarge", 4, 16, 1, 4, 15, 40000, 1250, { usd: 0.7582 }],
      ["8xlarge", 32, 128, 1, 8, 30, 40000, 1250, { usd: 1.96786 }],
      ["24xlarge", 96, 384, 6, 15, 50, 120000, 3750, { usd: 6.49063 }],
      ["48xlarge", 192, 768, 12, 15, 50, 240000, 7500, { usd: 12.98127 }],
    ],
  },
  {
    family: "trn1",
    vendor: AcceleratorVendor.AWS_NEURON,
    model: "Trainium",
    deviceMib: 32768,
    capacityBlockSizes: ["32xlarge"],
    rows: [
      ["2xlarge", 8, 32, 1, 4, 15, 65000, 2500, { nvme: [1, 474], usd: 1.34375 }],
      ["32xlarge", 128, 512, 16, 5, 50, 260000, 10000, { cards: 8, efa: cards(0, 7), nvme: [4, 1900], usd: 21.5 }],
    ],
  },
  {
    family: "trn1n",
    vendor: AcceleratorVendor.AWS_NEURON,
    model: "Trainium",
    deviceMib: 32768,
    rows: [
      ["32xlarge", 128, 512, 16, 5, 50, 260000, 10000, { cards: 16, efa: cards(0, 15), nvme: [4, 1900], usd: 24.78 }],
    ],
  },
  {
    family: "trn2",
    vendor: AcceleratorVendor.AWS_NEURON,
    model: "Trainium2",
    deviceMib: 98304,
    capacityBlockSizes: ["3xlarge", "48xlarge"],
    rows: [
      ["3xlarge", 12, 128, 1, 2, 15, 16250, 625, { efa: [0], nvme: [1, 470] }],
      ["48xlarge", 192, 2048, 16, 2, 50, 260000, 10000, { cards: 16, efa: cards(0, 15), nvme: [4, 1900] }],
    ],
  },
];
