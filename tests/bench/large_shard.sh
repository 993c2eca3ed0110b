#!/bin/sh
# Shards of 64 MB and more: what making, keeping and verifying one takes, that memory stays far below
# its rows, and that h5py opens it and the example in docs/ plots from it.
# Usage: large_shard.sh BENCH_STORE SOURCE SCRATCH
set -eu
bench=$1 source=$2 scratch=$3

die() {
    echo "large_shard.sh: $*" >&2
    exit 1
}

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$bench" 144000 16777216 store | tee figures
[ "$(wc -l <figures)" -eq 3 ] || die "not three rule sets"
shard=store/international/shards/bench-0000.h5
[ "$(stat -c %s $shard)" -ge 64000000 ] || die "$shard has only $(stat -c %s $shard) bytes"
[ "$(find store/international/shards -name "*.h5" | wc -l)" -eq 2 ] || die "not two shards"
while read -r line; do # 16777216 rows of 48 bytes would be 800 MB
    memory=${line% MB of memory*}
    [ "${memory##* }" -lt 400 ] || die "too much memory: $line"
done <figures
/usr/bin/python3 - $shard <<'END'
import sys
import h5py, numpy

with h5py.File(sys.argv[1]) as shard:
    rows = int(shard.attrs["rows"])
    columns = {name: shard[name][:] for name in shard}
assert len(columns) == 10 and all(len(column) == rows for column in columns.values())
assert 16_777_216 - 1000 < rows <= 16_777_216, rows
assert set(numpy.unique(columns["result"])) <= {-1, 0, 1}
games = columns["game"]
assert games[0] == 0 and numpy.all(numpy.diff(games) >= 0)
assert not numpy.any(columns["white_men"] & columns["black_men"])
print(f"h5py: {rows} rows of {games[-1] + 1} games")
END
/usr/bin/python3 "$source/docs/plot_shards.py" $shard >score.svg
grep -q '<path' score.svg || die "no plot"
rm -rf store
