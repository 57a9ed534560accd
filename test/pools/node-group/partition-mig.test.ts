import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migShellPart } from "../../../lib/pools/node-group/boot/mig";
import { root } from "../../support/rig";
import { describeShellcheck } from "../../support/shellcheck";
import { GpuNode, GpuNodeOptions } from "./fakes/gpu-node";

const SCRIPT = join(root, "lib/pools/node-group/boot/partition-mig.sh");

/** A node on which cloud-init has run the part, so that nodeadm is about to start. */
function nodeFor(profile: string, count: number, options?: GpuNodeOptions): GpuNode {
  const node = new GpuNode(options);
  expect(node.firstBoot(profile, count)).toEqual({ status: 0, log: [], orders: ["systemctl daemon-reload"] });
  return node;
}

const create = (gpu: number, profile: string, count: number): string =>
  `nvidia-smi mig -i ${gpu} -cgi ${Array(count).fill(profile).join(",")} -C`;
const remake = (gpu: number, profile: string, count: number): string[] => [
  `nvidia-smi mig -i ${gpu} -dci`,
  `nvidia-smi mig -i ${gpu} -dgi`,
  create(gpu, profile, count),
];
const RESET = ["nvidia-smi -mig 1", "nvidia-smi --gpu-reset"];

describe("the part of the user data", () => {
  test("puts the script in place as it is in the package", () => {
    expect(nodeFor("3g.40gb", 2).script).toBe(readFileSync(SCRIPT, "utf8"));
  });

  test("makes nodeadm wait for it, at every boot, and after what else asks the GPUs", () => {
    expect(nodeFor("3g.40gb", 2).dropIn).toBe(
      [
        "[Unit]",
        "After=nvidia-persistenced.service nvidia-fabricmanager.service set-nvidia-clocks.service",
        "[Service]",
        "ExecStartPre=/usr/local/sbin/partition-mig 3g.40gb 2",
        "",
      ].join("\n"),
    );
  });
});

describe("a GPU on which the mode takes effect at once", () => {
  test("is partitioned, and nodeadm starts", () => {
    const node = nodeFor("1g.10gb", 7);
    expect(node.startNodeadm()).toEqual({
      status: 0,
      log: ["partition-mig: every GPU has 7 instances of 1g.10gb"],
      orders: ["nvidia-smi -mig 1", ...remake(0, "1g.10gb", 7)],
    });
    expect(node.devices).toEqual([Array(7).fill("1g.10gb")]);
  });

  test("is partitioned again after a reboot, which takes mode and instances", () => {
    const node = nodeFor("3g.40gb", 2);
    node.startNodeadm();
    node.reboot();
    expect(node.devices).toEqual([[]]);
    expect(node.startNodeadm().status).toBe(0);
    expect(node.devices).toEqual([["3g.40gb", "3g.40gb"]]);
  });

  test("is left as it is where the instances are there", () => {
    const node = nodeFor("2g.20gb", 3);
    node.startNodeadm();
    expect(node.startNodeadm()).toEqual({
      status: 0,
      log: ["partition-mig: every GPU has 3 instances of 2g.20gb"],
      orders: [],
    });
  });

  test("gets the one instance of a profile with the media engines", () => {
    const node = nodeFor("1g.10gb+me", 1);
    expect(node.startNodeadm().status).toBe(0);
    expect(node.devices).toEqual([["1g.10gb+me"]]);
    expect(node.startNodeadm().orders).toEqual([]);
  });

  test("is one of eight, which are partitioned alike", () => {
    const node = nodeFor("1g.10gb", 7, { gpus: 8 });
    const { status, orders } = node.startNodeadm();
    expect(status).toBe(0);
    expect(orders.filter((order) => order.endsWith("-C"))).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((gpu) => create(gpu, "1g.10gb", 7)),
    );
    expect(node.devices).toEqual(Array(8).fill(Array(7).fill("1g.10gb")));
  });
});

describe("instances that are not as asked", () => {
  test.each<[string, string[]]>([
    ["of another profile", ["7g.80gb +ci"]],
    ["too few", ["1g.20gb +ci", "1g.20gb +ci"]],
    ["of a profile whose name begins alike", ["1g.20gb+me +ci", "1g.20gb +ci", "1g.20gb +ci", "1g.20gb +ci"]],
    ["and others beside them", ["1g.20gb +ci", "1g.20gb +ci", "1g.20gb +ci", "1g.20gb +ci", "1g.10gb +ci"]],
    ["without compute instances, as an interruption leaves them", ["1g.20gb", "1g.20gb", "1g.20gb", "1g.20gb"]],
  ])("are made anew: %s", (_, instances) => {
    const node = nodeFor("1g.20gb", 4);
    node.leaveBehind(0, instances);
    const { status, orders } = node.startNodeadm();
    expect({ status, orders }).toEqual({ status: 0, orders: remake(0, "1g.20gb", 4) });
    expect(node.devices).toEqual([Array(4).fill("1g.20gb")]);
  });

  test("are made anew on their GPU alone", () => {
    const node = nodeFor("3g.40gb", 2, { gpus: 3 });
    node.startNodeadm();
    node.leaveBehind(1, ["4g.40gb +ci"]);
    expect(node.startNodeadm().orders).toEqual(remake(1, "3g.40gb", 2));
  });
});

