import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What a shell part or a program of it did. */
export interface Run {
  readonly status: number | null;
  /** What it says for the journal. */
  readonly log: string[];
  /** Calls of the programs that are faked, in order. */
  readonly calls: string[];
}

/** A node on which parts of the user data run: real bash, and fakes of the programs that reach beyond the node. */
export class BootNode {
  private readonly root = mkdtempSync(join(tmpdir(), "boot-node-"));

  /** `state` are files that fakes read, by name. */
  constructor(state: { [file: string]: string }) {
    for (const folder of ["bin", "fake", "etc/systemd/system", "usr/local/sbin"]) {
      mkdirSync(join(this.root, folder), { recursive: true });
    }
    for (const program of ["aws", "ctr", "curl"]) {
      copyFileSync(join(__dirname, `${program}.sh`), join(this.root, "bin", program));
    }
    for (const program of ["sleep", "systemctl"]) {
      writeFileSync(join(this.root, "bin", program), `#!/bin/bash\necho "${program} $*" >>"$FAKE_NODE/calls"\n`);
    }
    writeFileSync(join(this.root, "bin", "timeout"), '#!/bin/bash\nBOUNDED=$1 exec "${@:2}"\n');
    for (const program of readdirSync(join(this.root, "bin"))) {
      chmodSync(join(this.root, "bin", program), 0o755);
    }
    Object.entries(state).forEach(([file, text]) => this.write(`fake/${file}`, text));
  }

  /** Runs a script with the node's folder for a root, as cloud-init does with a part and systemd with a unit. */
  run(script: string): Run {
    this.write("fake/calls", "");
    const rooted = script.replace(/\/(etc|usr\/local)\//g, `${this.root}/$1/`);
    const { status, stderr } = spawnSync("bash", ["--norc", "-c", rooted], {
      encoding: "utf8",
      env: { PATH: `${join(this.root, "bin")}:${process.env.PATH}`, FAKE_NODE: join(this.root, "fake") },
    });
    return { status, log: lines(stderr), calls: lines(this.read("fake/calls")) };
  }

  has(file: string): boolean {
    return existsSync(join(this.root, file));
  }

  list(folder: string): string[] {
    return readdirSync(join(this.root, folder)).sort();
  }

  /** A file, with paths as they would be on a node. */
  read(file: string): string {
    return readFileSync(join(this.root, file), "utf8").replaceAll(this.root, "");
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), text);
  }
}

function lines(text: string): string[] {
  return text.split("\n").filter(Boolean);
}
