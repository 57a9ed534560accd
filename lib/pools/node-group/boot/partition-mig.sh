#!/usr/bin/env bash
# Partitions every GPU of the node with MIG, into COUNT instances of PROFILE.
#
#   partition-mig PROFILE COUNT
#
# Runs before nodeadm at every boot, because neither the partitions nor, from Hopper on, the mode survive one. Does
# nothing where all is as asked. Fails, and so keeps the node from joining, rather than leave GPUs whole: pods that ask
# for a slice would get a GPU, and the autoscaler would count wrong.
set -euo pipefail

profile=$1
count=$2
state=${PARTITION_MIG_STATE:-/var/lib/partition-mig}
patience=${PARTITION_MIG_PATIENCE:-60} # seconds that the driver may take to come up

log() { echo "partition-mig: $*" >&2; }

indices() { nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null | grep -xE '[0-9]+'; }

wait_for_driver() {
  local deadline=$((SECONDS + patience))
  until gpus=$(indices); do
    if [ "$SECONDS" -ge "$deadline" ]; then
      log "nvidia-smi finds no GPU after $patience seconds"
      return 1
    fi
    sleep 1
  done
}

all_enabled() {
  local modes
  modes=$(nvidia-smi --query-gpu=mig.mode.current --format=csv,noheader) && ! grep -qvx Enabled <<<"$modes"
}

# The mode takes effect at once from Hopper on. Ampere wants the GPUs reset, which is refused while a daemon holds them,
# as nvidia-persistenced and the Fabric Manager of EKS's image do, and where the hypervisor does not allow it. They are
# not stopped, since the GPUs would lose the clocks that were set at boot; the mode survives a reboot there, and takes
# effect with it. One reboot, since a second would not help either.
enable() {
  all_enabled && return 0
  nvidia-smi -mig 1 || true
  all_enabled && return 0
  log "the mode is pending: resetting the GPUs"
  nvidia-smi --gpu-reset || true
  all_enabled && return 0
  if [ -e "$state/rebooted" ]; then
    log "the mode is still pending after a reboot"
    return 1
  fi
  log "the mode is still pending: rebooting"
  mkdir -p "$state"
  touch "$state/rebooted"
  systemctl reboot
  return 1
}

# Instances of a GPU: those of the profile, and all, as two numbers.
instances() {
  nvidia-smi -L | awk -v gpu="$1" -v profile="$profile" '
    /^GPU / { sub(":", "", $2); here = ($2 == gpu) }
    here && $1 == "MIG" { all++; if ($2 == profile) of_profile++ }
    END { print of_profile + 0, all + 0 }'
}

as_asked() { [ "$(instances "$1")" = "$count $count" ]; }

partition() {
  local wanted
  printf -v wanted '%*s' "$count" ''
  wanted=${wanted// /$profile,}
  # Both fail where there is nothing to remove.
  nvidia-smi mig -i "$1" -dci >/dev/null 2>&1 || true
  nvidia-smi mig -i "$1" -dgi >/dev/null 2>&1 || true
  nvidia-smi mig -i "$1" -cgi "${wanted%,}" -C
}

wait_for_driver
enable
rm -f "$state/rebooted"
for gpu in $gpus; do
  as_asked "$gpu" || partition "$gpu" || true
  if ! as_asked "$gpu"; then
    log "GPU $gpu does not have $count instances of $profile"
    exit 1
  fi
done
log "every GPU has $count instances of $profile"
