#!/bin/sh
# Generations, stage by stage, are the same on any number of ranks; what cannot be done yet is told; the
# gate keeps the last weights when the new ones are weaker; earlier weights play along.
# Usage: generations.sh DRAUGHTS-TRAIN SCRATCH MPIEXEC...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
scratch=$2
shift 2

# on_two COMMAND RUN FLAGS...: on two ranks; what it says is in out and err.
on_two() {
    command=$1
    run=$2
    shift 2
    $mpi "$train" "$command" -c tiny.ini -o "$run" "$@" >out 2>err ||
        { cat err >&2; die "failed: $command $run"; }
}

# played_by RUN STAGE: the hash of the weights that a stage's games were played with.
played_by() {
    LC_ALL=C grep -a -m 1 '^weights=' "$1/games/$2.records"
}

mpi="$*"
begin "$scratch"
cat >tiny.ini <<'END'
[run]
rules = classic flying
seed = 9
generations = 3
[selfplay]
games = 80
nodes = 30
earlier = 50
[tune]
prior = 0.1
[match]
pairs = 4
nodes = 30
[gate]
pairs = 30
elo0 = -200
elo1 = -100
END

# Stage by stage: each command does what can be done in all rule sets, and says what it waits for.
$mpi "$train" tune -c tiny.ini -o stages >out 2>err && die "tuned without games"
expect 'error: stages: stage tune of flying generation 0 needs stage selfplay of generation 0' err
for generation in 0 1 2; do
    on_two selfplay stages
    expect "Classic draughts.*, generation $generation" out
    expect "kings.*, generation $generation" out
    [ $generation -eq 2 ] || expect "flying generation $((generation + 1)) needs stage gate" err
    on_two tune stages
    on_two gate stages
    expect 'new against last: Elo .* games), accepted' out
done
for rules in classic flying; do
    [ "$(played_by stages $rules-g0)" != "$(played_by stages $rules-g1)" ] || die "same weights"
    [ "$(played_by stages $rules-g1)" != "$(played_by stages $rules-g2)" ] || die "same weights"
done

# The same on one rank.
for generation in 0 1 2; do
    for stage in selfplay tune gate; do
        "$train" $stage -c tiny.ini -o alone -s run.rules=flying >out 2>err ||
            { cat err >&2; die "$stage on one rank"; }
    done
done
for name in flying-g0 flying-g1 flying-g2; do
    cmp alone/games/$name.records stages/games/$name.records || die "other games of $name"
done

# A run may begin with weights that are there already, which a gate then holds to.
begun="-s run.rules=flying -s selfplay.weights=stages/weights/RULES-0.h5 -s gate.elo0=100
    -s gate.elo1=200"
# Split into words.
# shellcheck disable=SC2086
{
    for stage in selfplay tune gate selfplay; do
        on_two $stage begun $begun
    done
    [ "$(played_by begun flying-g0)" = "$(played_by stages flying-g1)" ] || die "begun otherwise"
    [ "$(played_by begun flying-g1)" = "$(played_by stages flying-g1)" ] || die "not held to"
    "$train" selfplay -c tiny.ini $begun --games 0:80 --generation 1 --of begun -o part-b \
        >out 2>err || { cat err >&2; die "part"; }
    cmp part-b/games/flying-g1.records begun/games/flying-g1.records || die "another part"
    "$train" selfplay -c tiny.ini -s selfplay.weights=none-RULES.h5 -o nothing 2>err &&
        die "begun with nothing"
}
expect 'none-classic.h5: no such file' err

# A part of a later generation, with earlier weights, is what the run has.
"$train" selfplay -c tiny.ini --games 0:80 --generation 2 --of stages -o part >out 2>err ||
    { cat err >&2; die "part"; }
cmp part/games/flying-g2.records stages/games/flying-g2.records || die "another part"

# Weights that a gate finds weaker do not play on.
on_two selfplay gated -s run.rules=flying -s gate.elo0=100 -s gate.elo1=200
on_two tune gated -s run.rules=flying
on_two gate gated -s run.rules=flying -s gate.elo0=100 -s gate.elo1=200
expect 'rejected: the last ones stay' out
expect 'flying generation 0: the tuned weights are weaker than the last ones' err
on_two selfplay gated -s run.rules=flying -s gate.elo0=100 -s gate.elo1=200
[ "$(played_by gated flying-g0)" = "$(played_by gated flying-g1)" ] || die "rejected weights play"
"$train" status gated >out
expect 'gate      new against last: Elo .*, rejected: the last ones stay' out
"$train" selfplay -c tiny.ini -s run.rules=flying --games 0:80 --generation 1 --of gated -o part-1 \
    >out 2>err || { cat err >&2; die "part"; }
cmp part-1/games/flying-g1.records gated/games/flying-g1.records || die "another part"
status=0
"$train" --check -s gate.pairs=1 -s gate.elo0=5 -s gate.elo1=1 2>err || status=$?
[ $status -eq 2 ] || die "a gate that cannot be is taken"
expect 'error: gate: ' err
