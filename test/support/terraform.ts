import { spawnSync } from "node:child_process";
import { Json } from "./synth";

export interface Diagnostic {
  readonly severity: "error" | "warning";
  readonly summary: string;
  readonly detail?: string;
  readonly address?: string;
}

export interface Plan {
  readonly diagnostics: Diagnostic[];
  /** What becomes of each resource that changes: "create", "update", "delete" or "delete, create". */
  readonly actions: Record<string, string>;
}

/** A folder that Terraform runs in. Whatever fails throws what Terraform said. */
export class TerraformFolder {
  constructor(
    readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  init(): void {
    this.run(["init", "-input=false", "-no-color"]);
  }

  validate(): Diagnostic[] {
    const { stdout } = this.run(["validate", "-json"], [0, 1]);
    return JSON.parse(stdout).diagnostics;
  }

  plan(): Plan {
    const { stdout } = this.run(["plan", "-json", "-input=false", "-detailed-exitcode", "-out=plan.tfplan"], [0, 1, 2]);
    const diagnostics = diagnosticsOf(stdout);
    if (diagnostics.some(({ severity }) => severity === "error")) {
      return { diagnostics, actions: {} };
    }
    const changes: Json[] = JSON.parse(this.run(["show", "-json", "plan.tfplan"]).stdout).resource_changes ?? [];
    const effective = changes.filter(({ change }) => !["no-op", "read"].includes(change.actions[0]));
    return {
      diagnostics,
      actions: Object.fromEntries(effective.map(({ address, change }) => [address, change.actions.join(", ")])),
    };
  }

  /** The exit status of `plan -detailed-exitcode`: 0 where nothing is left to do, 2 where something is. */
  planStatus(): number {
    return this.run(["plan", "-input=false", "-no-color", "-detailed-exitcode"], [0, 2]).status;
  }

  apply(): void {
    this.run(["apply", "-input=false", "-no-color", "-auto-approve"]);
  }

  destroy(): void {
    this.run(["destroy", "-input=false", "-no-color", "-auto-approve"]);
  }

  outputs(): Json {
    const outputs: Record<string, Json> = JSON.parse(this.run(["output", "-json"]).stdout);
    return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  }

  /** Addresses of what the state holds. */
  state(): string[] {
    return this.run(["state", "list"]).stdout.split("\n").filter(Boolean);
  }

  private run(args: string[], accepted = [0]): { status: number; stdout: string } {
    const { status, stdout, stderr } = spawnSync("terraform", args, {
      cwd: this.folder,
      encoding: "utf8",
      env: this.env,
      maxBuffer: 2 ** 28,
    });
    if (status === null || !accepted.includes(status)) {
      throw new Error(`terraform ${args.join(" ")} ended with ${status} in ${this.folder}:\n${stderr}${stdout}`);
    }
    return { status, stdout };
  }
}

/** Of the lines that `-json` prints. */
function diagnosticsOf(lines: string): Diagnostic[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).diagnostic)
    .filter(Boolean);
}
