// Makes compiled modules load a provider namespace when they first use it. One pool touches a third of the namespaces
// that the modules it is made of name, and each costs milliseconds; the sources keep their plain imports.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// What tsc emits for `import { A } from "@cdktf/provider-aws/lib/a"`.
const IMPORT = /^const (\w+) = require\("(@cdktf\/provider-[^"]+)"\);$/gm;

/** @param {string} folder of compiled modules, rewritten in place */
export function makeProvidersLazy(folder) {
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (entry.endsWith(".js")) {
      const file = join(folder, entry);
      const text = readFileSync(file, "utf8");
      const rewritten = text.replace(IMPORT, (_, variable, request) => lazyImport(text, variable, request));
      if (rewritten !== text) writeFileSync(file, rewritten);
    }
  }
}

/**
 * The first touch of a name puts its value in the place of the getter: `require` looks for its module each time.
 *
 * @param {string} text @param {string} variable @param {string} request
 */
function lazyImport(text, variable, request) {
  const names = new Set([...text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))].map(([, name]) => name));
  const getters = [...names].map((name) => {
    const keep = `Object.defineProperty(this, "${name}", { value: ${name} });`;
    return `get ${name}() { const { ${name} } = require("${request}"); ${keep} return ${name}; }`;
  });
  return `const ${variable} = { ${getters.join(", ")} };`;
}
