import { Addon } from "../cluster";

/** An image that a chart runs with the values that the library gives it. */
export interface ChartImage {
  readonly repository: string;
  /** One, but where the image follows the cluster's version. */
  readonly tags: string[];
  /** Where the values name the repository. */
  readonly path: string[];
}

/** A Helm chart that was read and tested with the values that the library gives it. */
export interface Chart {
  readonly name: string;
  /** Of charts over HTTP the URL of their index, else oci:// and the folder. */
  readonly repository: string;
  readonly version: string;
  /** The oldest minor version of Kubernetes that the chart or what it installs supports, after their own documents. */
  readonly kubernetes: string;
  readonly images: ChartImage[];
}

/** Below this folder of a private registry its mirrors of charts are looked for. */
const CHARTS_FOLDER = "charts";

/** Every chart that the library installs; nowhere else stands a version. */
const CHARTS = {
  [Addon.CLUSTER_AUTOSCALER]: {
    name: "cluster-autoscaler",
    repository: "https://kubernetes.github.io/autoscaler",
    version: "9.59.0",
    kubernetes: "1.31",
    images: [
      {
        repository: "registry.k8s.io/autoscaling/cluster-autoscaler",
        // The last patch of each minor (github.com/kubernetes/autoscaler/releases).
        tags: ["v1.31.5", "v1.32.7", "v1.33.6", "v1.34.5", "v1.35.2", "v1.36.1"],
        path: ["image", "repository"],
      },
    ],
  },
  [Addon.NVIDIA_DEVICE_PLUGIN]: {
    name: "nvidia-device-plugin",
    repository: "https://nvidia.github.io/k8s-device-plugin",
    version: "0.20.0",
    kubernetes: "1.10",
    images: [{ repository: "nvcr.io/nvidia/k8s-device-plugin", tags: ["v0.20.0"], path: ["image", "repository"] }],
  },
  [Addon.NEURON_DEVICE_PLUGIN]: {
    name: "neuron-helm-chart",
    repository: "oci://public.ecr.aws/neuron",
    version: "1.9.0",
    kubernetes: "1.17",
    images: [
      {
        repository: "public.ecr.aws/neuron/neuron-device-plugin",
        tags: ["2.31.0.0"],
        path: ["devicePlugin", "image", "repository"],
      },
    ],
  },
  [Addon.METRICS_SERVER]: {
    name: "metrics-server",
    repository: "https://kubernetes-sigs.github.io/metrics-server/",
    version: "3.13.1",
    kubernetes: "1.31",
    images: [
      { repository: "registry.k8s.io/metrics-server/metrics-server", tags: ["v0.8.1"], path: ["image", "repository"] },
    ],
  },
  [Addon.LOAD_BALANCER_CONTROLLER]: {
    name: "aws-load-balancer-controller",
    repository: "https://aws.github.io/eks-charts",
    version: "3.5.0",
    kubernetes: "1.22",
    images: [
      {
        repository: "public.ecr.aws/eks/aws-load-balancer-controller",
        tags: ["v3.5.0"],
        path: ["image", "repository"],
      },
    ],
  },
  [Addon.NODE_TERMINATION_HANDLER]: {
    name: "aws-node-termination-handler",
    repository: "oci://public.ecr.aws/aws-ec2/helm",
    version: "0.27.6",
    kubernetes: "1.16",
    images: [
      {
        repository: "public.ecr.aws/aws-ec2/aws-node-termination-handler",
        tags: ["v1.25.6"],
        path: ["image", "repository"],
      },
    ],
  },
} satisfies { [addon: string]: Chart };

/** An add-on that the library installs with Helm. */
export type ChartAddon = keyof typeof CHARTS;

export function chartOf(addon: ChartAddon): Chart {
  return CHARTS[addon];
}

/** Where the release finds its chart: at home, or in the registry that the cluster takes everything from. */
export function chartSource(chart: Chart, registry: string | undefined): { chart: string; repository: string } {
  return {
    chart: chart.name,
    repository: registry === undefined ? chart.repository : `oci://${registry}/${CHARTS_FOLDER}`,
  };
}

/** The values by which a chart takes its images from the cluster's registry; without one its own defaults hold. */
export function imageValues(chart: Chart, registry: string | undefined): { [key: string]: any } {
  if (registry === undefined) {
    return {};
  }
  const values: { [key: string]: any } = {};
  for (const { repository, path } of chart.images) {
    const [last, ...parents] = [...path].reverse();
    const holder = parents.reverse().reduce((at, key) => (at[key] ??= {}), values);
    holder[last] = `${registry}/${withoutHost(repository)}`;
  }
  return values;
}

/** What a registry without a way to the internet must hold for one add-on. */
export interface Mirrored {
  readonly addon: Addon;
  /** An image as `docker pull` takes it; of a chart the repository, its name and its version. */
  readonly source: string;
  /** Its name and tag, or version, below the registry's prefix. */
  readonly target: string;
}

/** Everything that a registry must hold for all add-ons, images of other minor versions of Kubernetes included. */
export function mirrored(): Mirrored[] {
  return (Object.entries(CHARTS) as [Addon, Chart][]).flatMap(([addon, chart]) => [
    {
      addon,
      source: `${chart.repository.replace(/\/$/, "")}/${chart.name}:${chart.version}`,
      target: `${CHARTS_FOLDER}/${chart.name}:${chart.version}`,
    },
    ...chart.images.flatMap(({ repository, tags }) =>
      tags.map((tag) => ({
        addon,
        source: `${repository}:${tag}`,
        target: `${withoutHost(repository)}:${tag}`,
      })),
    ),
  ]);
}

function withoutHost(repository: string): string {
  return repository.slice(repository.indexOf("/") + 1);
}
