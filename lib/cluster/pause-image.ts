import { IGpuCluster } from "./cluster";

const REPOSITORY = "pause";
const TAG = "3.10.1";

/** The image of a container that does nothing, as Kubernetes itself publishes it. */
export const PAUSE_IMAGE = `registry.k8s.io/${REPOSITORY}:${TAG}`;

/** The same from where the cluster takes its images. */
export function pauseImage({ registry }: IGpuCluster): string {
  return registry === undefined ? PAUSE_IMAGE : `${registry}/${REPOSITORY}:${TAG}`;
}
