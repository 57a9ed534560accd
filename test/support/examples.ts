import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./rig";
import { Json } from "./synth";

/** The folders of examples/ that hold a program. */
export const examples = readdirSync(join(root, "examples")).filter((name) =>
  existsSync(join(root, "examples", name, "main.ts")),
);

/** Those of them that make a cluster, and need nothing that exists. */
export const wholeExamples = examples.filter((name) =>
  readFileSync(join(root, "examples", name, "main.ts"), "utf8").includes("new GpuCluster("),
);

/** Runs an example as a user does, and names the folders of the stacks that it synthesized. */
export function synthesizeExample(name: string): string[] {
  const outdir = mkdtempSync(join(tmpdir(), "example-"));
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", `examples/${name}/main.ts`], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, CDKTF_OUTDIR: outdir },
  });
  if (status !== 0) {
    throw new Error(`examples/${name} ended with ${status}:\n${stderr}`);
  }
  const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
  return Object.values<Json>(stacks).map(({ workingDirectory }) => join(outdir, workingDirectory));
}
