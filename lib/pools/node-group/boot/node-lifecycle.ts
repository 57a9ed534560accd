import { readFileSync } from "node:fs";
import { join } from "node:path";

let script: string | undefined;

/**
 * A shell part by which a node finds out how it was bought, and says so in its label.
 *
 * cloud-init runs it once, before nodeadm, which merges the file that it leaves at this boot and every later one: the
 * market of an instance never changes. Labels that the pool gives stay, since nodeadm appends the kubelet's flags of one
 * source to those of another, and the kubelet takes --node-labels as often as it is given (awslabs/amazon-eks-ami,
 * nodeadm: README and internal/api/merge.go).
 */
export function nodeLifecyclePart(): string {
  script ??= readFileSync(join(__dirname, "node-lifecycle.sh"), "utf8");
  return script;
}
