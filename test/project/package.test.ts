import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getProjectId } from "@cdktf/commons/src/checkpoint";
import * as source from "cdktf-elastic-gpu";
import packageJson from "../../package.json";
import { root } from "../support/rig";

// A project that has the built package installed, and nothing else but what the package asks for.
const project = realpathSync(mkdtempSync(join(tmpdir(), "consumer-")));
const installed = join(project, "node_modules/cdktf-elastic-gpu");

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  for (const peer of ["cdktf", "constructs", "@cdktf"]) {
    symlinkSync(join(root, "node_modules", peer), join(project, "node_modules", peer));
  }
  for (const bundled of packageJson.bundledDependencies) {
    mkdirSync(join(installed, "node_modules"), { recursive: true });
    symlinkSync(join(root, "node_modules", bundled), join(installed, "node_modules", bundled));
  }
  copyFileSync(join(root, "package.json"), join(installed, "package.json"));
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), "--out", join(installed, "dist")]);
});

/** What a program that prints JSON prints. */
function run(program: string, type: "commonjs" | "module" = "commonjs"): unknown {
  const options = [`--input-type=${type}`, "--eval", program];
  return JSON.parse(execFileSync(process.execPath, options, { cwd: project, encoding: "utf8" }));
}

/** Modules that a program loads when it does this with the package, as paths below the package or the provider. */
function loadedBy(statement: string): string[] {
  const loaded = run(`
    const library = require("cdktf-elastic-gpu");
    ${statement};
    console.log(JSON.stringify(Object.keys(require.cache)));
  `) as string[];
  return loaded.map((file) => file.replace(`${installed}/dist/`, "").replace(`${root}/node_modules/`, ""));
}

test("the package has every name of the source, for both kinds of module", () => {
  const names = Object.entries(source).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  expect(names).toContain("ElasticGpuNodePool");
  const program = (library: string) => `console.log(JSON.stringify(Object.keys(${library})))`;
  expect(run(program(`require("cdktf-elastic-gpu")`))).toEqual(names.sort());
  const imported = run(`import * as library from "cdktf-elastic-gpu"; ${program("library")}`, "module");
  expect(imported).toEqual(expect.arrayContaining(names));
});

test("requiring the package loads its index alone", () => {
  expect(loadedBy("")).toEqual(["index.js"]);
});

test("touching the hardware loads neither CDKTF nor a provider nor any construct", () => {
  const loaded = loadedBy("library.AcceleratorType");
  expect(loaded).toContain("accelerators/accelerator-type.js");
  expect(loaded.filter((file) => file !== "index.js" && !file.startsWith("accelerators/"))).toEqual([]);
});

test("touching the cluster loads no pool", () => {
  const loaded = loadedBy("library.GpuCluster");
  expect(loaded).toContain("cluster/gpu-cluster.js");
  expect(loaded.filter((file) => file.startsWith("pools/") || file.startsWith("@cdktf/"))).toEqual([]);
});

test("touching the pool loads no provider: a program pays for the namespaces that its pools use", () => {
  const loaded = loadedBy("library.ElasticGpuNodePool");
  expect(loaded).toContain("pools/elastic-gpu-node-pool.js");
  expect(loaded.filter((file) => file.startsWith("@cdktf/"))).toEqual([]);
});

test("touching a name again gives the same value", () => {
  const program = `
    const library = require("cdktf-elastic-gpu");
    console.log(JSON.stringify([library.ElasticGpuNodePool.name, library.ElasticGpuNodePool === library.ElasticGpuNodePool]));
  `;
  expect(run(program)).toEqual(["ElasticGpuNodePool", true]);
});

test("the package asks for every other package that it loads", () => {
  const modules = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".js"),
  );
  const requests = modules.flatMap((file) => [
    ...readFileSync(join(installed, "dist", file), "utf8").matchAll(/\brequire\("((?:@[^/"]+\/)?[^./"][^/"]*)/g),
  ]);
  const packages = new Set(requests.map(([, name]) => name!).filter((name) => !name.startsWith("node:")));
  expect(packages).toContain("@cdktf/provider-aws");
  const asked = [...Object.keys(packageJson.peerDependencies), ...packageJson.bundledDependencies];
  expect([...packages].filter((name) => !asked.includes(name))).toEqual([]);
  expect(Object.keys(packageJson.dependencies)).toEqual(packageJson.bundledDependencies);
});

test("the lock file names no registry, so that everybody's own is asked", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toContain('"resolved"');
});

test("what is not TypeScript is there beside the modules that read it", () => {
  const scripts = (folder: string) => execFileSync("find", [".", "-name", "*.sh"], { cwd: folder, encoding: "utf8" });
  expect(scripts(join(installed, "dist"))).toBe(scripts(join(root, "lib")));
});

test("every page of the tarball finds the pages that it links to", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  });
  const files = (JSON.parse(packed)[0].files as { path: string }[]).map(({ path }) => path);
  const pages = files.filter((file) => file.endsWith(".md") && !file.startsWith("node_modules/"));
  expect(pages).toContain("docs/pools.md");
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = ""]) => join(dirname(page), target))
      .filter((target) => !files.includes(target))
      .map((target) => `${page}: ${target}`),
  );
  expect(missing).toEqual([]);
});

test("the CLI of CDKTF has nothing to write into cdktf.json", () => {
  const before = readFileSync(join(root, "cdktf.json"), "utf8");
  writeFileSync(join(project, "cdktf.json"), before);
  expect(getProjectId(project)).toBe(JSON.parse(before).projectId);
  expect(readFileSync(join(project, "cdktf.json"), "utf8")).toBe(before);
});

test("a strict program compiles against the types", () => {
  const program = `
import { AcceleratorType, ElasticGpuNodePool, ElasticGpuNodePoolProps, Workload } from "cdktf-elastic-gpu";
export const workload: Workload = Workload.inference();
export const type: string = AcceleratorType.of("g6.xlarge").instanceType;
export function maxNodes(props: ElasticGpuNodePoolProps, pool: ElasticGpuNodePool): number {
  // @ts-expect-error a maximum is a number
  const text: string = props.maxNodes;
  return text.length + pool.maxNodes;
}
`;
  writeFileSync(join(project, "main.ts"), program);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "node16", "main.ts"];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...options], { cwd: project, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
