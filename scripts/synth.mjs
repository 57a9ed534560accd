// Synthesizes every example below the working directory and prints what pools came out of it, and where.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { poolsOf } from "./pools.mjs";

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

/** @param {string} example @returns {Promise<{ rows: string[][], notes: string[], failed: boolean }>} */
async function synthesize(example) {
  const outdir = join("cdktf.out", example);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const program = spawn(process.execPath, ["--import", tsx, join("examples", example, "main.ts")], {
    env: { ...process.env, CDKTF_OUTDIR: outdir },
    stdio: ["ignore", "inherit", "pipe"],
  });
  let errors = "";
  program.stderr.on("data", (text) => (errors += text));
  const code = await new Promise((done) => program.on("close", done));
  if (code !== 0) return { rows: [], notes: [`${example} failed:\n${errors}`], failed: true };

  const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
  const rows = [];
  const notes = [];
  for (const stack of Object.values(stacks)) {
    const file = join(outdir, stack.synthesizedStackPath);
    const pools = poolsOf(JSON.parse(readFileSync(file, "utf8")));
    for (const { name, instanceTypes, min, max } of pools) {
      rows.push([example, stack.name, name, instanceTypes.join(", "), `${min}-${max}`, file]);
    }
    if (pools.length === 0) rows.push([example, stack.name, "none", "", "", file]);
    for (const { level, constructPath, message } of stack.annotations) {
      notes.push(`${level.replace("@cdktf/", "")}: ${constructPath}: ${message}`);
    }
  }
  return { rows, notes, failed: false };
}

/** @param {string[][]} rows of equal length */
function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const examples = readdirSync("examples").filter((name) => existsSync(join("examples", name, "main.ts")));
const results = await Promise.all(examples.map(synthesize));
const rows = results.flatMap((result) => result.rows);
const notes = results.flatMap((result) => result.notes);
if (rows.length > 0) console.log(table([["EXAMPLE", "STACK", "POOL", "INSTANCE TYPES", "NODES", "JSON"], ...rows]));
if (notes.length > 0) console.error(`\n${notes.join("\n")}`);
process.exitCode = results.some((result) => result.failed) ? 1 : 0;
