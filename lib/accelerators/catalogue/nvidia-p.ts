import { AcceleratorVendor, Architecture } from "../vendor";
import { CatalogueFamily, cards } from "./family";

// Columns: size, vCPUs, memory GiB, devices, ENIs per card, IPv4 per ENI, EBS IOPS, EBS MB/s.
// p6-b300: card 0 is ENA only, its 16 EFAs sit on the cards 1 to 16.
// p6e-gb200: in no public DescribeInstanceTypes record. Cards, EFA cards and the GPU count come from AI on EKS and the
// EFA device plugin; the rest stays open rather than guessed. Sold only as UltraServer Capacity Blocks.
const OPEN = undefined;

export const NVIDIA_P: CatalogueFamily[] = [
  {
    family: "p3",
    vendor: AcceleratorVendor.NVIDIA,
    model: "V100",
    deviceMib: 16384,
    rows: [
      ["2xlarge", 8, 61, 1, 4, 15, 10000, 218.75, { usd: 3.06 }],
      ["8xlarge", 32, 244, 4, 8, 30, 40000, 875, { usd: 12.24 }],
      ["16xlarge", 64, 488, 8, 8, 30, 80000, 1750, { usd: 24.48 }],
    ],
  },
  {
    family: "p3dn",
    vendor: AcceleratorVendor.NVIDIA,
    model: "V100",
    deviceMib: 32768,
    rows: [["24xlarge", 96, 768, 8, 15, 50, 80000, 2375, { efa: [0], nvme: [2, 900], usd: 31.212 }]],
  },
  {
    family: "p4d",
    vendor: AcceleratorVendor.NVIDIA,
    model: "A100",
    deviceMib: 40960,
    capacityBlockSizes: ["24xlarge"],
    rows: [
      ["24xlarge", 96, 1152, 8, 15, 50, 80000, 2375, { cards: 4, efa: [0, 1, 2, 3], nvme: [8, 1000], usd: 21.957642 }],
    ],
  },
  {
    family: "p4de",
    vendor: AcceleratorVendor.NVIDIA,
    model: "A100",
    deviceMib: 81920,
    capacityBlockSizes: ["24xlarge"],
    rows: [
      ["24xlarge", 96, 1152, 8, 15, 50, 80000, 2375, { cards: 4, efa: [0, 1, 2, 3], nvme: [8, 1000], usd: 27.44705 }],
    ],
  },
  {
    family: "p5",
    vendor: AcceleratorVendor.NVIDIA,
    model: "H100",
    deviceMib: 81920,
    capacityBlockSizes: ["4xlarge", "48xlarge"],
    rows: [
      ["4xlarge", 16, 256, 1, 4, 30, 32500, 1250, { efa: [0], nvme: [1, 3800], usd: 6.88 }],
      ["48xlarge", 192, 2048, 8, 2, 50, 260000, 10000, { cards: 32, efa: cards(0, 31), nvme: [8, 3800], usd: 55.04 }],
    ],
  },
  {
    family: "p5e",
    vendor: AcceleratorVendor.NVIDIA,
    model: "H200",
    deviceMib: 144384,
    capacityBlockSizes: ["48xlarge"],
    rows: [["48xlarge", 192, 2048, 8, 2, 50, 260000, 10000, { cards: 32, efa: cards(0, 31), nvme: [8, 3800] }]],
  },
  {
    family: "p5en",
    vendor: AcceleratorVendor.NVIDIA,
    model: "H200",
    deviceMib: 144384,
    capacityBlockSizes: ["48xlarge"],
    rows: [
      ["48xlarge", 192, 2048, 8, 4, 50, 400000, 12500, { cards: 16, efa: cards(0, 15), nvme: [8, 3800], usd: 63.296 }],
    ],
  },
  {
    family: "p6-b200",
    vendor: AcceleratorVendor.NVIDIA,
    model: "B200",
    deviceMib: 183359,
    capacityBlockSizes: ["48xlarge"],
    rows: [
      ["48xlarge", 192, 2048, 8, 4, 50, 400000, 12500, { cards: 8, efa: cards(0, 7), nvme: [8, 3800], usd: 113.9328 }],
    ],
  },
  {
    family: "p6-b300",
    vendor: AcceleratorVendor.NVIDIA,
    model: "B300",
    deviceMib: 275040,
    capacityBlockSizes: ["48xlarge"],
    rows: [
      ["48xlarge", 192, 4096, 8, 4, 50, 400000, 12500, { cards: 17, efa: cards(1, 16), nvme: [8, 3800], usd: 142.416 }],
    ],
  },
  {
    family: "p6e-gb200",
    architecture: Architecture.ARM64,
    vendor: AcceleratorVendor.NVIDIA,
    model: "GB200",
    spot: false,
    capacityBlockSizes: ["36xlarge"],
    rows: [["36xlarge", OPEN, OPEN, 4, OPEN, OPEN, OPEN, OPEN, { cards: 17, efa: [1, 5, 9, 13] }]],
  },
];
