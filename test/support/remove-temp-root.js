const { rmSync } = require("node:fs");

module.exports = () => {
  if (process.env.TEST_TEMP_ROOT) rmSync(process.env.TEST_TEMP_ROOT, { recursive: true, force: true });
};
