import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migShellPart } from "../../../../lib/pools/node-group/boot/mig";

export interface GpuNodeOptions {
  readonly gpus?: number;
  /** Whether a mode takes effect at once, with a reset, with a reboot, or never. Left out: at once. */
  readonly modeTakes?: "at once" | "reset" | "reboot" | "never";
  /** Calls of nvidia-smi that fail before the driver is up. Left out: none. */
  readonly failingCalls?: number;
  /** The GPU on which no instance can be made. Left out: none. */
  readonly brokenGpu?: number;
}

export interface BootResult {
  readonly status: number | null;
  /** What the script says for the journal. */
  readonly log: string[];
  /** What changed something, in order. */
  readonly orders: string[];
}

/** A node that boots as one of EKS does, as far as partitions are concerned: real bash, and GPUs that are files. */
export class GpuNode {
  private readonly root = mkdtempSync(join(tmpdir(), "gpu-node-"));
  private readonly gpus: string[];

  constructor(private readonly options: GpuNodeOptions = {}) {
    this.gpus = Array.from({ length: options.gpus ?? 1 }, (_, index) => `gpu-${index}`);
    this.gpus.forEach((gpu) => {
      mkdirSync(this.path("node", gpu), { recursive: true });
      this.write(`node/${gpu}/mode`, "Disabled\n");
      this.write(`node/${gpu}/instances`, "");
    });
    this.write("node/absent", `${Math.min(options.failingCalls ?? 0, 1e6)}\n`);
    this.write("node/answers", "1000000\n");
    this.write("node/broken", `${options.brokenGpu ?? "none"}\n`);
    this.write("node/capacity", "7\n");
    const modeTakes = options.modeTakes ?? "at once";
    if (modeTakes === "at once") this.write("node/at-once", "");
    if (modeTakes === "reset") this.write("node/resets", "");

    mkdirSync(this.path("bin"));
    copyFileSync(join(__dirname, "nvidia-smi.sh"), this.path("bin/nvidia-smi"));
    this.write("bin/systemctl", '#!/bin/bash\necho "systemctl $*" >>"$FAKE_NODE/calls"\n');
    this.write("bin/sleep", "#!/bin/bash\n");
    readdirSync(this.path("bin")).forEach((program) => chmodSync(this.path("bin", program), 0o755));
  }

  /** Runs the part of the user data, as cloud-init does at the first boot, with the node's folder for a root. */
  firstBoot(profile: string, count: number): BootResult {
    mkdirSync(this.path("usr/local/sbin"), { recursive: true });
    const part = migShellPart(profile, count).replace(/\/(usr\/local|etc)\//g, `${this.root}/$1/`);
    return this.run(part);
  }

  /** Starts nodeadm as systemd does: its ExecStartPre first, which must end well. */
  startNodeadm(): BootResult {
    const [, command] = /^ExecStartPre=([^-].*)$/m.exec(this.dropIn) ?? [];
    return this.run(`${this.root}${command}`);
  }

  reboot(): void {
    this.gpus.forEach((gpu) => {
      const pending = existsSync(this.path("node", gpu, "pending"));
      const { modeTakes } = this.options;
      rmSync(this.path("node", gpu, "pending"), { force: true });
      this.write(`node/${gpu}/instances`, "");
      if (modeTakes === undefined || modeTakes === "at once") {
        this.write(`node/${gpu}/mode`, "Disabled\n");
      } else if (pending && modeTakes === "reboot") {
        this.write(`node/${gpu}/mode`, "Enabled\n");
      }
    });
  }

  /** Leaves a GPU with instances that something else made; one that ends with " +ci" has its compute instance. */
  leaveBehind(gpu: number, instances: string[]): void {
    this.write(`node/gpu-${gpu}/mode`, "Enabled\n");
    this.write(`node/gpu-${gpu}/instances`, instances.map((instance) => `${instance}\n`).join(""));
  }

  /** As a driver's fault does it: the mode is asked for anew. */
  loseMode(gpu: number): void {
    this.write(`node/gpu-${gpu}/mode`, "Disabled\n");
  }

  /** The driver answers some more calls, and then none. */
  loseDriverAfter(calls: number): void {
    this.write("node/answers", `${calls}\n`);
  }

  /** GPU instances with a compute instance, of each GPU. */
  get devices(): string[][] {
    return this.gpus.map((gpu) => this.read(`node/${gpu}/instances`).match(/^\S+(?= \+ci$)/gm) ?? []);
  }

  get dropIn(): string {
    const file = "etc/systemd/system/nodeadm-run.service.d/10-partition-mig.conf";
    return this.read(file).replaceAll(this.root, "");
  }

  get script(): string {
    return this.read("usr/local/sbin/partition-mig");
  }

  private run(script: string): BootResult {
    this.write("node/calls", "");
    const { status, stderr } = spawnSync("bash", ["--norc", "-c", script], {
      encoding: "utf8",
      env: {
        PATH: `${this.path("bin")}:${process.env.PATH}`,
        FAKE_NODE: this.path("node"),
        PARTITION_MIG_STATE: this.path("var"),
        PARTITION_MIG_PATIENCE: this.options.failingCalls === Infinity ? "0" : "5",
      },
    });
    return {
      status,
      log: stderr.split("\n").filter(Boolean),
      orders: this.read("node/calls").split("\n").filter(Boolean),
    };
  }

  private path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  private read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  private write(file: string, text: string): void {
    writeFileSync(this.path(file), text);
  }
}
