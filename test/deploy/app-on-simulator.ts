// An app for `cdktf --app`: runs the program that is its argument, then fits what that synthesized to a simulated AWS.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { relocate } from "../support/relocate";
import { Json } from "../support/synth";

async function main(program: string, outdir: string, cluster: string): Promise<void> {
  await import(resolve(program));
  const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
  for (const { workingDirectory } of Object.values<Json>(stacks)) {
    relocate(join(outdir, workingDirectory), JSON.parse(cluster), process.env);
  }
}

void main(process.argv[2]!, process.env.CDKTF_OUTDIR!, process.env.SITE_CLUSTER!);
