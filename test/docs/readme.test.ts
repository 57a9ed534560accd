import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as library from "cdktf-elastic-gpu";
import manifest from "../../package.json";
import { mirrored } from "../../lib/addons/charts";
import { examples, synthesizeExample } from "../support/examples";
import { root } from "../support/rig";
import {
  countsOf,
  pages,
  plainTextOf,
  resourcesIn,
  run,
  sectionOf,
  snippetsOf,
  sumOf,
  Synthesized,
  textOf,
  typeErrorsOf,
} from "./pages";

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

const printing = snippets.filter(({ code }) => /^console\.log\(.*\); \/\/ /m.test(code));

test.each(printing.map((snippet) => [snippet.place, snippet] as const))(
  "the snippet at %s prints what its comments say",
  (_, snippet) => {
    const comments = [...snippet.code.matchAll(/^console\.log\(.*\);(?: \/\/ (.*))?$/gm)].map(([, comment]) => comment);
    const { prints } = run(snippet) as Synthesized;
    expect(prints.map((print, index) => (comments[index] === undefined ? undefined : print))).toEqual(comments);
  },
);

describe("the README", () => {
  const readme = plainTextOf("README.md");
  const [first, ...others] = snippetsOf("README.md");
  const newCluster = others.find(({ code }) => code.includes("app.synth()"));
  const withSpot = others.find(({ code }) => code.includes("new SpotWithFallback("));

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

  test.each([
    ["## A new cluster", newCluster],
    ["## Spot with fallback", withSpot],
  ])("names each resource of %s, and their number, part by part", (heading, snippet) => {
    const counts = countsOf((run(snippet!) as Synthesized).resources);
    const section = sectionOf("README.md", heading);
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
  ["docs/pools.md", "pools/elastic-gpu-node-pool-props.ts", 6],
  ["docs/pools.md", "pools/multi-type-pool-props.ts", 4],
  ["docs/pools.md", "pools/node-pool-props.ts", 24],
  ["docs/spot.md", "pools/spot-with-fallback-props.ts", 16],
  ["docs/spot.md", "cluster/drain-budget.ts", 5],
  ["docs/spot.md", "cluster/purchase-plan.ts", 9],
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
  ["docs/addons.md", "addons/node-termination-handler/node-termination-handler-props.ts", 4],
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
