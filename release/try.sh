#!/usr/bin/env bash
# Tries what `pip install` takes: in an empty environment and an empty folder, the command `kenga` makes an experiment,
# checks and compares it, and writes a report; then the package opens the results.
set -euo pipefail

if [ $# != 1 ] || [ "$1" = --help ]; then
    printf 'usage: release/try.sh FILE    a wheel or a source distribution of kenga\n'
    [ "${1:-}" = --help ] && exit 0 || exit 2
fi
file=$(realpath "$1")
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/env"
"$here/env/bin/pip" install -q --disable-pip-version-check "$file"
export PATH="$here/env/bin:$PATH"
mkdir "$here/work"
cd "$here/work"
[ "$(command -v kenga)" = "$here/env/bin/kenga" ]

kenga --version
kenga init . --for sweep
kenga run sweep.toml --out results --quiet
kenga validate results --replay all
kenga compare results
kenga report results -o report.html
kenga sweep plan sweep.toml -o plan.json --pilot 0 >plan.txt
kenga sweep run plan.json --shard 0/2 -o shards --quiet
kenga sweep run plan.json --shard 1/2 -o shards --quiet
kenga sweep merge plan.json shards -o merged
cmp results/runs.csv merged/runs.csv
python -W error -c 'import kenga; assert kenga.open("results").runs.rows > 0; assert kenga.validate("results", progress=False)'
printf 'the package and its command work\n'
