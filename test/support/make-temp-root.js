const { mkdtempSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/** Gives a test run a temporary folder of its own, so that all of what it leaves behind can be removed at its end. */
module.exports = () => {
  process.env.TEST_TEMP_ROOT = process.env.TMPDIR = mkdtempSync(join(tmpdir(), "elastic-gpu-"));
};
