#!/bin/sh
# What goes wrong with a run's directory and with the clock: one line says so, `status` tells it
# afterwards, and the next start goes on to the same games.
# Usage: faults.sh DRAUGHTS-TRAIN JUMPING-CLOCK SCRATCH MPIEXEC...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
clock=$2
scratch=$3
shift 3
mounted=

clean() {
    [ -z "$mounted" ] || umount "$mounted" 2>/dev/null || :
}
trap clean EXIT

# start RUN COMMAND...: starts it in the background until the first game is there.
start() {
    run=$1
    shift
    "$@" >out 2>err &
    process=$!
    until [ -s "$run/journal/classic-g0.journal" ]; do
        kill -0 $process 2>/dev/null || { cat err >&2; die "ended before it played"; }
        sleep 0.05
    done
}

begin "$scratch"
cat >tiny.ini <<'END'
[run]
rules = classic
seed = 5
[selfplay]
games = 200
nodes = 400
shard_rows = 5000
END
many="-s selfplay.games=20000"
"$train" selfplay -q -c tiny.ini -o whole >whole.out || die "the games as they should be"

# same RUN: its records and shards are those.
same() {
    cmp whole/games/classic-g0.records "$1/games/classic-g0.records" || die "other games: $1"
    for shard in whole/shards/*; do
        cmp "$shard" "$1/shards/${shard##*/}" || die "another shard: $1"
    done
}

# A directory that vanishes in the middle, and comes back.
start moved "$@" "$train" selfplay -c tiny.ini -o moved $many
mv moved elsewhere
status=0
wait $process || status=$?
failed $status 1 'moved'
mv elsewhere moved
for moment in 1 2 3 4 5 6 7 8 9 10; do # until the system has forgotten the process
    "$train" status moved >status.out
    grep -q 'moved: running' status.out || break
    sleep 0.2
done
grep -q 'moved: killed in stage selfplay of classic' status.out || die "status: $(cat status.out)"
sed -i 's/^games = .*/games = 200/' moved/config.ini
"$train" selfplay -c tiny.ini -o moved >out 2>err || { cat err >&2; die "moved back"; }
grep -q 'games are there' err || die "its games were not found"

# One that is gone for good.
start gone "$@" "$train" selfplay -c tiny.ini -o gone $many
rm -rf gone
status=0
wait $process || status=$?
failed $status 1 'gone'

# The calendar jumps ahead and back: nobody takes a living run for dead, and the games are the same.
if ! ldd "$train" | grep -q 'lib[at]san'; then
    start jumps "$@" env LD_PRELOAD="$clock" "$train" selfplay -c tiny.ini -o jumps $many
    status=0
    LD_PRELOAD=$clock "$train" selfplay -c tiny.ini -o jumps $many >out 2>err.second || status=$?
    [ $status -eq 1 ] && grep -q 'another program works on this run' err.second ||
        die "a second start: $status, $(cat err.second)"
    # From another host, where the name can be changed, it waits for a sign of life and sees one.
    if unshare --uts true 2>/dev/null; then
        status=0
        # shellcheck disable=SC2016
        unshare --uts sh -c 'hostname elsewhere && LD_PRELOAD=$0 exec "$@"' "$clock" \
            "$train" selfplay -c tiny.ini -o jumps $many >out 2>err.second || status=$?
        [ $status -eq 1 ] && grep -q 'watched for' err.second &&
            grep -q 'another program works on this run' err.second ||
            die "a start on another host: $status, $(cat err.second)"
    fi
    kill -0 $process || die "the first has ended: $(cat err)"
    kill -INT $process
    wait $process || :
    sed -i 's/^games = .*/games = 200/' jumps/config.ini
    LD_PRELOAD=$clock "$train" selfplay -q -c tiny.ini -o clock >out 2>err ||
        { cat err >&2; die "with a jumping clock"; }
    same clock
fi

# A disk that is full, then read-only, where the system lets us have one.
mkdir small
if mount -t tmpfs -o size=320k none small 2>/dev/null; then
    mounted=$scratch/small
    status=0
    "$@" "$train" selfplay -c tiny.ini -o small $many >out 2>err || status=$?
    failed $status 1 'No space left on device'
    "$train" status small >status.out || die "status on a full disk"
    grep -q 'small: failed in stage selfplay of classic' status.out || die "$(cat status.out)"
    grep -q '^  .*No space left on device' status.out || die "no reason: $(cat status.out)"
    mount -o remount,ro small
    status=0
    "$train" selfplay -c tiny.ini -o small $many >out 2>err || status=$?
    failed $status 1 'Read-only file system'
    status=0
    "$train" selfplay -c tiny.ini -o small/new >out 2>err || status=$?
    failed $status 1 'Read-only file system'
    "$train" status small >status.out || die "status on a read-only disk"
    mount -o remount,rw,size=64m small
    sed -i 's/^games = .*/games = 200/' small/config.ini
    "$train" selfplay -c tiny.ini -o small >out 2>err || { cat err >&2; die "with room again"; }
    grep -q 'games are there' err || die "finished games were lost"
fi
