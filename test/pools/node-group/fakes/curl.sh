#!/usr/bin/env bash
# A curl that is an instance metadata service: it answers what nodes ask for their market, as IMDSv2 does.
#
#   $FAKE_NODE/calls      a call a line: its method and its path
#   $FAKE_NODE/market     what instance-life-cycle is; no such file: IMDS knows no such path
#   $FAKE_NODE/silent     calls that are still to time out
set -u
cd "$FAKE_NODE" || exit 1

method=GET
declare -A headers
while [ $# -gt 0 ]; do
  case $1 in
    --request) method=$2 && shift ;;
    --header) headers[${2%%: *}]=${2#*: } && shift ;;
    --max-time) bounded=$2 && shift ;;
    --noproxy) direct=$2 && shift ;;
    --fail) fail=yes ;;
    --silent) ;;
    http://169.254.169.254/*) path=${1#http://169.254.169.254} ;;
    *) echo "curl: option $1 is not known here" >&2 && exit 2 ;;
  esac
  shift
done
echo "$method $path" >>calls
: "${bounded:?a call without a bound can hang the boot}"
[ "${direct-}" = "*" ] || exit 5 # no proxy reaches the service

refuse() {
  [ -z "${fail-}" ] || exit 22
  echo "<html><body>$1</body></html>"
  exit 0
}

if [ "$(cat silent)" -gt 0 ]; then
  echo $(($(cat silent) - 1)) >silent
  exit 28
fi
case "$method $path" in
  "PUT /latest/api/token")
    [ -n "${headers[X-aws-ec2-metadata-token-ttl-seconds]-}" ] || refuse "400 - Bad Request"
    echo -n the-token
    ;;
  "GET /latest/meta-data/instance-life-cycle")
    [ "${headers[X-aws-ec2-metadata-token]-}" = the-token ] || refuse "401 - Unauthorized"
    [ -e market ] || refuse "404 - Not Found"
    echo -n "$(cat market)"
    ;;
  *) refuse "404 - Not Found" ;;
esac
