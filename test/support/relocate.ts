import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GpuClusterAttributes } from "cdktf-elastic-gpu";
import { writeOverrides } from "./overrides";

/**
 * Fits a synthesized stack to a simulated AWS account.
 *
 * An example names a network that exists, by ids; those of the simulated one, which are new each time, take their place.
 */
export function relocate(folder: string, cluster: GpuClusterAttributes, env: NodeJS.ProcessEnv): void {
  const file = join(folder, "cdk.tf.json");
  const text = readFileSync(file, "utf8");
  const subnetIds = [...new Set(text.match(/\bsubnet-[0-9a-z]+/g))].sort();
  writeFileSync(
    file,
    text
      .replace(/\bsubnet-[0-9a-z]+/g, (id) => cluster.subnets[subnetIds.indexOf(id)]!.subnetId)
      .replace(/\bsg-[0-9a-z]+/g, cluster.clusterSecurityGroupId)
      .replace(/\bvpc-[0-9a-z]+/g, cluster.vpcId),
  );
  writeOverrides(folder, env);
}
