/** Real Terraform plans every example. One at a time: each plan starts a provider that takes half a gigabyte. */
module.exports = {
  ...require("../support/jest-base"),
  testMatch: ["<rootDir>/test/terraform/**/*.test.ts"],
  maxWorkers: 1,
  testTimeout: 600_000,
};
