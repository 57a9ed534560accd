// An app for `cdktf --app`: runs the program that is its argument, then fits what that synthesized to a simulated AWS.
// A program names a network that exists, by ids; those of the simulated one, which are new each time, take their place.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { GpuClusterAttributes } from "cdktf-elastic-gpu";
import { writeOverrides } from "../support/overrides";
import { Json } from "../support/synth";

function withIdsOf(cluster: GpuClusterAttributes, text: string): string {
  const subnetIds = [...new Set(text.match(/\bsubnet-[0-9a-z]+/g))].sort();
  return text
    .replace(/\bsubnet-[0-9a-z]+/g, (id) => cluster.subnets[subnetIds.indexOf(id)]!.subnetId)
    .replace(/\bsg-[0-9a-z]+/g, cluster.clusterSecurityGroupId)
    .replace(/\bvpc-[0-9a-z]+/g, cluster.vpcId);
}

async function main(program: string, outdir: string, cluster: GpuClusterAttributes): Promise<void> {
  await import(resolve(program));
  const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
  for (const { workingDirectory, synthesizedStackPath } of Object.values<Json>(stacks)) {
    const file = join(outdir, synthesizedStackPath);
    writeFileSync(file, withIdsOf(cluster, readFileSync(file, "utf8")));
    writeOverrides(join(outdir, workingDirectory), process.env);
  }
}

void main(process.argv[2]!, process.env.CDKTF_OUTDIR!, JSON.parse(process.env.SITE_CLUSTER!));
