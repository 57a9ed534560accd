// Prints what one side costs beyond CDKTF itself: `node import.js ours|raw <pools.json>`. First to name what a program
// needs, then to build the pools as well, by when the library has loaded what it puts off until then.
const { readFileSync } = require("node:fs");
const { App, TerraformStack } = require("cdktf");
require("constructs");

const [, , side, poolsFile = "", outdir] = process.argv;
const pools = JSON.parse(readFileSync(poolsFile, "utf8"));
const stack = new TerraformStack(new App({ outdir }), "bench");

const before = { time: performance.now(), memory: process.memoryUsage().rss };
const sinceThen = () => ({
  milliseconds: performance.now() - before.time,
  megabytes: (process.memoryUsage().rss - before.memory) / 2 ** 20,
});

/** @type {{ addPools(stack: TerraformStack, pools: { id: string }[]): void }} */
const { addPools } = side === "ours" ? require("./ours") : require("./raw");
const named = sinceThen();
addPools(stack, pools);
const built = sinceThen();
console.log(
  JSON.stringify({
    namedMilliseconds: named.milliseconds,
    namedMegabytes: named.megabytes,
    builtMilliseconds: built.milliseconds,
    builtMegabytes: built.megabytes,
  }),
);
