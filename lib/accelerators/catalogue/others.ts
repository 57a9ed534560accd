import { AcceleratorVendor } from "../vendor";
import { CatalogueFamily } from "./family";

// Columns: size, vCPUs, memory GiB, devices, ENIs per card, IPv4 per ENI, EBS IOPS, EBS MB/s.
export const OTHERS: CatalogueFamily[] = [
  {
    family: "g4ad",
    vendor: AcceleratorVendor.AMD,
    model: "Radeon Pro V520",
    deviceMib: 8192,
    rows: [
      ["xlarge", 4, 16, 1, 2, 4, 13333, 396.25, { nvme: [1, 150], usd: 0.37853 }],
      ["2xlarge", 8, 32, 1, 2, 4, 13333, 396.25, { nvme: [1, 300], usd: 0.54117 }],
      ["4xlarge", 16, 64, 1, 3, 10, 13333, 396.25, { nvme: [1, 600], usd: 0.867 }],
      ["8xlarge", 32, 128, 2, 4, 15, 13333, 396.25, { nvme: [1, 1200], usd: 1.734 }],
      ["16xlarge", 64, 256, 4, 8, 30, 26667, 787.5, { nvme: [2, 1200], usd: 3.468 }],
    ],
  },
  {
    family: "dl1",
    vendor: AcceleratorVendor.HABANA,
    model: "Gaudi HL-205",
    deviceMib: 32768,
    rows: [
      ["24xlarge", 96, 768, 8, 15, 50, 80000, 2375, { cards: 4, efa: [0, 1, 2, 3], nvme: [4, 1000], usd: 13.10904 }],
    ],
  },
  {
    family: "dl2q",
    vendor: AcceleratorVendor.QUALCOMM,
    model: "Qualcomm AI100",
    deviceMib: 16000,
    rows: [["24xlarge", 96, 768, 8, 15, 50, 80000, 2375, { efa: [0] }]],
  },
  {
    family: "vt1",
    vendor: AcceleratorVendor.XILINX,
    model: "U30",
    deviceMib: 24576,
    clusterPlacement: false,
    rows: [
      ["3xlarge", 12, 24, 1, 4, 15, 20000, 593.75, { usd: 0.65 }],
      ["6xlarge", 24, 48, 2, 8, 30, 20000, 593.75, { usd: 1.3 }],
      ["24xlarge", 96, 192, 8, 15, 50, 80000, 2375, { efa: [0], usd: 5.2 }],
    ],
  },
];
