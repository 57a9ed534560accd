import { ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Json } from "./synth";

/** The role that Terraform runs with: callers are sessions of a role, as people and pipelines are. */
const ROLE = "deployer";

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
    return new Simulator(url, { ...JSON.parse(settings), ...(await signOn(url)) }, child);
  }

  private constructor(
    private readonly url: string,
    private readonly settings: Record<string, string>,
    private readonly child: ChildProcess,
  ) {}

  /** An environment in which the AWS provider talks to the simulator and to nothing else. */
  environment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    return { ...base, ...this.settings, AWS_PROFILE: undefined };
  }

  /**
   * API calls so far that did what they were asked, in their order. Some deletions are answered as if nothing had been
   * there, so that the provider does not wait as long as it does for AWS.
   */
  async calls(): Promise<Json[]> {
    const response = await fetch(`${this.url}/_simulator/calls`);
    const calls = (await response.json()) as Json[];
    return calls.filter(({ status, error }) => status < 300 || error?.includes(": Deleted ("));
  }

  /** From now on EC2 lacks these types, such as `spot:g6.*`; without any, all are to be had again. */
  async lack(...types: string[]): Promise<void> {
    const response = await fetch(`${this.url}/_simulator/no-capacity?types=${encodeURIComponent(types.join(","))}`);
    expect(await response.json()).toEqual(types);
  }

  stop(): void {
    this.child.kill("SIGTERM");
  }
}

/** Makes the role, and returns the environment of a session with it. */
async function signOn(url: string): Promise<Record<string, string>> {
  const AssumeRolePolicyDocument = JSON.stringify({ Version: "2012-10-17", Statement: [] });
  const role = await query(url, "iam", {
    Version: "2010-05-08",
    Action: "CreateRole",
    RoleName: ROLE,
    AssumeRolePolicyDocument,
  });
  const session = { Version: "2011-06-15", Action: "AssumeRole", RoleArn: role("Arn"), RoleSessionName: "terraform" };
  const credentials = await query(url, "sts", session);
  return {
    AWS_ACCESS_KEY_ID: credentials("AccessKeyId"),
    AWS_SECRET_ACCESS_KEY: credentials("SecretAccessKey"),
    AWS_SESSION_TOKEN: credentials("SessionToken"),
  };
}

/** Calls an operation of AWS's query protocol. The answer's elements are asked for by name. */
async function query(
  url: string,
  service: string,
  parameters: Record<string, string>,
): Promise<(element: string) => string> {
  const credential = `Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/${service}/aws4_request`;
  const response = await fetch(url, {
    method: "POST",
    headers: { Authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=0` },
    body: new URLSearchParams(parameters),
  });
  const answer = await response.text();
  return (element) => {
    const [, value] = new RegExp(`<${element}>([^<]+)<`).exec(answer) ?? [];
    if (value === undefined) {
      throw new Error(`${parameters.Action} of the AWS simulator answered without ${element}: ${answer}`);
    }
    return value;
  };
}
