// Turns the compiled index, and those below it that it passes names on from, into ones that load a module when one of
// its names is first touched. A provider namespace costs milliseconds and those with a pod spec a tenth of a second, so
// a program must not pay for constructs that it does not use; and lib/index.ts stays plain re-exports.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

const require = createRequire(import.meta.url);

// What tsc emits for `export { A as B } from "./a"` and for `export * from "./a"`.
const MODULE = /^(?:var|const) (\w+) = require\("(\.[^"]+)"\);$/gm;
const NAMED = /^Object\.defineProperty\(exports, "(\w+)", \{ .*return (\w+)\.(\w+); \} \}\);$/gm;
const STAR = /^__exportStar\(require\("(\.[^"]+)"\), exports\);$/gm;

/** @typedef {{ module: string, name: string }} Origin the module that defines a name, and the name there */

/** @param {string} folder of compiled modules, whose indexes are rewritten in place */
export function makeLazy(folder) {
  /** @type {Map<string, Map<string, Origin>>} */
  const indexes = new Map();
  const file = join(folder, "index.js");
  const own = collect(file, indexes);
  const others = namesOf(file).filter((name) => !own.has(name));
  if (others.length > 0)
    throw new Error(`${file} may hold re-exports of relative modules only, got: ${others.join(", ")}`);
  for (const [index, names] of indexes) writeFileSync(index, lazyIndex(index, names));
}

/**
 * The names that a module passes on from others, each with its origin. A module that does nothing else is an index.
 *
 * @param {string} file
 * @param {Map<string, Map<string, Origin>>} indexes that were met
 * @returns {Map<string, Origin>}
 */
function collect(file, indexes) {
  const text = readFileSync(file, "utf8");
  const path = (/** @type {string} */ request) => createRequire(file).resolve(request);
  /** @type {Map<string, Origin>} */
  const found = new Map();
  for (const [, request = ""] of text.matchAll(STAR)) {
    const module = path(request);
    const passedOn = collect(module, indexes);
    for (const name of namesOf(module)) found.set(name, passedOn.get(name) ?? { module, name });
  }
  const modules = new Map([...text.matchAll(MODULE)].map(([, variable, request = ""]) => [variable, path(request)]));
  for (const [, exported = "", variable, name = ""] of text.matchAll(NAMED)) {
    const module = /** @type {string} */ (modules.get(variable));
    found.set(exported, collect(module, indexes).get(name) ?? { module, name });
  }
  if (found.size > 0 && namesOf(file).every((name) => found.has(name))) indexes.set(file, found);
  return found;
}

/** @param {string} module */
function namesOf(module) {
  return Object.keys(require(module));
}

/** @param {string} file @param {Map<string, Origin>} names */
function lazyIndex(file, names) {
  const entries = [...names].sort(([a], [b]) => (a < b ? -1 : 1));
  const loaders = entries.map(([exported, { module, name }]) => {
    const request = relative(dirname(file), module).replaceAll("\\", "/").replace(/\.js$/, "");
    return `  ${exported}: () => require("${request.startsWith(".") ? request : `./${request}`}").${name},\n`;
  });
  // The assignments are what Node and bundlers read to learn the names when an ES module imports this one.
  return `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
${entries.map(([name]) => `exports.${name} = void 0;\n`).join("")}const load = {
${loaders.join("")}};
for (const name of Object.keys(load)) {
  Object.defineProperty(exports, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = load[name]();
      Object.defineProperty(exports, name, { enumerable: true, value });
      return value;
    },
  });
}
`;
}
