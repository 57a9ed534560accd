// Builds the package: `node scripts/build.mjs [--out <folder>]` with tsc, into dist where no folder is given;
// `node scripts/build.mjs --jsii` with the jsii compiler, which adds the assembly that other languages are generated from.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeLazy } from "./lazy-index.mjs";
import { makeProvidersLazy } from "./lazy-providers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(import.meta.url);
const { values } = parseArgs({ options: { jsii: { type: "boolean" }, out: { type: "string" } } });
if (values.jsii && values.out) throw new Error("jsii writes to dist, as tsconfig.build.json says: leave --out away");
const out = resolve(values.out ?? join(root, "dist"));

rmSync(out, { recursive: true, force: true });
const compiler = values.jsii
  ? [require.resolve("jsii/bin/jsii"), root]
  : [require.resolve("typescript/bin/tsc"), "--project", join(root, "tsconfig.build.json"), "--outDir", out];
const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(1);

cpSync(join(root, "lib"), out, {
  recursive: true,
  filter: (source) => statSync(source).isDirectory() || !source.endsWith(".ts"),
});
makeLazy(out);
makeProvidersLazy(out);
