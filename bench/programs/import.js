// Prints what loading costs beyond CDKTF itself: `node import.js ours|raw`.
require("cdktf");
require("constructs");

const before = { time: performance.now(), memory: process.memoryUsage().rss };
if (process.argv[2] === "ours") {
  const library = require("../../dist");
  void [library.ElasticGpuNodePool, library.GpuCluster, library.Workload];
} else {
  require("./raw");
}
console.log(
  JSON.stringify({
    milliseconds: performance.now() - before.time,
    megabytes: (process.memoryUsage().rss - before.memory) / 2 ** 20,
  }),
);
