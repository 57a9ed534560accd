import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

const oneNamespace = 'import one namespace of a provider: "@cdktf/provider-<name>/lib/<namespace>".';
const noManifest = "kubernetes_manifest needs the cluster and the CRD at plan: use a typed kind or the objects chart.";
const noInstanceof = "instanceof fails across two copies of a package: use a Symbol.for marker and a static isX.";
const notItsApi = 'import from "cdktf" itself: what lies below is not its API.';
const arrow = (from: string, to: string) =>
  `${from} may not import from ${to}: the arrows between the folders of lib point one way.`;
const plainHardware = (what: string) =>
  `the hardware is plain data and functions: accelerators may not import ${what}.`;

type Snippet = [name: string, file: string, code: string, message: string];

const refused: Snippet[] = [
  ["the root of a provider", "lib/pools/a.ts", `export * from "@cdktf/provider-aws";`, oneNamespace],
  ["its lazy index", "lib/pools/a.ts", `export * from "@cdktf/provider-aws/lib/lazy-index";`, oneNamespace],
  ["its types from the root", "test/a.ts", `export type { vpc } from "@cdktf/provider-aws";`, oneNamespace],
  ["its root in a type", "lib/pools/a.ts", `export type A = import("@cdktf/provider-aws").vpc.Vpc;`, oneNamespace],
  ["its root loaded at run time", "examples/a/main.ts", `void import("@cdktf/provider-helm");`, oneNamespace],
  ["its root required", "bench/a.js", `require("@cdktf/provider-aws");`, oneNamespace],
  ["manifests", "lib/addons/a.ts", `export * from "@cdktf/provider-kubernetes/lib/manifest";`, noManifest],
  ["manifests by name", "lib/addons/a.ts", `export const type = "kubernetes_manifest";`, noManifest],
  [
    "manifests by template",
    "examples/a/main.ts",
    "export const a = (b: string) => `kubernetes_manifest.${b}`;",
    noManifest,
  ],
  ["instanceof", "lib/internal/a.ts", `export const is = (a: unknown) => a instanceof Date;`, noInstanceof],
  ["instanceof in tests", "test/a.ts", `export const is = (a: unknown) => a instanceof Date;`, noInstanceof],
  ["what lies below cdktf", "lib/cluster/a.ts", `export * from "cdktf/lib/tokens/private/encoding";`, notItsApi],
  ["cdktf in the hardware", "lib/accelerators/a.ts", `export * from "cdktf";`, plainHardware("cdktf")],
  ["constructs in the hardware", "lib/accelerators/a.ts", `export * from "constructs";`, plainHardware("constructs")],
  [
    "an arrow out of the hardware",
    "lib/accelerators/a.ts",
    `export * from "../internal/problems";`,
    arrow("accelerators", "internal"),
  ],
  ["an arrow out of the machinery", "lib/internal/a.ts", `export * from "../cluster";`, arrow("internal", "cluster")],
  [
    "an arrow from the cluster to its pools",
    "lib/cluster/a.ts",
    `export * from "../pools/workload";`,
    arrow("cluster", "pools"),
  ],
  ["an arrow back to the index", "lib/pools/a.ts", `export * from "../index";`, arrow("pools", "index")],
  [
    "an arrow out of the library",
    "lib/pools/a.ts",
    `export * from "../../test/support/synth";`,
    arrow("pools", "outside"),
  ],
  ["a folder without arrows", "lib/helpers/a.ts", `export const a = 1;`, "File is not of any known element type"],
];

const passed: Snippet = [
  "",
  "lib/pools/a.ts",
  `import { EksNodeGroup } from "@cdktf/provider-aws/lib/eks-node-group";
import { Token } from "cdktf";
import { Construct } from "constructs";
import * as cluster from "../cluster/node-pool";
import { Problems } from "../internal/problems";
import * as neighbour from "./workload";

export const all = [EksNodeGroup, Token, Construct, cluster, Problems, neighbour];
`,
  "",
];

/** The messages for each snippet. */
function lint(snippets: Snippet[]): string[][] {
  const input = JSON.stringify(snippets.map(([, file, code]) => ({ file, code })));
  const program = join(__dirname, "lint-snippets.mjs");
  return JSON.parse(execFileSync(process.execPath, [program], { cwd: root, input, encoding: "utf8" }));
}

const messages = lint([...refused, passed]);

test.each(refused.map((snippet, index) => [...snippet, index] as const))(
  "lint refuses %s",
  (_name, _file, _code, message, index) => {
    expect(messages[index]).toEqual([expect.stringContaining(message)]);
  },
);

test("lint passes one namespace of a provider, cdktf itself and imports along the arrows", () => {
  expect(messages[refused.length]).toEqual([]);
});
