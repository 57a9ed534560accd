/** The fast ring: needs nothing but Node. */
module.exports = {
  ...require("./test/support/jest-base"),
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  maxWorkers: "100%",
  testPathIgnorePatterns: ["/node_modules/", "<rootDir>/test/terraform/", "<rootDir>/test/deploy/"],
};
