// Builds and synthesizes one stack of pools, and prints how many milliseconds that took once everything was loaded:
// `node synth.js ours|raw <pools.json> <outdir>`.
const { readFileSync } = require("node:fs");
const { AwsProvider } = require("@cdktf/provider-aws/lib/provider");
const { App, TerraformStack } = require("cdktf");

const [, , variant, poolsFile = "", outdir] = process.argv;
// The twin first for both: the library loads the same namespaces of the provider, but only when it uses them.
const raw = require("./raw");
/** @type {{ addPools(stack: TerraformStack, pools: { id: string }[]): void }} */
const { addPools } = variant === "ours" ? require("./ours") : raw;
const pools = JSON.parse(readFileSync(poolsFile, "utf8"));

const started = performance.now();
const app = new App({ outdir });
const stack = new TerraformStack(app, "bench");
new AwsProvider(stack, "aws", { region: "us-east-1" });
addPools(stack, pools);
app.synth();
console.log(JSON.stringify({ milliseconds: performance.now() - started }));
