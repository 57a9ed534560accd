// Scans the JSON of every example with checkov, by .checkov.yaml, where also all waived checks are. Fails if one fails.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const OUTDIR = "cdktf.out";

/** @param {string} program @param {string[]} args @param {import("node:child_process").StdioOptions} stdio */
function run(program, args, stdio) {
  const { error, status, stdout } = spawnSync(program, args, { encoding: "utf8", stdio, maxBuffer: 2 ** 28 });
  if (error) throw new Error(`${program} cannot be started (${error.message}): pip install checkov`);
  return { status, stdout };
}

/** Checks of one example, which are those in files below its folder. @param {any[]} checks @param {string} example */
function of(checks, example) {
  return checks.filter(({ file_path }) => file_path.startsWith(`/${example}/`));
}

if (run(process.execPath, ["scripts/synth.mjs"], ["ignore", "ignore", "inherit"]).status !== 0) process.exit(1);
const { stdout } = run(
  "checkov",
  ["--directory", OUTDIR, "--compact", "--output", "json"],
  ["ignore", "pipe", "ignore"],
);
const { passed_checks: passed, failed_checks: failed } = JSON.parse(stdout).results;
let isRight = true;
for (const example of readdirSync("examples")) {
  const problems = of(failed, example);
  const count = of(passed, example).length;
  console.log(`${example}: ${count} checks passed, ${problems.length} failed`);
  for (const { check_id, check_name, resource } of problems) console.log(`  ${check_id} ${resource}: ${check_name}`);
  // A file that was not understood has no failures either.
  isRight &&= count > 0 && problems.length === 0;
}
process.exitCode = isRight ? 0 : 1;
