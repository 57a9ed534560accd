import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(__dirname, "../..");

/** Where a Terraform that needs no registry and a simulated AWS are looked for. */
const tools = process.env.ELASTIC_GPU_TOOLS ?? join(root, "../shared/tools");

/** Why something that the slow rings need cannot be had here. */
export class Missing {
  constructor(readonly reason: string) {}

  static isMissing(x: any): x is Missing {
    return typeof x?.reason === "string";
  }
}

/**
 * The environment in which `terraform init` finds providers: those of an offline mirror where there is one,
 * else those of the registry, kept for the next run.
 */
export function findTerraform(): NodeJS.ProcessEnv | Missing {
  const offline = join(tools, "terraform-offline");
  const script = 'exports=$("$0") || exit; eval "$exports"; env -0';
  const { status, stdout } = spawnSync("bash", ["-c", script, offline], { encoding: "utf8" });
  if (status === 0) {
    const env: NodeJS.ProcessEnv = Object.fromEntries(stdout.split("\0").map((line) => line.split(/=(.*)/s, 2)));
    return env.TF_STANDIN_PROVIDERS
      ? env
      : new Missing("the stand-ins for the kubernetes and helm providers could not be built: Go is needed");
  }
  if (spawnSync("terraform", ["version"]).status !== 0) {
    return new Missing("no terraform on PATH");
  }
  const cache = process.env.TF_PLUGIN_CACHE_DIR ?? join(root, "node_modules/.cache/terraform-plugins");
  mkdirSync(cache, { recursive: true });
  return { ...process.env, TF_IN_AUTOMATION: "1", TF_PLUGIN_CACHE_DIR: cache };
}

/** What it takes to deploy without an AWS account. */
export interface SimulatedAws {
  /** The environment that `findTerraform` describes. */
  readonly terraform: NodeJS.ProcessEnv;
  /** The program that simulates AWS. */
  readonly simulator: string;
}

export function findSimulatedAws(): SimulatedAws | Missing {
  const terraform = findTerraform();
  if (Missing.isMissing(terraform)) {
    return terraform;
  }
  const simulator = join(tools, "aws-simulator");
  if (!existsSync(simulator)) {
    return new Missing(`no AWS simulator at ${simulator} (ELASTIC_GPU_TOOLS may name another folder)`);
  }
  const moto = "import importlib.util, sys; sys.exit(importlib.util.find_spec('moto') is None)";
  return spawnSync("python3", ["-c", moto]).status === 0
    ? { terraform, simulator }
    : new Missing("the AWS simulator needs: pip install 'moto[server]==5.2.1'");
}

/** The program that checks the values of a chart against what its templates read. */
export function findChartValues(): { readonly program: string } | Missing {
  const program = join(tools, "check-chart-values");
  return existsSync(program)
    ? { program }
    : new Missing(`no check of chart values at ${program} (ELASTIC_GPU_TOOLS may name another folder)`);
}

/** A group of tests that says what it lacks and is skipped there; in CI, where it must run, it fails instead. */
export function describeWhere<T>(name: string, found: T | Missing, tests: (found: T) => void): void {
  if (!Missing.isMissing(found)) {
    describe(name, () => tests(found));
  } else if (process.env.CI) {
    test(name, () => {
      throw new Error(`must not be skipped in CI: ${found.reason}`);
    });
  } else {
    console.warn(`skipped: ${name}: ${found.reason}`);
    test.skip(name, () => {});
  }
}
