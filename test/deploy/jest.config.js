/** Real Terraform applies, changes and destroys whole stacks, in order, against a simulated AWS. */
module.exports = {
  ...require("../support/jest-base"),
  testMatch: ["<rootDir>/test/deploy/**/*.test.ts"],
  maxWorkers: 1,
  testTimeout: 600_000,
};
