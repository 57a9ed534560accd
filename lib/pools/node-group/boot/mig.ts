import { readFileSync } from "node:fs";
import { join } from "node:path";

const SCRIPT = "/usr/local/sbin/partition-mig";
const DROP_IN = "/etc/systemd/system/nodeadm-run.service.d/10-partition-mig.conf";

let partitionScript: string | undefined;

/**
 * A shell part that makes nodeadm wait for the partitions, at this boot and at every later one.
 *
 * cloud-init runs it once, before nodeadm. The drop-in holds for later boots, and its failure keeps nodeadm from
 * starting the kubelet. It comes after the units of EKS's image that ask the GPUs at boot: a mode that is set while
 * another client is at a GPU stays pending.
 */
export function migShellPart(profile: string, instancesPerGpu: number): string {
  partitionScript ??= readFileSync(join(__dirname, "partition-mig.sh"), "utf8");
  return `#!/bin/bash
set -euo pipefail
cat >${SCRIPT} <<'PARTITION_MIG'
${partitionScript.trimEnd()}
PARTITION_MIG
chmod 0755 ${SCRIPT}
mkdir -p ${DROP_IN.slice(0, DROP_IN.lastIndexOf("/"))}
cat >${DROP_IN} <<'DROP_IN'
[Unit]
After=nvidia-persistenced.service nvidia-fabricmanager.service set-nvidia-clocks.service
[Service]
ExecStartPre=${SCRIPT} ${profile} ${instancesPerGpu}
DROP_IN
systemctl daemon-reload
`;
}
