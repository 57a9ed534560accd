// What the library costs beside the same stacks written with the provider's classes alone: `npm run bench [-- --short]`.
// Every figure is the median of cold node processes that take turns, so that both sides see the same machine.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import typescript from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "elastic-gpu-bench-"));
const { values } = parseArgs({ options: { short: { type: "boolean", default: false } } });
const times = (/** @type {number} */ all) => (values.short ? Math.ceil(all / 5) : all);

/** @typedef {{ ours: number, raw: number }} Pair */
/** @typedef {Record<string, number>} Figures */

// Programs find the built package by its name, as if it were installed beside the others.
const env = {
  ...process.env,
  NODE_PATH: [scratch, root].map((folder) => join(folder, "node_modules")).join(delimiter),
};

/** @param {string[]} args @returns {string} what the program prints */
function node(...args) {
  return execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", env });
}

/** @param {number[]} figures */
function median(figures) {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? /** @type {number} */ (sorted[middle]) : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Measures both sides by turns, each first every other time.
 *
 * @param {number} rounds @param {(side: "ours" | "raw") => Figures} measure @returns {Record<string, Pair>}
 */
function takeTurns(rounds, measure) {
  /** @type {{ ours: Figures[], raw: Figures[] }} */
  const measured = { ours: [], raw: [] };
  for (let round = 0; round < rounds; round++) {
    /** @type {("ours" | "raw")[]} */
    const sides = round % 2 ? ["ours", "raw"] : ["raw", "ours"];
    for (const side of sides) {
      measured[side].push(measure(side));
    }
  }
  const names = Object.keys(measured.ours[0] ?? {});
  const of = (/** @type {Figures[]} */ all, /** @type {string} */ name) =>
    median(all.map((figures) => figures[name] ?? NaN));
  return Object.fromEntries(
    names.map((name) => [name, { ours: of(measured.ours, name), raw: of(measured.raw, name) }]),
  );
}

/** The stack without the notes that CDKTF leaves for itself. @param {string} outdir @param {string} stack */
function synthesized(outdir, stack) {
  const text = readFileSync(join(outdir, "stacks", stack, "cdk.tf.json"), "utf8");
  return JSON.parse(text, (key, value) => (key === "//" ? undefined : value));
}

/** An empty folder below the scratch folder. @param {string} name */
function folder(name) {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** @param {number} count @param {number} rounds @returns {Pair} */
function synthesisOf(count, rounds) {
  const outdirs = { ours: folder(`ours-${count}`), raw: folder(`raw-${count}`) };
  const file = join(scratch, `pools-${count}.json`);
  const program = join(root, "bench/programs/synth.js");
  const ids = Array.from({ length: count }, (_, index) => ({ id: `pool-${index}` }));
  writeFileSync(file, JSON.stringify(ids));
  node(program, "ours", file, outdirs.ours);
  // The names that the library makes up are given to the twin, whose author would have typed them.
  const { aws_launch_template: templates, aws_iam_role: roles } = synthesized(outdirs.ours, "bench").resource;
  const byId = (/** @type {object} */ resources) =>
    Object.fromEntries(Object.values(resources).map(({ name }) => [/pool-\d+/.exec(name)?.[0], name]));
  const [templateNames, roleNames] = [byId(templates), byId(roles)];
  const pools = ids.map(({ id }) => ({ id, templateName: templateNames[id], roleName: roleNames[id] }));
  writeFileSync(file, JSON.stringify(pools));
  const { milliseconds } = takeTurns(rounds, (side) => JSON.parse(node(program, side, file, outdirs[side])));
  assert.deepEqual(synthesized(outdirs.ours, "bench"), synthesized(outdirs.raw, "bench"), "the twins differ");
  return /** @type {Pair} */ (milliseconds);
}

/** @param {number} rounds @returns {Pair} */
function firstPool(rounds) {
  const source = readFileSync(join(root, "examples/first-pool/main.ts"), "utf8");
  const { outputText } = typescript.transpileModule(source, {
    compilerOptions: { module: typescript.ModuleKind.CommonJS, target: typescript.ScriptTarget.ES2022 },
  });
  const example = join(scratch, "first-pool.js");
  writeFileSync(example, outputText);
  const programs = { ours: example, raw: join(root, "bench/programs/first-pool.js") };
  const outdirs = { ours: folder("first-pool-ours"), raw: folder("first-pool-raw") };
  const { milliseconds } = takeTurns(rounds, (side) => {
    const started = performance.now();
    execFileSync(process.execPath, [programs[side]], {
      cwd: root,
      env: { ...env, CDKTF_OUTDIR: outdirs[side] },
    });
    return { milliseconds: performance.now() - started };
  });
  const stack = "gpu-inference";
  assert.deepEqual(synthesized(outdirs.ours, stack), synthesized(outdirs.raw, stack), "the twins differ");
  return /** @type {Pair} */ (milliseconds);
}

/** @param {string} name @param {Pair} pair @param {number} digits @param {string} verdict */
function print(name, { ours, raw }, digits, verdict) {
  const cells = [
    ours.toFixed(digits).padStart(10),
    raw.toFixed(digits).padStart(10),
    (ours / raw).toFixed(2).padStart(8),
  ];
  console.log(`${name.padEnd(44)}${cells.join("")}  ${verdict}`);
}

/** @param {number} figure @param {number} limit @param {string} what */
const within = (figure, limit, what) => `${figure <= limit ? "within" : "MISSED"}: ${what}`;

process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
node("scripts/build.mjs");
symlinkSync(root, join(folder("node_modules"), "cdktf-elastic-gpu"));
console.log(`${"".padEnd(44)}${"ours".padStart(10)}${"raw".padStart(10)}${"ratio".padStart(8)}`);

const one = synthesisOf(1, times(15));
print("synthesis of 1 pool, ms", one, 1, "");
const hundred = synthesisOf(100, times(15));
print("synthesis of 100 pools, ms", hundred, 0, within(hundred.ours / hundred.raw, 1.1, "ratio at most 1.10"));
const thousand = synthesisOf(1000, times(5));
print("synthesis of 1,000 pools, ms", thousand, 0, "");
const growth = { ours: thousand.ours / hundred.ours, raw: thousand.raw / hundred.raw };
print("growth from 100 to 1,000 pools", growth, 1, within(growth.ours, 10, "at most 10 times"));

const program = join(root, "bench/programs/import.js");
const pools = join(scratch, "pools-1.json");
const loading = takeTurns(times(15), (side) => JSON.parse(node(program, side, pools, folder("import"))));
const { namedMilliseconds, namedMegabytes, builtMilliseconds, builtMegabytes } =
  /** @type {Record<"namedMilliseconds" | "namedMegabytes" | "builtMilliseconds" | "builtMegabytes", Pair>} */ (
    loading
  );
print("import beyond cdktf, ms", namedMilliseconds, 0, within(namedMilliseconds.ours, 60, "at most 60 ms"));
print("import beyond cdktf, MB resident", namedMegabytes, 1, within(namedMegabytes.ours, 25, "at most 25 MB"));
print("import and 1 pool, ms", builtMilliseconds, 0, within(builtMilliseconds.ours, 60, "at most 60 ms"));
print("import and 1 pool, MB resident", builtMegabytes, 1, within(builtMegabytes.ours, 25, "at most 25 MB"));

const whole = firstPool(times(15));
print("the whole first-pool program, ms", whole, 0, within(whole.ours / whole.raw, 1.25, "ratio at most 1.25"));
