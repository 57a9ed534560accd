import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GpuClusterAttributes } from "cdktf-elastic-gpu";
import { writeOverrides } from "./overrides";

/**
 * Fits a synthesized stack to a simulated AWS account.
 *
 * Where an example names a network that exists, by ids, all of which begin with 0, those of the simulated one take their
 * place, which are new each time.
 */
export function relocate(folder: string, cluster: GpuClusterAttributes, env: NodeJS.ProcessEnv): void {
  const file = join(folder, "cdk.tf.json");
  const text = readFileSync(file, "utf8");
  const subnetIds = [...new Set(text.match(/\bsubnet-0[0-9a-z]+/g))].sort();
  writeFileSync(
    file,
    text
      .replace(/\bsubnet-0[0-9a-z]+/g, (id) => cluster.subnets[subnetIds.indexOf(id)]!.subnetId)
      .replace(/\bsg-0[0-9a-z]+/g, cluster.clusterSecurityGroupId)
      .replace(/\bvpc-0[0-9a-z]+/g, cluster.vpcId),
  );
  writeOverrides(folder, env);
}
