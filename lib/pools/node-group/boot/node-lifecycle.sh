#!/usr/bin/env bash
# Labels the node with the market that its instance was bought in, which an Auto Scaling group of two markets decides
# anew at each launch: node-lifecycle=spot, on-demand or capacity-block.
#
# A node whose market cannot be found out joins without the label, since one without a label is of more use than none.
set -euo pipefail

config=/etc/eks/nodeadm.d/10-node-lifecycle.yaml

log() { echo "node-lifecycle: $*" >&2; }

imds() { curl --silent --fail --noproxy '*' --max-time 2 "${@:2}" "http://169.254.169.254/latest/$1"; }

ask() {
  local token
  token=$(imds api/token --request PUT --header "X-aws-ec2-metadata-token-ttl-seconds: 60") &&
    imds meta-data/instance-life-cycle --header "X-aws-ec2-metadata-token: $token"
}

# One that was left by a node which an image was made of would speak of another instance.
rm -f "$config"
for attempt in {1..10}; do
  answer=$(ask) && break
  log "no answer from the instance metadata service, attempt $attempt of 10"
  sleep 2
done
case $answer in
  spot | capacity-block) market=$answer ;;
  on-demand | normal | scheduled) market=on-demand ;;
  *)
    log "the node gets no label, since its market is unknown: '$answer'"
    exit 0
    ;;
esac

# Renamed into place: nodeadm does not start the kubelet where a file of its folder is cut off.
mkdir -p "${config%/*}"
cat >"$config.new" <<CONFIG
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  kubelet:
    flags:
      - --node-labels=node-lifecycle=$market
CONFIG
mv "$config.new" "$config"
log "the node is labelled $market"
