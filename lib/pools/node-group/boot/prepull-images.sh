#!/usr/bin/env bash
# Pulls images into containerd before a pod asks for them.
#
#   prepull-images LIST
#
# LIST has a full reference a line. An image that cannot be had does not keep the others from being pulled; the exit
# status tells. One that is there already is not asked for again, so that it can run at every boot.
set -uo pipefail

ecr='^[0-9]{12}\.dkr[.-]ecr(-fips)?\.([a-z0-9-]+)\.(amazonaws\.(com|com\.cn|eu)|on\.(aws|amazonwebservices\.com\.cn))$'
pinned=io.cri-containerd.pinned # keeps the kubelet's garbage collection away

log() { echo "prepull-images: $*" >&2; }

# The snapshotter that the kubelet's pulls unpack with: containerd 1 and 2 name it in different tables. Those of
# runtimes, which may have their own, are not meant.
configured_snapshotter() {
  awk '
    /^[ \t]*\[/ { of_images = /v1\.cri["\047]?\.containerd\]|cri\.v1\.images["\047]?\]/ }
    of_images && sub(/^[ \t]*snapshotter[ \t]*=[ \t]*["\047]/, "") { sub(/["\047].*/, ""); print; exit }
  ' /etc/containerd/config.toml
}

# A pull that hangs would hold up the next.
images() { timeout 30m ctr --namespace k8s.io images "$1" --snapshotter "$snapshotter" "${@:2}"; }

# Pulled whole, unpacked and pinned.
is_there() { [ "$(images check --quiet "name==$1,labels.\"$pinned\"==pinned")" = "$1" ]; }

# --local: the transfer service unpacks with the snapshotters of its own configuration alone. Mirrors are those of the
# kubelet's pulls. Without a label for CRI, which adds its own, and with it the reference by ID that it keeps.
pull() {
  local login=() password
  if [[ ${1%%/*} =~ $ecr ]]; then
    password=$(aws ecr get-login-password --region "${BASH_REMATCH[2]}") || return
    login=(--user "AWS:$password")
  fi
  images pull --local --hosts-dir /etc/containerd/certs.d --label "$pinned=pinned" "${login[@]}" "$1" >/dev/null
}

bring() {
  local began=$SECONDS wait
  if is_there "$1"; then
    log "$1 is there"
    return
  fi
  for wait in 0 10 30; do
    sleep "$wait"
    if pull "$1"; then
      log "pulled $1 in $((SECONDS - began)) s"
      return
    fi
  done
  log "gave up on $1"
  return 1
}

snapshotter=$(configured_snapshotter)
: "${snapshotter:=overlayfs}"
status=0
mapfile -t references <"$1"
for reference in "${references[@]}"; do
  bring "$reference" || status=1
done
exit "$status"
