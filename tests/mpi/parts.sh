#!/bin/sh
# The tasks of a job array play parts of the games; put together they are the run that one job would
# have made, byte for byte. What does not fit together is refused and named.
# Usage: parts.sh DRAUGHTS-TRAIN SCRATCH MPIEXEC...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
scratch=$2
shift 2

# same A B: records and shards of the two runs are the same bytes.
same() {
    for rules in classic flying; do
        cmp "$1/games/$rules-g0.records" "$2/games/$rules-g0.records" || die "other records: $2"
    done
    [ "$(ls "$1/shards")" = "$(ls "$2/shards")" ] || die "other shards: $2"
    for shard in "$1"/shards/*; do
        cmp "$shard" "$2/shards/${shard##*/}" || die "another shard: $2"
    done
}

begin "$scratch"
cat >tiny.ini <<'END'
[run]
rules = classic flying
seed = 5
generations = 2
[selfplay]
games = 60
nodes = 30
END

"$@" "$train" selfplay -c tiny.ini -s run.generations=1 -o whole >whole.out 2>err ||
    { cat err >&2; die "one run"; }
expect='^draughts_train_rank_games_total{rules="flying",generation="0",stage="selfplay",rank="1"} [1-9]'
grep -q "$expect" whole/metrics.prom || { cat whole/metrics.prom; die "no games of rank 1"; }
"$train" status whole | grep -q '2 ranks: [0-9]* to [0-9]* games each, busy' || die "no balance"
quietly "$train" selfplay -c tiny.ini --games 0:20 -o a
quietly "$@" "$train" selfplay -c tiny.ini --games 15:35 -o b
quietly "$train" selfplay -c tiny.ini --games 40:60 -o c
[ -z "$(ls a/shards)" ] || die "a part has shards"

# The gap is named for each rule set, and so is what stands in two parts.
fails 1 'merged: 5 games of classic generation 0 are missing: 35:40; 5 games of flying' \
    "$train" merge merged a b c
grep -q 'b: 5 games of flying-g0 were there already: 15:20$' err || die "the overlap is not named"
quietly "$train" selfplay -c tiny.ini --games 35:40 -o d
quietly "$train" merge merged d
same whole merged
sed 's/ *\[.*//' whole.out >whole.figures
sed 's/ *\[.*//' out | diff whole.figures - || die "other figures"
quietly "$train" merge at-once d c b a
same whole at-once

# A run goes on with the games that its parts lack; it is a run like any other afterwards.
fails 1 'missing: 20:40;' "$train" merge mixed a c
quietly "$@" "$train" selfplay -c tiny.ini -s run.generations=1 -o mixed
grep -q 'classic-g0: 60 games (40 found done)' err || die "its parts' games were not found"
same whole mixed

# A later generation is played with the run's weights.
quietly "$@" "$train" tune -c tiny.ini -s run.generations=1 -o merged
fails 2 'of RUN is needed' "$train" selfplay -c tiny.ini --games 0:60 --generation 1 -o e
quietly "$train" selfplay -c tiny.ini --games 0:60 --generation 1 --of merged -o f
quietly "$train" merge merged f
grep -q 'Classic draughts.*, generation 1' out || { cat out; die "generation 1 is not told"; }

# What does not fit.
quietly "$train" selfplay -c tiny.ini -s selfplay.nodes=40 --games 20:40 -o other
fails 2 'other: .*selfplay.nodes was 40, now 30' "$train" merge refused a other
fails 2 'a: .*selfplay.nodes was 30, now 40' "$train" merge refused other a
[ ! -e refused ] || die "a refused merge made a directory"
fails 2 'part.first was 0, now 1; part.end was 20, now 2' \
    "$train" selfplay -c tiny.ini --games 1:2 -o a
fails 2 'merged: .*run.seed was 5, now 6' \
    "$train" selfplay -c tiny.ini -s run.seed=6 --games 0:1 --of merged -o g
fails 2 'whole: no part' "$train" merge merged whole
fails 2 'config.ini' "$train" merge merged nowhere
fails 2 "right is A:B" "$train" selfplay -c tiny.ini --games 10 -o g
fails 2 'B.*60' "$train" selfplay -c tiny.ini --games 10:61 -o g
fails 2 'goes with --games' "$train" selfplay -c tiny.ini --generation 1 -o g
fails 2 'missing operand' "$train" merge merged
echo "elsewhere.example 1" >a/lock
fails 1 'a: this part is being played' "$train" merge refused a
