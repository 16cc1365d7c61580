#!/bin/sh
# Times the reference against upstream's own Python on the same pairs, in one run,
# and prints the ratios:
#
#     adapters/reference/bench.sh DIR
#
# DIR is a git repository of huggingface/evaluate that has commit a7dd338.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: $0 DIR (a git repository of huggingface/evaluate)" >&2; exit 2; }
trees=$(mktemp -d)
trap 'rm -rf "$trees"' EXIT
mkdir "$trees/a7dd338"
git -C "$1" archive a7dd338386a4fae9a1767e05eb9ef9479513d9e8 metrics/squad | tar -x -C "$trees/a7dd338"
cd "$here"
NORMCERT_UPSTREAM=$trees go test -run '^$' -bench ScorerAgainstUpstream -benchtime 3x .
