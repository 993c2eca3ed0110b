#!/bin/sh
# Bad input to draughts-train: one line that says what is wrong, and the right exit status.
# Usage: draughts_train.sh DRAUGHTS-TRAIN SCRATCH DRAUGHTS DATA
set -eu
train=$1
scratch=$2
draughts=$3
data=$4

die() {
    echo "draughts_train.sh: $*" >&2
    exit 1
}

# fails STATUS PATTERN COMMAND...: the command ends with the status and one line that matches.
fails() {
    wanted=$1
    pattern=$2
    shift 2
    status=0
    "$@" >out 2>err || status=$?
    [ $status -eq "$wanted" ] || { cat err >&2; die "exit status $status, not $wanted: $*"; }
    grep -v '^[a-z-]* [a-z]*[ -].*\(/s\|before\)' err >lines || :
    [ "$(grep -c 'error: ' lines)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
    grep 'error: ' lines | grep -q -- "$pattern" || { cat err >&2; die "no '$pattern': $*"; }
}

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
tiny="-s run.rules=flying -s selfplay.games=40 -s selfplay.nodes=20 -s match.pairs=2
      -s match.nodes=20 -s calibrate.pairs=1"

# The command line and the settings.
fails 2 'known are: run, selfplay' "$train"
fails 2 "unknown command 'rnu'" "$train" rnu
fails 2 'run directory' "$train" run
fails 2 'run directory' "$train" run -o ''
fails 2 'run.rules' "$train" --check -s run.rules=checkers
fails 2 'run.rules' "$train" run --check -s run.rules=checkers
if [ -w /dev/full ]; then
    fails 1 'standard output' sh -c "exec $train run --help >/dev/full"
    fails 1 'standard output' sh -c "exec $train status --help >/dev/full"
fi
fails 1 'standard output' sh -c "exec $train run --help >&-"
fails 2 "did you mean 'selfplay.games'" "$train" run -o r -s selfplay.game=5
fails 2 'selfplay.games.*1' "$train" run -o r -s selfplay.games=0
fails 2 'run.rules' "$train" run -o r -s run.rules=checkers
fails 2 'named twice' "$train" run -o r -s 'run.rules=classic classic'
fails 2 'calibrate.nodes_4' "$train" run -o r -s calibrate.nodes_4=1
fails 2 'nowhere.ini' "$train" run -o r -c nowhere.ini
fails 2 'Slurm has started 3 tasks .* MPI has made a job of 1' \
    env SLURM_NTASKS=3 "$train" run -o r
printf '[selfplay]\ngames = many\n' >bad.ini
fails 2 'bad.ini:2' "$train" run -o r -c bad.ini
[ ! -e r ] || die "a refused command made a directory"
fails 1 'r-file' sh -c "echo >r-file; exec $train run -o r-file"

# Directories that are no run.
for command in status report 'export --csv x'; do
    # Split into words.
    # shellcheck disable=SC2086
    fails 2 'nowhere' "$train" $command nowhere
done
fails 2 'nothing to export' "$train" export nowhere
fails 2 'nowhere' "$train" publish nowhere target
[ ! -e target ] || die "publishing nothing made a directory"
fails 2 'missing operand' "$train" status

# Levels for given weights need no run of their own.
fails 2 'no-such-flying.h5: no such file' "$train" calibrate -o levels $tiny \
    -s calibrate.weights=no-such-RULES.h5
"$train" calibrate -o levels $tiny -s calibrate.weights="$data/RULES.h5" -s calibrate.pairs=20 \
    >out 2>err || { cat err >&2; die "levels for given weights"; }
cmp -s levels/flying.h5 "$data/flying.h5" && die "no new levels"
[ "$("$draughts" eval -r flying -w levels/flying.h5)" = "$("$draughts" eval -r flying)" ] ||
    die "other weights"

# Stages in the wrong order; a run begun with other settings; two programs at once.
# shellcheck disable=SC2086
{
    fails 2 'needs stage selfplay' "$train" tune -o r $tiny
    "$train" selfplay -o r $tiny >out 2>err || { cat err >&2; die "selfplay"; }
    fails 2 'selfplay.nodes was 20, now 30' "$train" run -o r $tiny -s selfplay.nodes=30
    fails 2 'no RULES.h5 file' "$train" publish r target
    (i=0 && while sleep 0.1; do echo "elsewhere.example 1 - $((i += 1))" >r/lock; done) &
    holder=$!
    until [ -e r/lock ]; do sleep 0.1; done
    fails 1 'another program works on this run.*elsewhere.example 1' "$train" run -o r $tiny
    kill $holder
    wait $holder || :
    rm r/lock

    # A directory that vanishes under a program.
    "$train" selfplay -o gone $tiny -s selfplay.games=1000000 >out 2>err &
    process=$!
    until find gone/journal -size +0 2>/dev/null | grep -q journal; do
        kill -0 $process 2>/dev/null || die "ended before its directory vanished"
    done
    mv gone went
    status=0
    wait $process || status=$?
    [ $status -eq 1 ] || die "exit status $status without its directory"
    grep -q 'error: .*gone/lock: gone' err || { cat err >&2; die "the lost directory is not named"; }

    # Damaged and foreign files.
    cp r/shards/flying-g0-0000.h5 kept.h5
    head -c 2000 kept.h5 >r/shards/flying-g0-0000.h5
    "$train" tune -o r $tiny >out 2>err || { cat err >&2; die "tune"; }
    grep -q 'shards/flying-g0-0000.h5: cannot be read' err || die "the damaged shard is not named"
    cmp kept.h5 r/shards/flying-g0-0000.h5 || die "the damaged shard was not made again"
    "$train" export r --pdn all.pdn >out 2>err || { cat err >&2; die "export"; }
    cp r/games/flying-g0.records kept.records
    head -c 3000 kept.records >r/games/flying-g0.records
    fails 2 'flying-g0.records: damaged: only' "$train" export r --pdn some.pdn
    [ ! -e some.pdn ] || die "a part of the games was exported"
    cp kept.records r/games/flying-g0.records
    cp r/weights/flying-0.h5 weights.h5
    head -c 1000 weights.h5 >r/weights/flying-0.h5
    fails 2 'weights/flying-0.h5' "$train" match -o r $tiny
    rm -f r/weights/flying-0.h5
    fails 2 'weights/flying-0.h5' "$train" match -o r $tiny
    "$train" selfplay -o c $tiny -s run.rules=classic >out 2>err
    "$train" tune -o c $tiny -s run.rules=classic >out 2>err || { cat err >&2; die "tune classic"; }
    cp c/weights/classic-0.h5 r/weights/flying-0.h5
    fails 2 'flying-0.h5.*classic' "$train" match -o r $tiny
    head -c 3000 r/config.ini >r/run.db
    fails 2 'r/run.db' "$train" run -o r $tiny

}

# A disk that is full, as good as: from some moment on no file may grow over 8 kB.
cat >full.sh <<'END'
trap '' XFSZ
"$@" &
until find full/journal -size +4 2>/dev/null | grep -q journal; do
    kill -0 $! 2>/dev/null || exit 9
done
prlimit --pid $! --fsize=8192
wait $!
END
# shellcheck disable=SC2086
fails 1 'full/journal.*File too large' sh full.sh "$train" selfplay -o full $tiny \
    -s selfplay.games=30000