describe("a GPU on which the mode is pending", () => {
  test("is reset where that is allowed", () => {
    const node = nodeFor("3g.20gb", 2, { gpus: 2, modeTakes: "reset" });
    const { status, log, orders } = node.startNodeadm();
    expect(status).toBe(0);
    expect(log).toContain("partition-mig: the mode is pending: resetting the GPUs");
    expect(orders).toEqual([...RESET, ...remake(0, "3g.20gb", 2), ...remake(1, "3g.20gb", 2)]);
  });

  test("makes the node reboot once where a reset does not help, without starting nodeadm", () => {
    const node = nodeFor("3g.20gb", 2, { modeTakes: "reboot" });
    const first = node.startNodeadm();
    expect(first.status).toBe(1);
    expect(first.log).toContain("partition-mig: the mode is still pending: rebooting");
    expect(first.orders).toEqual([...RESET, "systemctl reboot"]);
    node.reboot();
    expect(node.startNodeadm()).toEqual({
      status: 0,
      log: ["partition-mig: every GPU has 2 instances of 3g.20gb"],
      orders: remake(0, "3g.20gb", 2),
    });
  });

  test("keeps nodeadm from starting where a reboot does not help either, and the node from rebooting for ever", () => {
    const node = nodeFor("3g.20gb", 2, { modeTakes: "never" });
    node.startNodeadm();
    for (const later of ["second boot", "third boot"]) {
      node.reboot();
      const { status, log, orders } = node.startNodeadm();
      expect({ later, status, orders }).toEqual({ later, status: 1, orders: RESET });
      expect(log).toContain("partition-mig: the mode is still pending after a reboot");
    }
    expect(node.devices).toEqual([[]]);
  });

  test("may be one of several: the mode of all is asked for", () => {
    const node = nodeFor("3g.20gb", 2, { gpus: 2, modeTakes: "never" });
    node.leaveBehind(1, ["3g.20gb +ci", "3g.20gb +ci"]);
    expect(node.startNodeadm().orders).toEqual([...RESET, "systemctl reboot"]);
  });

  test("may make the node reboot again once it has been well", () => {
    const node = nodeFor("3g.20gb", 2, { gpus: 2, modeTakes: "reboot" });
    node.startNodeadm();
    node.reboot();
    expect(node.startNodeadm().status).toBe(0);
    node.loseMode(0);
    expect(node.startNodeadm().orders).toContain("systemctl reboot");
  });
});

describe("faults", () => {
  test("of a driver that is slow to come up are waited for", () => {
    const node = nodeFor("7g.80gb", 1, { failingCalls: 3 });
    expect(node.startNodeadm().status).toBe(0);
    expect(node.devices).toEqual([["7g.80gb"]]);
  });

  test("of a driver that never comes up keep nodeadm from starting", () => {
    const node = nodeFor("7g.80gb", 1, { failingCalls: Infinity });
    expect(node.startNodeadm()).toEqual({
      status: 1,
      log: ["partition-mig: nvidia-smi finds no GPU after 0 seconds"],
      orders: [],
    });
  });

  test("of a driver that goes away after it was up keep nodeadm from starting", () => {
    const node = nodeFor("7g.80gb", 1, { modeTakes: "never" });
    node.startNodeadm();
    node.loseDriverAfter(1);
    expect(node.startNodeadm().status).toBe(1);
    expect(node.devices).toEqual([[]]);
  });

  test("of a GPU on which no instance can be made keep nodeadm from starting", () => {
    const node = nodeFor("3g.40gb", 2, { gpus: 3, brokenGpu: 1 });
    const { status, log } = node.startNodeadm();
    expect({ status, log }).toEqual({
      status: 1,
      log: ["partition-mig: GPU 1 does not have 2 instances of 3g.40gb"],
    });
  });

  test("of a profile that the GPU has too little room for keep nodeadm from starting", () => {
    const { status, log } = nodeFor("1g.10gb", 8).startNodeadm();
    expect({ status, log }).toEqual({
      status: 1,
      log: ["partition-mig: GPU 0 does not have 8 instances of 1g.10gb"],
    });
  });
});

describeShellcheck({
  "the script": readFileSync(SCRIPT, "utf8"),
  "the part of the user data": migShellPart("1g.10gb", 7),
});
