import { spawnSync } from "node:child_process";
import {
  ClusterAutoscaler,
  GpuSharing,
  LoadBalancerController,
  MetricsServer,
  NodeTerminationHandler,
  NvidiaDevicePlugin,
} from "cdktf-elastic-gpu";
import { Build, synthInCluster, theRelease, theValues } from "../support/addon";
import { addPool } from "../support/pool";
import { describeWhere, findChartValues } from "../support/rig";

/** Each add-on with all that its properties can put into its values. */
const ADDONS: [string, Build][] = [
  [
    "cluster-autoscaler",
    (stack, cluster) => {
      addPool(stack, {});
      new ClusterAutoscaler(stack, "addon", { cluster, serviceMonitor: true });
    },
  ],
  [
    "nvidia-device-plugin",
    (stack, cluster) => {
      addPool(stack, { sharing: GpuSharing.timeSlicing({ replicas: 4 }) });
      new NvidiaDevicePlugin(stack, "addon", { cluster });
    },
  ],
  ["metrics-server", (stack, cluster) => void new MetricsServer(stack, "addon", { cluster })],
  ["aws-load-balancer-controller", (stack, cluster) => void new LoadBalancerController(stack, "addon", { cluster })],
  [
    "aws-node-termination-handler",
    (stack, cluster) => void new NodeTerminationHandler(stack, "addon", { cluster, serviceMonitor: true }),
  ],
];

describeWhere("charts read every value that they are given", findChartValues(), ({ program }) => {
  function check(chart: string, version: string, values: object): { status: number | null; text: string } {
    const input = JSON.stringify(values);
    const { status, stdout, stderr } = spawnSync(program, [chart, version, "-"], { input, encoding: "utf8" });
    return { status, text: stdout + stderr };
  }

  test.each(ADDONS)("%s", (chart, build) => {
    const { json } = synthInCluster(build, { registry: "registry.example/mirror", systemNodeSelector: { a: "b" } });
    const { version } = theRelease(json);
    const { status, text } = check(chart, version, theValues(json));
    // The document of priorities is a text, which the chart takes beside a map.
    const notes = text.split("\n").filter((line) => line !== "" && !line.includes("expanderPriorities"));
    expect({ status, notes }).toEqual({ status: 0, notes: [] });
  });

  test("a misspelt value would be found", () => {
    const { status, text } = check("metrics-server", "3.13.1", { replica: 2 });
    expect(status).toBe(1);
    expect(text).toContain("replicas");
  });
});
