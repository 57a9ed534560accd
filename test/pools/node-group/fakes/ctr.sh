#!/usr/bin/env bash
# A ctr that has registries and a containerd of files. Options end where the argument begins, as they do for the real one.
#
#   $FAKE_NODE/calls          every pull
#   $FAKE_NODE/logins         the login that each registry wants, "host user:password" a line; others want none
#   $FAKE_NODE/mirrored       registries that are reached through a mirror alone
#   $FAKE_NODE/failing        how often pulls of a reference still fail, "reference times" a line
#   $FAKE_NODE/images         what was pulled: reference, namespace, snapshotter and labels
set -u
: "${BOUNDED:?a pull without a bound can hold up the next}"
cd "$FAKE_NODE" || exit 1

[ "$1 $3" = "--namespace images" ] || exit 1
namespace=$2 command=$4
shift 4
user="" labels="" hosts="" local="" quiet=""
while [[ ${1-} = --* ]]; do
  case $1 in
    --snapshotter) snapshotter=$2 && shift ;;
    --user) user=$2 && shift ;;
    --label) labels+=" $2" && shift ;;
    --hosts-dir) hosts=$2 && shift ;;
    --local) local=yes ;;
    --quiet) quiet=yes ;;
    *) echo "Incorrect Usage: flag provided but not defined: $1" >&2 && exit 1 ;;
  esac
  shift
done
[ $# -eq 1 ] || exit 1

pull() {
  local login times
  echo "ctr pull $1${user:+ as $user}" >>calls
  if [ -z "$local" ] && [ "$snapshotter" != overlayfs ]; then
    echo "ctr: unable to initialize unpacker: no unpack platform for snapshotter $snapshotter" >&2
    return 1
  fi
  if grep -qxF "${1%%/*}" mirrored && [ ! -e "$hosts/${1%%/*}/hosts.toml" ]; then
    echo "ctr: failed to resolve reference \"$1\": dial tcp: i/o timeout" >&2
    return 1
  fi
  login=$(sed -n "s|^${1%%/*} ||p" logins)
  if [ "$login" != "$user" ]; then
    echo "ctr: failed to resolve reference \"$1\": unexpected status from HEAD request: 401 Unauthorized" >&2
    return 1
  fi
  times=$(sed -n "s|^$1 ||p" failing)
  if [ "${times:-0}" -gt 0 ]; then
    sed -i "s|^$1 .*|$1 $((times - 1))|" failing
    echo "ctr: failed to copy: httpReadSeeker: failed open: unexpected status code: 503 Service Unavailable" >&2
    return 1
  fi
  sed -i "\\|^$1 |d" images
  echo "$1 $namespace $snapshotter$labels" >>images
  echo "unpacking linux/amd64 sha256:0123..."
}

# A filter of two parts, as `name==REFERENCE,labels."KEY"==VALUE`.
check() {
  local name=${1%%,*} label=${1#*,}
  name=${name#name==} label=${label#labels.} label=${label//\"/}
  [ -n "$quiet" ] && grep -qxF "$name $namespace $snapshotter ${label/==/=}" images && echo "$name"
  return 0
}

"$command" "$1"
