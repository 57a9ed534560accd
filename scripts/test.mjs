// The fast tests and the type check, side by side: together they take hardly longer than the slower of the two.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const { resolve } = createRequire(import.meta.url);

/** @param {string} program @param {string[]} args @param {import("node:child_process").StdioOptions} stdio */
function run(program, args, stdio) {
  const child = spawn(process.execPath, [resolve(program), ...args], { stdio });
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  return new Promise((done) => child.on("close", (code) => done({ failed: code !== 0, output })));
}

const check = run("typescript/bin/tsc", ["--noEmit", "--pretty"], ["ignore", "pipe", "inherit"]);
const jest = await run("jest/bin/jest", process.argv.slice(2), "inherit");
const types = await check;
console.log(types.failed ? `\nType check failed:\n${types.output}` : "\nType check passed.");
process.exitCode = jest.failed || types.failed ? 1 : 0;
