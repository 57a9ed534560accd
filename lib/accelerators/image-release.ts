/** Operating systems whose releases EKS versions differently. */
export enum ImageFamily {
  AL2023 = "AL2023",
  BOTTLEROCKET = "Bottlerocket",
}

const KUBERNETES_VERSION = /^1\.[1-9][0-9]?$/;
/** Kubernetes version and build date: 1.34.2-20251120. */
const AL2023_RELEASE = /^(1\.[0-9]{1,2})\.[0-9]+-(20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))$/;
/** Bottlerocket version, with the commit that EKS appends or without it: 1.52.0 or 1.52.0-3b6b8a4f. */
const BOTTLEROCKET_RELEASE = /^[1-9][0-9]*\.[0-9]+\.[0-9]+(?:-[0-9a-f]{8})?$/;

/** Oldest Kubernetes for which EKS built AL2023 images (EKS User Guide, Amazon Linux 2023). */
const AL2023_FIRST_MINOR = 23;

export function kubernetesVersionProblems(family: ImageFamily | undefined, kubernetesVersion: string): string[] {
  if (!KUBERNETES_VERSION.test(kubernetesVersion)) {
    return [`kubernetesVersion must be a minor version such as 1.34, got: ${kubernetesVersion}`];
  }
  return family === ImageFamily.AL2023 && Number(kubernetesVersion.split(".")[1]) < AL2023_FIRST_MINOR
    ? [`AL2023 images exist from Kubernetes 1.${AL2023_FIRST_MINOR} on, got: ${kubernetesVersion}; upgrade the cluster`]
    : [];
}

export function releaseVersionProblems(
  family: ImageFamily,
  releaseVersion: string,
  kubernetesVersion: string | undefined,
): string[] {
  return family === ImageFamily.AL2023
    ? al2023ReleaseProblems(releaseVersion, kubernetesVersion)
    : bottlerocketReleaseProblems(releaseVersion);
}

function al2023ReleaseProblems(releaseVersion: string, kubernetesVersion: string | undefined): string[] {
  const release = AL2023_RELEASE.exec(releaseVersion);
  if (release === null) {
    const other = BOTTLEROCKET_RELEASE.test(releaseVersion) ? ", which is a Bottlerocket release" : "";
    return [`releaseVersion of an AL2023 image must look like 1.34.2-20251120, got: ${releaseVersion}${other}`];
  }
  return kubernetesVersion === undefined || release[1] === kubernetesVersion
    ? []
    : [
        `releaseVersion must be one of Kubernetes ${kubernetesVersion}, the version of the nodes, ` +
          `got: ${releaseVersion} of Kubernetes ${release[1]}; leave it out for the latest`,
      ];
}

function bottlerocketReleaseProblems(releaseVersion: string): string[] {
  // An AL2023 build date also reads as eight hexadecimal digits, so that form is asked for first.
  if (AL2023_RELEASE.test(releaseVersion)) {
    return [
      "releaseVersion of a Bottlerocket image must look like 1.52.0 or 1.52.0-3b6b8a4f, " +
        `got: ${releaseVersion}, which is an AL2023 release`,
    ];
  }
  return BOTTLEROCKET_RELEASE.test(releaseVersion)
    ? []
    : [`releaseVersion of a Bottlerocket image must look like 1.52.0 or 1.52.0-3b6b8a4f, got: ${releaseVersion}`];
}

/** Name of an AL2023 image as EKS publishes it, from its release: 1.34.2-20251120 is built as v20251120. */
export function al2023ImageName(
  releaseVersion: string,
  kubernetesVersion: string,
  architecture: string,
  variant: string,
): string {
  const date = releaseVersion.slice(releaseVersion.indexOf("-") + 1);
  return `amazon-eks-node-al2023-${architecture}-${variant}-${kubernetesVersion}-v${date}`;
}
