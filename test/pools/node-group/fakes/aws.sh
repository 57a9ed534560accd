#!/usr/bin/env bash
# An AWS CLI that gives passwords for ECR, a different one for each region; none where $FAKE_NODE/no-role is.
set -u
echo "aws $*" >>"$FAKE_NODE/calls"
if [ "$1 $2 $3" != "ecr get-login-password --region" ] || [ -e "$FAKE_NODE/no-role" ]; then
  echo "Unable to locate credentials. You can configure credentials by running \"aws configure\"." >&2
  exit 253
fi
echo "password-of-$4"
