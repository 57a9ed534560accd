import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { transformSync } from "@swc/core";
import * as library from "cdktf-elastic-gpu";
import ts from "typescript";
import manifest from "../../package.json";
import { mirrored } from "../../lib/addons/charts";
import { examples, synthesizeExample } from "../support/examples";
import { root } from "../support/rig";
import { Json } from "../support/synth";

const themes = ["docs/pools.md", "docs/cluster.md", "docs/addons.md"];
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  ...themes,
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
  /** What the page says that the snippet warns of: the block that follows it as `npm run synth` prints it. */
  readonly warnings?: string;
}

function snippetsOf(page: string): Snippet[] {
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

/** Pages show the providers once, and then add-ons alone. What is refused stands as it is. */
const needsProviders = ({ code, refusal }: Snippet): boolean =>
  refusal === undefined &&
  !code.includes("new ClusterProviders(") &&
  /new (ClusterAutoscaler|NvidiaDevicePlugin|NeuronDevicePlugin|MetricsServer|LoadBalancerController)\(/.test(code);

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

interface Synthesized {
  /** The resources of all stacks, by type and id. */
  readonly resources: Json;
  readonly warnings: string[];
}

/** Runs a snippet, and returns what comes of it, or the text by which it is refused. */
function run(snippet: Snippet): Synthesized | string {
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
  const stacks: Json[] = Object.values(JSON.parse(readFileSync(join(outdir, "manifest.json"), "utf8")).stacks);
  return {
    resources: Object.assign({}, ...stacks.map((stack) => resourcesIn(join(outdir, stack.synthesizedStackPath)))),
    warnings: stacks.flatMap(({ annotations }) =>
      annotations.map(({ constructPath, message }: Json) => `warn: ${constructPath}: ${message}`),
    ),
  };
}

const resourcesIn = (file: string): Json => JSON.parse(readFileSync(file, "utf8")).resource;

/** How many resources there are of each type. */
const countsOf = (resources: Json): Record<string, number> =>
  Object.fromEntries(Object.entries<Json>(resources).map(([type, byId]) => [type, Object.keys(byId).length]));

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The part of a page below a heading, up to the next one of its level. */
function sectionOf(page: string, heading: string): string {
  const text = plainTextOf(page);
  const [level = ""] = heading.split(" ");
  const start = text.indexOf(`\n${heading}\n`);
  expect([heading, start > -1]).toEqual([heading, true]);
  const end = text.indexOf(`\n${level} `, start + 1);
  return text.slice(start, end === -1 ? undefined : end);
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

test.each(snippets.filter(({ warnings }) => warnings).map((snippet) => [snippet.place, snippet] as const))(
  "the snippet at %s warns of what is below it",
  (_, snippet) => {
    expect(`${(run(snippet) as Synthesized).warnings.join("\n")}\n`).toBe(snippet.warnings);
  },
);

describe("the README", () => {
  const readme = plainTextOf("README.md");
  const [first, ...others] = snippetsOf("README.md");
  const newCluster = others.find(({ code }) => code.includes("app.synth()"));

  test("begins with the first example, word for word", () => {
    expect(first?.code).toBe(textOf("examples/first-pool/main.ts"));
  });

  test("names each resource that the first example creates, and their number", () => {
    const counts = countsOf((run(first!) as Synthesized).resources);
    const section = sectionOf("README.md", "## What it creates");
    for (const [type, count] of Object.entries(counts)) {
      expect(section).toContain(`| \`${type}\` | ${count} |`);
    }
    expect(section).toContain(`Plan: ${sumOf(counts)} to add, 0 to change, 0 to destroy.`);
  });

  test("names each resource that a new cluster consists of, and their number, part by part", () => {
    const counts = countsOf((run(newCluster!) as Synthesized).resources);
    const section = sectionOf("README.md", "## A new cluster");
    const named: Record<string, number> = {};
    for (const [, sum, list = ""] of section.matchAll(/^\| [^|]+ \| (\d+) \| ([^|]+) \|/gm)) {
      const parts = [...list.matchAll(/(\d+) `(\w+)`/g)].map(([, count, type]) => [type!, Number(count)] as const);
      expect([list, parts.reduce((all, [, count]) => all + count, 0)]).toEqual([list, Number(sum)]);
      parts.forEach(([type, count]) => (named[type] = (named[type] ?? 0) + count));
    }
    expect(named).toEqual(counts);
    expect(section).toContain(`Plan: ${sumOf(counts)} to add, 0 to change, 0 to destroy.`);
  });

  test("lists every chart and image that a private cluster's registry must hold", () => {
    const section = sectionOf("README.md", "## A cluster without the internet");
    const rows = [...section.matchAll(/^\| ([\w-]+) \| `([^`]+)` \| `([^`]+)` \|$/gm)];
    expect(rows.map(([, addon, source, target]) => ({ addon, source, target }))).toEqual(mirrored());
  });

  test("copies by its commands what is in that list", () => {
    const section = sectionOf("README.md", "## A cluster without the internet");
    const charts = [...section.matchAll(/helm pull (\S+) --repo (\S+) --version (\S+)/g)];
    const images = [...section.matchAll(/imagetools create --tag \$host\/mirror\/(\S+) \\\n (\S+)/g)];
    const copied = [
      ...charts.map(([, name, repository, version]) => [
        `${repository}/${name}:${version}`,
        `charts/${name}:${version}`,
      ]),
      ...images.map(([, target, source]) => [source, target]),
    ];
    expect(copied).toHaveLength(2);
    expect(mirrored().map(({ source, target }) => [source, target])).toEqual(expect.arrayContaining(copied));
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

test.each([
  ["docs/pools.md", "pools/elastic-gpu-node-pool-props.ts", 30],
  ["docs/cluster.md", "cluster/gpu-cluster-props.ts", 16],
  ["docs/cluster.md", "cluster/cluster-network.ts", 6],
  ["docs/cluster.md", "cluster/cluster-providers.ts", 5],
  ["docs/cluster.md", "cluster/control-plane-logging.ts", 2],
  ["docs/cluster.md", "cluster/eks-addon-versions.ts", 5],
  ["docs/cluster.md", "cluster/imported-cluster.ts", 10],
  ["docs/cluster.md", "cluster/named-cluster.ts", 6],
  ["docs/cluster.md", "cluster/system-nodes.ts", 3],
  ["docs/addons.md", "addons/helm-addon-props.ts", 9],
  ["docs/addons.md", "addons/device-plugin-props.ts", 2],
  ["docs/addons.md", "addons/cluster-autoscaler/cluster-autoscaler-props.ts", 8],
])("%s names every property in lib/%s", (page, file, least) => {
  const source = readFileSync(join(root, "lib", file), "utf8");
  const structs = [...source.matchAll(/^export interface .*?^}/gms)].map(([text]) => text).join("\n");
  const names = [...structs.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThanOrEqual(least);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(textOf(page)))).toEqual([]);
});

test("docs/addons.md describes every add-on", () => {
  const page = textOf("docs/addons.md");
  expect(Object.keys(library.Addon).filter((member) => !page.includes(`\`${member}\``))).toEqual([]);
});

// What a person sees first of Terraform; and if it differs, all other numbers of the page may, too.
test.each(examples)("examples/%s/README.md says how many resources the example has", (example) => {
  const [, count] = /Plan: (\d+) to add/.exec(textOf(`examples/${example}/README.md`)) ?? [];
  const files = synthesizeExample(example).map((folder) => join(folder, "cdk.tf.json"));
  expect(Number(count)).toBe(sumOf(countsOf(Object.assign({}, ...files.map(resourcesIn)))));
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

test("every link into a page meets a heading", () => {
  const anchors = new Map(pages.map((page) => [page, headingsOf(textOf(page))]));
  const broken = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
      .filter(([, target, anchor]) => {
        const to = target === "" ? page : relative(root, join(root, dirname(page), target!));
        return !anchors.get(to)?.includes(anchor!);
      })
      .map(([link]) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

/** The anchors that GitHub makes of headings. */
function headingsOf(text: string): string[] {
  const prose = text.replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("the change log tells of the version that the package has", () => {
  expect(textOf("CHANGELOG.md")).toContain(`## [${manifest.version}]`);
});
