#!/bin/sh
# Stored positions searched again: the same records on one rank, on two, and after a kill; other
# scores with the same moves and results; later stages go on from them, and a fit over several
# generations takes each game once. Usage: rescore.sh DRAUGHTS-TRAIN SCRATCH MPIEXEC...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
scratch=$2
shift 2
mpi="$*"

# refused TEXT FLAGS...: exit status 2 and one line that has the text.
refused() {
    text=$1
    shift
    fails 2 "$text" "$train" rescore "$@"
    [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: rescore $*"; }
}

begin "$scratch"
cat >tiny.ini <<'END'
[run]
rules = classic
seed = 5
generations = 2
[selfplay]
games = 60
nodes = 30
[tune]
score_share = 0.5
window = 2
END

quietly "$train" selfplay -c tiny.ini -o one
refused 'stage tune of generation 0 is not finished' one
refused 'none/config.ini: no such file' none
refused 'rescore.nodes, rescore.depth: both are 0' -s rescore.nodes=0 one
quietly "$train" tune -c tiny.ini -o one
expect 'classic generation 1 needs stage selfplay of generation 1' err
cp -r one two
cp -r one cut
cp -r one own

# RUN's own settings, without -c; on two ranks; killed on the way.
quietly "$train" rescore one -s rescore.nodes=300
expect '60 games searched again' out
quietly $mpi "$train" rescore -s rescore.nodes=300 two
"$train" rescore -s rescore.nodes=300 cut >out 2>err &
job=$!
while kill -0 $job 2>/dev/null && ! [ -s cut/journal/classic-g1.journal ]; do
    sleep 0.02
done
kill -9 $job 2>/dev/null || :
wait $job 2>/dev/null || :
refused 'nodes' -s rescore.nodes=301 cut
quietly "$train" rescore -s rescore.nodes=300 cut
for run in two cut; do
    cmp one/games/classic-g1.records $run/games/classic-g1.records || die "other records in $run"
done

# Same moves and results, other scores; held out are the same games.
"$train" export one --csv one.csv >out || die "export"
for generation in 0 1; do
    sed -n "s/^classic,$generation,//p" one.csv >scores-$generation
    sed 's/",-\{0,1\}[0-9]*,/",/' scores-$generation >moves-$generation
done
[ -s moves-0 ] || die "no positions exported"
cmp moves-0 moves-1 || die "other moves or results"
cmp -s scores-0 scores-1 && die "the same scores"

# A fit to both generations sees each game once.
quietly "$train" tune -c tiny.ini -o one -v
expect "rank 0: $(wc -l <moves-0) rows" err

refused 'stage tune of generation 0 is not finished\|leaves no room for generation 2' one
quietly "$train" selfplay -c tiny.ini -o own
quietly "$train" tune -c tiny.ini -o own
refused 'run.generations: 2 leaves no room for generation 2 of classic' own
