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

/** What Terraform did to one resource in a folder, by the places of the lines that told of it: smaller is earlier. */
export interface Step {
  readonly address: string;
  readonly began: number;
  readonly ended: number;
}

/** An apply or destroy that was watched, whether it went well or not. */
export interface Watched {
  readonly errors: Diagnostic[];
  /** Changes that were completed. */
  readonly steps: Step[];
}

/** A folder that Terraform runs in. Whatever fails throws what Terraform said. */
export class TerraformFolder {
  /** How many lines watched commands have printed so far. */
  private lines = 0;

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
    const diagnostics = diagnosticsOf(messagesOf(stdout));
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

  /** Applies or destroys, with further settings in the environment and further options. */
  watch(command: "apply" | "destroy", settings: NodeJS.ProcessEnv = {}, options: string[] = []): Watched {
    const args = [command, "-json", "-input=false", "-auto-approve", ...options];
    const { stdout } = this.run(args, [0, 1], { ...this.env, ...settings });
    const messages = messagesOf(stdout);
    const before = this.lines;
    this.lines += messages.length;
    return {
      errors: diagnosticsOf(messages).filter(({ severity }) => severity === "error"),
      steps: stepsOf(messages, before),
    };
  }

  outputs(): Json {
    const outputs: Record<string, Json> = JSON.parse(this.run(["output", "-json"]).stdout);
    return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  }

  /** Addresses of what the state holds. */
  state(): string[] {
    return this.run(["state", "list"]).stdout.split("\n").filter(Boolean);
  }

  private run(args: string[], accepted = [0], env = this.env): { status: number; stdout: string } {
    const { status, stdout, stderr } = spawnSync("terraform", args, {
      cwd: this.folder,
      encoding: "utf8",
      env,
      maxBuffer: 2 ** 28,
    });
    if (status === null || !accepted.includes(status)) {
      throw new Error(`terraform ${args.join(" ")} ended with ${status} in ${this.folder}:\n${stderr}${stdout}`);
    }
    return { status, stdout };
  }
}

/** What `-json` prints, a line each. */
function messagesOf(lines: string): Json[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function diagnosticsOf(messages: Json[]): Diagnostic[] {
  return messages.map(({ diagnostic }) => diagnostic).filter(Boolean);
}

function stepsOf(messages: Json[], before: number): Step[] {
  const began = new Map<string, number>();
  const steps: Step[] = [];
  messages.forEach(({ type, hook }, index) => {
    const address: string = hook?.resource?.addr;
    if (type === "apply_start") {
      began.set(address, before + index);
    } else if (type === "apply_complete" && hook.action !== "read") {
      steps.push({ address, began: began.get(address)!, ended: before + index });
    }
  });
  return steps;
}
