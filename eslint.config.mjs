import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import boundaries from "eslint-plugin-boundaries";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const root = fileURLToPath(new URL(".", import.meta.url));
const dependencies = Object.keys(JSON.parse(readFileSync(`${root}/package.json`, "utf8")).dependencies);

/** Which folders of lib a folder may import from, beside itself. What is not listed is refused. */
const arrows = {
  accelerators: [],
  internal: [],
  cluster: ["accelerators", "internal"],
  pools: ["accelerators", "cluster", "internal"],
  storage: ["cluster", "internal"],
  scaling: ["accelerators", "cluster", "internal", "pools"],
  addons: ["accelerators", "cluster", "internal"],
  module: ["internal"],
};
const folders = Object.keys(arrows);

/** Everything of a provider package but one namespace: its root index alone costs seconds and half a gigabyte. */
const notOneNamespace = "^@cdktf/provider-(?![a-z]+/lib/(?!index$|lazy-index$)[a-z0-9-]+$)";
const oneNamespaceOnly = 'import one namespace of a provider: "@cdktf/provider-<name>/lib/<namespace>".';
const noManifest = "kubernetes_manifest needs the cluster and the CRD at plan: use a typed kind or the objects chart.";

const providerImports = { regex: notOneNamespace, message: oneNamespaceOnly };
const manifestImports = { regex: "^@cdktf/provider-kubernetes/lib/manifest$", message: noManifest };
const cdktfInternals = { regex: "^cdktf/", message: 'import from "cdktf" itself: what lies below is not its API.' };

const noInstanceof = {
  selector: "BinaryExpression[operator='instanceof']",
  message: "instanceof fails across two copies of a package: use a Symbol.for marker and a static isX.",
};
const providerLoading = [
  "ImportExpression > Literal.source",
  "TSImportType Literal",
  "CallExpression[callee.name='require'] > Literal",
].map((place) => ({
  // esquery ends a regular expression at the first slash that is not escaped.
  selector: `${place}[value=/${notOneNamespace.replaceAll("/", "\\u002F")}/]`,
  message: oneNamespaceOnly,
}));
const noManifestText = ["Literal[value=/kubernetes_manifest/]", "TemplateElement[value.raw=/kubernetes_manifest/]"].map(
  (selector) => ({ selector, message: noManifest }),
);

export default defineConfig(
  globalIgnores(["dist/", "cdktf.out/", "coverage/"]),
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    languageOptions: {
      globals: { URL: "readonly", console: "readonly", performance: "readonly", process: "readonly" },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-restricted-imports": ["error", { patterns: [providerImports, manifestImports] }],
      "no-restricted-syntax": ["error", noInstanceof, ...providerLoading],
      // jsii knows no `unknown`, so that a static isX takes `any`; and Terraform's JSON is read as it comes.
      "@typescript-eslint/no-explicit-any": "off",
      eqeqeq: "error",
    },
  },
  {
    files: ["**/*.js"],
    languageOptions: {
      sourceType: "commonjs",
      globals: { __dirname: "readonly", module: "readonly", require: "readonly" },
    },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  {
    files: ["lib/**", "examples/**"],
    rules: {
      "no-restricted-imports": ["error", { patterns: [providerImports, manifestImports, cdktfInternals] }],
      "no-restricted-syntax": ["error", noInstanceof, ...providerLoading, ...noManifestText],
    },
  },
  {
    files: ["lib/**"],
    plugins: { boundaries },
    settings: {
      "import/resolver": { typescript: { project: "tsconfig.json" } },
      "boundaries/dependency-nodes": ["import", "export", "dynamic-import", "require"],
      "boundaries/root-path": root,
      "boundaries/elements": [
        { type: "index", mode: "full", pattern: "lib/index.ts" },
        ...folders.map((folder) => ({ type: folder, pattern: `lib/${folder}` })),
        { type: "outside", pattern: "(examples|test|bench|scripts)" },
      ],
    },
    rules: {
      // What few programs need is loaded where they need it.
      "@typescript-eslint/no-require-imports": ["error", { allow: dependencies.map((name) => `^${name}$`) }],
      "boundaries/no-unknown-files": "error",
      "boundaries/element-types": [
        "error",
        {
          default: "disallow",
          message:
            "${file.type} may not import from ${dependency.type}: the arrows between the folders of lib point one way.",
          rules: [
            { from: "index", allow: folders },
            ...folders.map((from) => ({ from, allow: [from, ...arrows[from]] })),
          ],
        },
      ],
      "boundaries/external": [
        "error",
        {
          default: "allow",
          message: "the hardware is plain data and functions: ${file.type} may not import ${dependency.source}.",
          rules: [{ from: "accelerators", disallow: ["cdktf", "constructs", "@cdktf/**"] }],
        },
      ],
    },
  },
);
