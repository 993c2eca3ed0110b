# What a bad disk spoils is made again, and nothing else: of the records the games that a byte was
# changed in, of the shards those that are missing or damaged.
. "$(dirname "$0")/lib.sh"
job=$1

line=$(mpi 2 "$job" "$scratch/run" classic 60 50 2>/dev/null) || fail "sixty games"
cp -r "$scratch/run" "$scratch/whole"
records=$scratch/run/games/classic-g0.records

# spoil FILE BYTE: writes an 'x' there, or a 'y' if there is one.
spoil() {
    local byte=x
    [ "$(dd if="$1" bs=1 skip="$2" count=1 2>/dev/null)" = x ] && byte=y
    printf $byte | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

size=$(stat -c %s "$records")
spoil "$records" $((size / 3))
spoil "$records" $((size / 2))
head -c 2000 "$scratch/whole/shards/classic-g0-0000.h5" >"$scratch/run/shards/classic-g0-0000.h5"
rm "$scratch/run/shards/classic-g0-0001.h5"
line=$(mpi 2 "$job" "$scratch/run" classic 60 50 2>"$scratch/err") || fail "$(cat "$scratch/err")"
echo "$line"
grep -q 'classic-g0: 1 shards that were there have been made again' "$scratch/err" || fail "it does not say so"
[ "$(value found "$line")" = 58 ] && [ "$(value played "$line")" = 2 ] || fail "not two games"
cmp "$records" "$scratch/whole/games/classic-g0.records" || fail "other records"
for shard in "$scratch"/whole/shards/*.h5; do
    cmp "$shard" "$scratch/run/shards/${shard##*/}" || fail "another shard"
done
