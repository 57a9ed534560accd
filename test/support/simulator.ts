import { ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Json } from "./synth";

/** A simulated AWS, which forgets everything when it is stopped. */
export class Simulator {
  static async start(program: string): Promise<Simulator> {
    const ready = join(mkdtempSync(join(tmpdir(), "aws-")), "ready");
    const child = spawn(program, ["--port", "0", "--ready-file", ready], { stdio: ["ignore", "ignore", "inherit"] });
    while (!existsSync(ready) || readFileSync(ready, "utf8").trim() === "") {
      if (child.exitCode !== null) {
        throw new Error(`the AWS simulator ended with ${child.exitCode} before it was ready`);
      }
      await setTimeout(100);
    }
    const url = readFileSync(ready, "utf8").trim();
    const settings = execFileSync(program, ["--env", url, "--region", "us-east-1", "--json"], { encoding: "utf8" });
    return new Simulator(url, JSON.parse(settings), child);
  }

  private constructor(
    private readonly url: string,
    private readonly settings: Record<string, string>,
    private readonly child: ChildProcess,
  ) {}

  /** An environment in which the AWS provider talks to the simulator and to nothing else. */
  environment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...base, ...this.settings, AWS_PROFILE: undefined, AWS_SESSION_TOKEN: undefined };
  }

  /** API calls so far that were answered without an error, in their order. */
  async calls(): Promise<Json[]> {
    const response = await fetch(`${this.url}/_simulator/calls`);
    const calls = (await response.json()) as Json[];
    return calls.filter(({ status }) => status < 300);
  }

  stop(): void {
    this.child.kill("SIGTERM");
  }
}
