import { Fn } from "cdktf";
import { Addon, IGpuCluster } from "../../cluster";
import { list, Problems } from "../../internal/problems";
import { isKnown } from "../../internal/tokens";
import { chartOf } from "../charts";

/** Tags of the image by the minor version of Kubernetes that they are for. */
const TAGS: { [minor: string]: string } = Object.fromEntries(
  chartOf(Addon.CLUSTER_AUTOSCALER).images[0].tags.map((tag) => [minorOf(tag), tag]),
);

/** The tag whose minor version is the cluster's. Terraform looks it up where the cluster's version is a token. */
export function autoscalerTag({ kubernetesVersion }: IGpuCluster, version: string | undefined): string {
  if (version !== undefined) {
    return `v${isKnown(version) ? version.replace(/^v/, "") : version}`;
  }
  return isKnown(kubernetesVersion) ? TAGS[kubernetesVersion] : Fn.lookup(TAGS, kubernetesVersion);
}

/** An autoscaler of another minor version would decide by the rules of a scheduler that the cluster does not have. */
export function checkAutoscalerVersion(
  { kubernetesVersion }: IGpuCluster,
  version: string | undefined,
  problems: Problems,
): void {
  if (!isKnown(kubernetesVersion)) {
    return;
  }
  if (version === undefined && !Object.hasOwn(TAGS, kubernetesVersion)) {
    problems.add(
      "autoscalerVersion",
      `must be given for a cluster of Kubernetes ${kubernetesVersion}, since releases are known for ${list(Object.keys(TAGS))} only`,
      version,
      "Pass the release of that minor version, from github.com/kubernetes/autoscaler/releases",
    );
  } else if (version !== undefined && isKnown(version) && minorOf(version) !== kubernetesVersion) {
    problems.add(
      "autoscalerVersion",
      `must be of the cluster's minor version, ${kubernetesVersion}, whose scheduler it simulates`,
      version,
      "Pass a release of that minor version, or leave it out",
    );
  }
}

function minorOf(version: string): string {
  return version.replace(/^v/, "").split(".").slice(0, 2).join(".");
}
