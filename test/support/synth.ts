import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsProvider } from "@cdktf/provider-aws/lib/provider";
import { App, TerraformStack } from "cdktf";

/** Terraform's JSON syntax, or a part of it. */
export type Json = Record<string, any>;

export interface SynthesizedStack {
  /** Where its files are, as Terraform wants them. */
  readonly folder: string;
  readonly json: Json;
  /** Warning annotations, each with the path of its construct. */
  readonly warnings: string[];
}

/**
 * Synthesizes a program as `cdktf synth` does: cross-stack references, aspects, validations and annotations included,
 * all of which `Testing.synth` leaves out. Error annotations and failed validations are thrown.
 */
export function synthApp(build: (app: App) => void): Record<string, SynthesizedStack> {
  const outdir = mkdtempSync(join(tmpdir(), "synth-"));
  const app = new App({ outdir });
  build(app);
  app.synth();
  const stacks: Json[] = Object.values(readJson(join(outdir, "manifest.json")).stacks);
  return Object.fromEntries(
    stacks.map(({ name, workingDirectory, synthesizedStackPath, annotations }) => [
      name,
      {
        folder: join(outdir, workingDirectory),
        json: readJson(join(outdir, synthesizedStackPath)),
        warnings: annotations
          .filter((annotation: Json) => annotation.level === "@cdktf/warn")
          .map((annotation: Json) => `${annotation.constructPath}: ${annotation.message}`),
      },
    ]),
  );
}

/** Synthesizes one stack named "test" that has an AWS provider. */
export function synth(build: (stack: TerraformStack) => void, region = "us-east-1"): SynthesizedStack {
  const stacks = synthApp((app) => {
    const stack = new TerraformStack(app, "test");
    new AwsProvider(stack, "aws", { region });
    build(stack);
  });
  return stacks.test!;
}

/** The text by which a stack is refused, while it is built or synthesized. */
export function problemsOf(build: (stack: TerraformStack) => void): string {
  try {
    synth(build);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("expected the stack to be refused, but it was synthesized");
}

export function warningsOf(build: (stack: TerraformStack) => void): string[] {
  return synth(build).warnings;
}

/** Resources of a type by their logical ids; a type that starts with "data." means data sources. */
export function resources(json: Json, type: string): Record<string, Json> {
  const found = type.startsWith("data.") ? json.data?.[type.slice("data.".length)] : json.resource?.[type];
  return found ?? {};
}

export function allOf(json: Json, type: string): Json[] {
  return Object.values(resources(json, type));
}

export function theOne(json: Json, type: string): Json {
  const [one, ...others] = allOf(json, type);
  if (one === undefined || others.length > 0) {
    throw new Error(`expected one ${type}, got: ${Object.keys(resources(json, type)).join(", ") || "none"}`);
  }
  return one;
}

/** Every resource and data source as Terraform addresses it, sorted. */
export function addresses(json: Json): string[] {
  const under = (blocks: Json = {}, prefix = "") =>
    Object.entries(blocks).flatMap(([type, byId]) => Object.keys(byId).map((id) => `${prefix}${type}.${id}`));
  return [...under(json.resource), ...under(json.data, "data.")].sort();
}

export interface UserDataPart {
  readonly contentType: string;
  readonly body: string;
}

/** The parts of multi-part user data, in their order. */
export function decodeUserData(base64: string): UserDataPart[] {
  const text = Buffer.from(base64, "base64").toString("utf8").replaceAll("\r\n", "\n");
  const boundary = /^content-type: multipart\/mixed; boundary="([^"]+)"$/im.exec(text)?.[1];
  const [, ...parts] = text.split(`--${boundary}`);
  if (boundary === undefined || parts.pop()?.trim() !== "--") {
    throw new Error(`expected multi-part user data with a closing boundary, got:\n${text}`);
  }
  return parts.map((part) => {
    const blank = part.indexOf("\n\n");
    const [header, body] = [part.slice(0, blank), part.slice(blank + 2).replace(/\n$/, "")];
    const contentType = /^content-type: *([^;\n]+)/im.exec(header)?.[1] ?? "";
    const encoded = /^content-transfer-encoding: base64$/im.test(header);
    return { contentType, body: encoded ? Buffer.from(body, "base64").toString("utf8") : body };
  });
}

function readJson(file: string): Json {
  return JSON.parse(readFileSync(file, "utf8"));
}
