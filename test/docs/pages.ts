import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "@swc/core";
import * as library from "cdktf-elastic-gpu";
import ts from "typescript";
import { examples } from "../support/examples";
import { root } from "../support/rig";
import { Json } from "../support/synth";

const themes = ["docs/pools.md", "docs/spot.md", "docs/cluster.md", "docs/addons.md"];

/** Everything that is written for people. */
export const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...themes,
  ...examples.map((example) => `examples/${example}/README.md`),
  ...readdirSync(join(root, "docs/decisions")).map((page) => `docs/decisions/${page}`),
];
export const textOf = (page: string) => readFileSync(join(root, page), "utf8");
/** Without the blanks that align tables. */
export const plainTextOf = (page: string) => textOf(page).replace(/ +/g, " ");

export interface Snippet {
  /** Page and line. */
  readonly place: string;
  readonly code: string;
  /** What the page says that the snippet is refused with: the block of text that follows it. */
  readonly refusal?: string;
  /** What the page says that the snippet warns of: the block that follows it as `npm run synth` prints it. */
  readonly warnings?: string;
}

export function snippetsOf(page: string): Snippet[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, code = ""], index) => {
    const line = text.slice(0, blocks[index]!.index).split("\n").length;
    const [, kind, output = ""] = blocks[index + 1] ?? [];
    return language === "ts"
      ? [
          {
            place: `${page}:${line}`,
            code,
            refusal: kind === "text" ? output : undefined,
            warnings: kind === "console" && output.startsWith("warn: ") ? output : undefined,
          },
        ]
      : [];
  });
}

const standing: Record<string, string> = {
  app: "const app = new App();",
  stack:
    'const stack = new TerraformStack(app, "gpu-inference"); new AwsProvider(stack, "aws", { region: "us-east-1" });',
  cluster: `const cluster = GpuCluster.fromAttributes(stack, "cluster", {
    clusterName: "prod",
    kubernetesVersion: "1.34",
    endpoint: "https://EXAMPLE.gr7.us-east-1.eks.amazonaws.com",
    certificateAuthority: "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
    serviceCidr: "10.100.0.0/16",
    clusterSecurityGroupId: "sg-0123456789abcdef0",
    vpcId: "vpc-0123456789abcdef0",
    subnets: [
      { subnetId: "subnet-0aaa", availabilityZone: "us-east-1a" },
      { subnetId: "subnet-0bbb", availabilityZone: "us-east-1b" },
    ],
  });`,
};

const providers = 'new ClusterProviders(stack, "providers", { cluster });';

/** What is in the cluster, and not in AWS. */
const inCluster = [
  "ClusterAutoscaler",
  "NvidiaDevicePlugin",
  "NeuronDevicePlugin",
  "MetricsServer",
  "LoadBalancerController",
  "NodeTerminationHandler",
  "DeploymentV1",
];

/** Pages show the providers once, and then add-ons alone. What is refused stands as it is. */
const needsProviders = ({ code, refusal }: Snippet): boolean =>
  refusal === undefined &&
  !code.includes("new ClusterProviders(") &&
  new RegExp(`new (${inCluster.join("|")})\\(|\\bheadroom:`).test(code);

const exported: Record<string, string[]> = {
  "cdktf-elastic-gpu": Object.keys(library),
  cdktf: ["App", "TerraformStack"],
  "@cdktf/provider-aws/lib/provider": ["AwsProvider"],
};

/** A snippet with what its page has shown before: the imports, and an app, stack and cluster where it makes none. */
function programOf(snippet: Snippet): string {
  const { code } = snippet;
  if (code.includes("app.synth()")) {
    return code;
  }
  const given = ["app", "stack", "cluster"].filter((name) => !code.includes(`const ${name} =`));
  const lines = [...given.map((name) => standing[name]), code, needsProviders(snippet) ? providers : ""];
  const program = [...lines, "app.synth();", "export {};"].join("\n");
  const imports = Object.entries(exported).map(([module, names]) => {
    const used = names.filter(
      (name) => new RegExp(`\\b${name}\\b`).test(program) && !new RegExp(`^import .*\\b${name}\\b`, "m").test(code),
    );
    return `import { ${used.join(", ")} } from "${module}";`;
  });
  return [...imports, program].join("\n");
}

/** Type checks programs that are in no file, as if they stood beside this test, and says what is wrong with each. */
export function typeErrorsOf(snippets: Snippet[]): string[] {
  const sources = new Map(snippets.map((snippet, index) => [join(__dirname, `${index}.ts`), programOf(snippet)]));
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const compiler: ts.CompilerOptions = { ...options, noUnusedLocals: false, allowJs: false, types: ["node"] };
  const host = ts.createCompilerHost(compiler);
  const program = ts.createProgram([...sources.keys()], compiler, {
    ...host,
    fileExists: (file) => sources.has(file) || host.fileExists(file),
    readFile: (file) => sources.get(file) ?? host.readFile(file),
    getSourceFile: (file, version, ...others) =>
      sources.has(file)
        ? ts.createSourceFile(file, sources.get(file)!, version)
        : host.getSourceFile(file, version, ...others),
  });
  return [...sources.keys()].flatMap((file, index) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${snippets[index]!.place}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  });
}

export interface Synthesized {
  /** The resources of all stacks, by type and id. */
  readonly resources: Json;
  readonly warnings: string[];
  /** What each call of console.log printed. */
  readonly prints: string[];
}

/** Runs a snippet, and returns what comes of it, or the text by which it is refused. */
export function run(snippet: Snippet): Synthesized | string {
  const { code } = transformSync(programOf(snippet), {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  });
  const outdir = mkdtempSync(join(tmpdir(), "snippet-"));
  process.env.CDKTF_OUTDIR = outdir;
  const prints: string[] = [];
  try {
    const log = (...values: unknown[]) => prints.push(values.join(" "));
    new Function("require", "exports", "console", code)(require, {}, { log });
  } catch (error) {
    return (error as Error).message;
  } finally {
    delete process.env.CDKTF_OUTDIR;
  }
  const stacks: Json[] = Object.values(JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8")).stacks);
  return {
    resources: Object.assign({}, ...stacks.map((stack) => resourcesIn(join(outdir, stack.synthesizedStackPath)))),
    warnings: stacks.flatMap(({ annotations }) =>
      annotations.map(({ constructPath, message }: Json) => `warn: ${constructPath}: ${message}`),
    ),
    prints,
  };
}

export const resourcesIn = (file: string): Json => JSON.parse(readFileSync(file, "utf8")).resource;

/** How many resources there are of each type. */
export const countsOf = (resources: Json): Record<string, number> =>
  Object.fromEntries(Object.entries<Json>(resources).map(([type, byId]) => [type, Object.keys(byId).length]));

export const sumOf = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The part of a page below a heading, up to the next one of its level. */
export function sectionOf(page: string, heading: string): string {
  const text = plainTextOf(page);
  const [level = ""] = heading.split(" ");
  const start = text.indexOf(`\n${heading}\n`);
  expect([heading, start > -1]).toEqual([heading, true]);
  const end = text.indexOf(`\n${level} `, start + 1);
  return text.slice(start, end === -1 ? undefined : end);
}
