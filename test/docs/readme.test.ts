import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { transformSync } from "@swc/core";
import * as library from "cdktf-elastic-gpu";
import ts from "typescript";
import manifest from "../../package.json";
import { examples } from "../support/examples";
import { root } from "../support/rig";
import { Json } from "../support/synth";

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...examples.map((example) => `examples/${example}/README.md`),
  ...readdirSync(join(root, "docs/decisions")).map((page) => `docs/decisions/${page}`),
];
const textOf = (page: string) => readFileSync(join(root, page), "utf8");
/** Without the blanks that align tables. */
const plainTextOf = (page: string) => textOf(page).replace(/ +/g, " ");

interface Snippet {
  /** Page and line. */
  readonly place: string;
  readonly code: string;
  /** What the page says that the snippet is refused with: the block of text that follows it. */
  readonly refusal?: string;
}

function snippetsOf(page: string): Snippet[] {
  const text = textOf(page);
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
  return blocks.flatMap(([, language, code = ""], index) => {
    const line = text.slice(0, blocks[index]!.index).split("\n").length;
    const next = blocks[index + 1];
    return language === "ts"
      ? [{ place: `${page}:${line}`, code, refusal: next?.[1] === "text" ? next[2] : undefined }]
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

const exported: Record<string, string[]> = {
  "cdktf-elastic-gpu": Object.keys(library),
  cdktf: ["App", "TerraformStack"],
  "@cdktf/provider-aws/lib/provider": ["AwsProvider"],
};

/** A snippet with what its page has shown before: the imports, and an app, stack and cluster where it makes none. */
function programOf({ code }: Snippet): string {
  if (code.includes("app.synth()")) {
    return code;
  }
  const given = ["app", "stack", "cluster"].filter((name) => !code.includes(`const ${name} =`));
  const program = [...given.map((name) => standing[name]), code, "app.synth();", "export {};"].join("\n");
  const imports = Object.entries(exported).map(([module, names]) => {
    const used = names.filter(
      (name) => new RegExp(`\\b${name}\\b`).test(program) && !new RegExp(`^import .*\\b${name}\\b`, "m").test(code),
    );
    return `import { ${used.join(", ")} } from "${module}";`;
  });
  return [...imports, program].join("\n");
}

/** Type checks programs that are in no file, as if they stood beside this test, and says what is wrong with each. */
function typeErrorsOf(snippets: Snippet[]): string[] {
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

/** Runs a snippet, and returns the resources of all stacks, or the text by which it is refused. */
function run(snippet: Snippet): Json | string {
  const { code } = transformSync(programOf(snippet), {
    jsc: { parser: { syntax: "typescript" }, target: "es2022" },
    module: { type: "commonjs" },
  });
  const outdir = mkdtempSync(join(tmpdir(), "snippet-"));
  process.env.CDKTF_OUTDIR = outdir;
  try {
    new Function("require", "exports", "console", code)(require, {}, { log: () => {} });
  } catch (error) {
    return (error as Error).message;
  } finally {
    delete process.env.CDKTF_OUTDIR;
  }
  const { stacks } = JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8"));
  const resources = Object.values<Json>(stacks).map(
    ({ synthesizedStackPath }) => JSON.parse(readFileSync(join(outdir, synthesizedStackPath), "utf8")).resource,
  );
  return Object.assign({}, ...resources);
}

const snippets = pages.flatMap(snippetsOf);

test("every snippet compiles in a strict program", () => {
  expect(typeErrorsOf(snippets)).toEqual([]);
});

test.each(snippets.filter(({ refusal }) => !refusal).map((snippet) => [snippet.place, snippet] as const))(
  "the snippet at %s is synthesized",
  (_, snippet) => {
    expect(run(snippet)).toEqual(expect.any(Object));
  },
);

test.each(snippets.filter(({ refusal }) => refusal).map((snippet) => [snippet.place, snippet] as const))(
  "the snippet at %s is refused with the text below it",
  (_, snippet) => {
    expect(`${run(snippet)}\n`).toBe(snippet.refusal);
  },
);

describe("the README", () => {
  const readme = plainTextOf("README.md");
  const [first] = snippetsOf("README.md");

  test("begins with the first example, word for word", () => {
    expect(first?.code).toBe(textOf("examples/first-pool/main.ts"));
  });

  test("names each resource that the first example creates, and their number", () => {
    const resources = run(first!) as Json;
    const table = readme.slice(readme.indexOf("## What it creates"), readme.indexOf("## Your own pool"));
    for (const [type, byId] of Object.entries<Json>(resources)) {
      expect(table).toContain(`| \`${type}\` | ${Object.keys(byId).length} |`);
    }
    const count = Object.values<Json>(resources).reduce((sum, byId) => sum + Object.keys(byId).length, 0);
    expect(table).toContain(`Plan: ${count} to add, 0 to change, 0 to destroy.`);
  });

  test("names every property of a pool", () => {
    const props = readFileSync(join(root, "lib/pools/elastic-gpu-node-pool-props.ts"), "utf8");
    const names = [...props.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(readme))).toEqual([]);
  });

  test("describes every script of the package", () => {
    expect(Object.keys(manifest.scripts).filter((script) => !readme.includes(`npm run ${script}\``))).toEqual(["test"]);
    expect(readme).toContain("`npm test`");
  });

  test("links every decision", () => {
    const decisions = pages.filter((page) => page.startsWith("docs/decisions/"));
    expect(decisions.filter((page) => !readme.includes(`](${page})`))).toEqual([]);
  });
});

test("every price of a type is the catalogue's", () => {
  const priced = pages.flatMap((page) => [...plainTextOf(page).matchAll(/`([a-z0-9-]+\.\w+)` \| (\d+\.\d+) \|/g)]);
  expect(priced.length).toBeGreaterThan(5);
  for (const [row, type = "", price] of priced) {
    expect([row, library.AcceleratorType.of(type).onDemandUsdPerHour]).toEqual([row, Number(price)]);
  }
});

test("every link between pages leads somewhere", () => {
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, target = ""]) => join(root, dirname(page), target))
      .filter((target) => !existsSync(target))
      .map((target) => `${page}: ${relative(root, target)}`),
  );
  expect(broken).toEqual([]);
});

test("the change log tells of the version that the package has", () => {
  expect(textOf("CHANGELOG.md")).toContain(`## [${manifest.version}]`);
});
