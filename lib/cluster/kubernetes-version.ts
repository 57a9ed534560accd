import { Problems } from "../internal/problems";
import { isKnown } from "../internal/tokens";

/** Minor versions that EKS makes clusters of (EKS User Guide, Kubernetes versions), in standard or extended support. */
const OFFERED = { oldest: 31, newest: 35 };

/** How many minor versions a kubelet may be behind its API server (Kubernetes, Version skew policy). */
const MOST_BEHIND = 3;

const MINOR = /^1\.([1-9]\d?)$/;

export function minorOf(version: string): number | undefined {
  const minor = MINOR.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** Refuses what EKS does not make a new cluster of. */
export function checkOffered(version: unknown, problems: Problems): void {
  const property = "kubernetesVersion";
  const range = `1.${OFFERED.oldest} to 1.${OFFERED.newest}`;
  if (typeof version === "string" && !isKnown(version)) {
    problems.addText(
      property,
      "must be a literal text, because versions of images and add-ons follow from it, got: a token. Write it out",
    );
    return;
  }
  const minor = typeof version === "string" ? minorOf(version) : undefined;
  if (minor === undefined || minor < OFFERED.oldest || minor > OFFERED.newest) {
    problems.add(
      property,
      `must be a minor version of Kubernetes that EKS offers, ${range}, as text`,
      version,
      "Choose one of them",
    );
  }
}

/** Refuses nodes that are newer than their cluster, or too old for it. Tokens are left to EKS. */
export function checkSkew(ofNodes: unknown, ofCluster: string, problems: Problems): void {
  const property = "kubernetesVersion";
  if (typeof ofNodes === "string" && !isKnown(ofNodes)) {
    problems.addText(
      property,
      "must be a literal text, because the image of the nodes follows from it, got: a token. Write it out",
    );
    return;
  }
  const minor = typeof ofNodes === "string" ? minorOf(ofNodes) : undefined;
  if (minor === undefined) {
    problems.add(
      property,
      "must be a minor version of Kubernetes such as 1.34, as text",
      ofNodes,
      "Leave it out for the cluster's",
    );
    return;
  }
  const cluster = isKnown(ofCluster) ? minorOf(ofCluster) : undefined;
  if (cluster !== undefined && (minor > cluster || minor < cluster - MOST_BEHIND)) {
    problems.add(
      property,
      `must be from 1.${cluster - MOST_BEHIND} to ${ofCluster} for a cluster of ${ofCluster}, since kubelets may be ${MOST_BEHIND} minor versions older than the API server, and never newer`,
      ofNodes,
      minor > cluster ? "Upgrade the cluster first" : "Upgrade the nodes, then the cluster",
    );
  }
}
