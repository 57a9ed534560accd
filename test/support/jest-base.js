const { resolve } = require("node:path");

/** What the jest configurations of all rings share. */
module.exports = {
  rootDir: resolve(__dirname, "../.."),
  testEnvironment: "node",
  transform: {
    "^.+\\.ts$": ["@swc/jest", { jsc: { parser: { syntax: "typescript" }, target: "es2022" } }],
  },
  moduleNameMapper: { "^cdktf-elastic-gpu$": "<rootDir>/lib/index.ts" },
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/cdktf.out/"],
  globalSetup: "<rootDir>/test/support/make-temp-root.js",
  globalTeardown: "<rootDir>/test/support/remove-temp-root.js",
};
