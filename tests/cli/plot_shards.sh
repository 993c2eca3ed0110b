#!/bin/sh
# The example that plots from shards. Usage: plot_shards.sh DRAUGHTS-TRAIN SOURCE SCRATCH
set -eu
rm -rf "$3"
mkdir -p "$3"
cd "$3"
"$1" selfplay -q -o run -s run.rules=flying -s selfplay.games=200 -s selfplay.nodes=30 \
    -s selfplay.shard_rows=5000 >/dev/null
[ "$(ls run/shards | wc -l)" -gt 1 ]
/usr/bin/python3 "$2/docs/plot_shards.py" run/shards/flying-*.h5 >score.svg
grep -q '<path' score.svg
