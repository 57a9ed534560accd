import { IGpuCluster } from "../cluster";
import { Problems } from "../internal/problems";
import { checkTextTokens } from "../internal/texts";
import { isKnown } from "../internal/tokens";
import { Chart } from "./charts";

/** Helm's limit for names of releases, which become label values with a suffix. */
const RELEASE_NAME = 53;

/** Refuses what Helm resolves anew at each plan, and would upgrade at a time that nobody chose. */
export function checkVersion(property: string, version: unknown, problems: Problems): void {
  const exact = /^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
  if (version === undefined || !checkTextTokens(property, version, problems)) {
    return;
  }
  if (isKnown(version) && !(typeof version === "string" && exact.test(version))) {
    problems.add(
      property,
      "must be one exact version such as 1.2.3, since anything else changes under your feet",
      version,
      "Write the version out, or leave it out for the one that was tested",
    );
  }
}

export function checkReleaseName(name: unknown, problems: Problems): void {
  if (name === undefined || !checkTextTokens("releaseName", name, problems) || !isKnown(name)) {
    return;
  }
  if (typeof name !== "string" || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
    problems.add(
      "releaseName",
      "must be lower case letters, digits and hyphens that start and end with a letter or a digit",
      name,
      "Correct it, or leave it out",
    );
  } else if (name.length > RELEASE_NAME) {
    problems.add(
      "releaseName",
      `must have at most ${RELEASE_NAME} characters, which is Helm's limit`,
      `${name.length} characters`,
      "Shorten it, or leave it out",
    );
  }
}

/** Only of the chart's own version it is known which Kubernetes it runs on. */
export function checkKubernetes({ kubernetesVersion }: IGpuCluster, chart: Chart, problems: Problems): void {
  if (isKnown(kubernetesVersion) && minor(kubernetesVersion) < minor(chart.kubernetes)) {
    problems.add(
      "cluster.kubernetesVersion",
      `must be ${chart.kubernetes} or later for the chart ${chart.name} ${chart.version}`,
      kubernetesVersion,
      "Upgrade the cluster, or pass the version of a chart that supports it",
    );
  }
}

function minor(version: string): number {
  return Number(version.split(".")[1]);
}
