#!/usr/bin/env bash
# An nvidia-smi without GPUs: says and does what the real one does for the few questions and orders that partitioning
# takes (NVIDIA MIG User Guide), and keeps in files below $FAKE_NODE what the real one keeps in the driver.
#
#   calls                 every order that changes something, one a line; questions are not noted
#   absent                calls that are still to fail because the driver is not up
#   answers               calls that are still answered before the driver is gone
#   at-once               a mode that is set takes effect at once (Hopper)
#   resets                a pending mode takes effect with a reset (Ampere that nothing holds)
#   capacity              instances that a GPU has room for
#   broken                the GPU on which no instance can be made
#   gpu-N/mode            Enabled or Disabled
#   gpu-N/pending         there while Enabled is pending
#   gpu-N/instances       a GPU instance a line: its profile, and "+ci" where it has its compute instance
set -u
cd "$FAKE_NODE" || exit 1

count_down() { echo $(($(cat "$1") - 1)) >"$1"; }

if [ "$(cat absent)" -gt 0 ] || [ "$(cat answers)" -eq 0 ]; then
  count_down absent
  echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver." \
    "Make sure that the latest NVIDIA driver is installed and running."
  exit 9
fi

count_down answers

order() { echo "nvidia-smi $*" >>calls; }

each_gpu() {
  local gpu
  for gpu in gpu-*; do "$1" "${gpu#gpu-}"; done
}

index() { echo "$1"; }

mode() { cat "gpu-$1/mode"; }

devices() {
  local profile compute device=0
  echo "GPU $1: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000-0000-0000-0000-00000000000$1)"
  while read -r profile compute; do
    [ "$compute" = +ci ] || continue
    printf '  MIG %-11s Device %2d: (UUID: MIG-%08d-0000-0000-0000-00000000000%d)\n' "$profile" "$device" "$device" "$1"
    device=$((device + 1))
  done <"gpu-$1/instances"
}

enable() {
  if [ -e at-once ] || [ "$(mode "$1")" = Enabled ]; then
    echo Enabled >"gpu-$1/mode"
    echo "Enabled MIG Mode for GPU 00000000:0$1:00.0"
  else
    touch "gpu-$1/pending"
    echo "Warning: MIG mode is in pending enable state for GPU 00000000:0$1:00.0:In use by another client"
    echo "00000000:0$1:00.0 is currently being used by one or more other processes."
  fi
}

reset() {
  if [ ! -e resets ]; then
    echo "Resetting GPU 00000000:0$1:00.0 is not supported."
    return
  fi
  [ ! -e "gpu-$1/pending" ] || echo Enabled >"gpu-$1/mode"
  rm -f "gpu-$1/pending"
  : >"gpu-$1/instances"
  echo "GPU 00000000:0$1:00.0 was successfully reset."
}

create() {
  local gpu=$1 profile
  local -a profiles
  IFS=, read -r -a profiles <<<"$2"
  for profile in "${profiles[@]}"; do
    if [ "$(cat broken)" = "$gpu" ] || [ "$(wc -l <"gpu-$gpu/instances")" -ge "$(cat capacity)" ]; then
      echo "Unable to create a GPU instance on GPU  $gpu using profile $profile: Insufficient Resources"
      echo "Failed to create GPU instances: Insufficient Resources"
      exit 19
    fi
    echo "$profile +ci" >>"gpu-$gpu/instances"
    echo "Successfully created GPU instance ID  1 on GPU  $gpu using profile MIG $profile (ID 19)"
    echo "Successfully created compute instance ID  0 on GPU  $gpu GPU instance ID  1 using profile MIG $profile (ID  0)"
  done
}

destroy() {
  local kind=$1 gpu=$2
  if [ ! -s "gpu-$gpu/instances" ] || { [ "$kind" = compute ] && ! grep -q +ci "gpu-$gpu/instances"; }; then
    echo "No $kind instances found: Not Found"
    exit 6
  elif [ "$kind" = compute ]; then
    sed -i 's/ +ci//' "gpu-$gpu/instances"
  elif grep -q +ci "gpu-$gpu/instances"; then
    echo "Unable to destroy GPU instance ID  1 from GPU  $gpu: In use by another client"
    exit 19
  else
    : >"gpu-$gpu/instances"
  fi
}

case "$*" in
  '--query-gpu=index --format=csv,noheader') each_gpu index ;;
  '--query-gpu=mig.mode.current --format=csv,noheader') each_gpu mode ;;
  -L) each_gpu devices ;;
  '-mig 1') order "$*" && each_gpu enable && echo 'All done.' ;;
  --gpu-reset) order "$*" && each_gpu reset ;;
  'mig -i '[0-7]' -dci') order "$*" && destroy compute "$3" ;;
  'mig -i '[0-7]' -dgi') order "$*" && destroy GPU "$3" ;;
  'mig -i '[0-7]' -cgi '*' -C') order "$*" && create "$3" "$5" ;;
  *)
    echo "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help."
    exit 2
    ;;
esac
