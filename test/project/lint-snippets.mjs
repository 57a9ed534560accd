// Lints snippets as if they were files of the project: [{ file, code }] on standard input, their messages on standard output.
// A program of its own, since jest cannot load an ESLint configuration that is an ES module.
import { text } from "node:stream/consumers";
import { ESLint } from "eslint";

const eslint = new ESLint();
/** @type {{ file: string, code: string }[]} */
const snippets = JSON.parse(await text(process.stdin));
const results = await Promise.all(snippets.map(({ file, code }) => eslint.lintText(code, { filePath: file })));
console.log(JSON.stringify(results.map(([result]) => result?.messages.map(({ message }) => message))));
