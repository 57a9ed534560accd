import { spawnSync } from "node:child_process";
import { describeWhere, Missing } from "./rig";

function findShellcheck(): string | Missing {
  return spawnSync("shellcheck", ["--version"]).status === 0
    ? "shellcheck"
    : new Missing("no shellcheck on PATH (apt-get install shellcheck)");
}

/** Tests that shellcheck finds nothing in scripts, which are given by what they are. */
export function describeShellcheck(scripts: { [name: string]: string }): void {
  describeWhere("shellcheck", findShellcheck(), (shellcheck) => {
    test.each(Object.entries(scripts))("finds nothing in %s", (_, script) => {
      const { status, stdout } = spawnSync(shellcheck, ["-"], { encoding: "utf8", input: script });
      expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    });
  });
}
