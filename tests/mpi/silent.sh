# A rank that is stuck, or dead where mpirun lets the others live, loses its games to the others; the
# job ends when all are played and says so, and the next start has nothing left to play. Where the
# others have nothing to do without it the job ends, too.
. "$(dirname "$0")/lib.sh"
job=$1 stuck=$2

line=$(mpi 1 "$job" "$scratch/whole" classic 200 500 2>/dev/null) || fail "200 games"
expected=$(value hash "$line")

# lose NAME SIGNAL WHICH MPIRUN-FLAGS...: sends the signal to that rank of three once it plays.
lose() {
    local run=$scratch/$1 signal=$2 which=$3 mpirun status processes line
    shift 3
    "$MPIRUN" "$@" -n 3 "$job" "$run" classic 200 500 2 >"$scratch/out" 2>"$scratch/err" &
    mpirun=$!
    until [ -n "$(ls "$run/journal" 2>/dev/null)" ]; do # then each rank has games to play
        kill -0 $mpirun 2>/dev/null || fail "it ended before it played: $(cat "$scratch/err")"
        sleep 0.02
    done
    read -ra processes < <(ranks $mpirun; echo)
    kill -"$signal" "${processes[which]}"
    wait $mpirun
    status=$?
    kill -9 "${processes[@]}" 2>/dev/null
    # Open MPI gives 0 for all when it goes on without a rank.
    [ $status -ne 0 ] || [ $# -gt 0 ] || fail "rank $which lost: exit status 0"
    grep 'error: .*fallen silent' "$scratch/err" || fail "nobody says so: $(cat "$scratch/err")"
    line=$(mpi 2 "$job" "$run" classic 200 500 2>/dev/null) || fail "next start"
    echo "$signal to rank $which: $line"
    [ "$(value hash "$line")" = "$expected" ] || fail "other games"
    [ "$which" = 0 ] || [ "$(value played "$line")" = 0 ] || fail "the others did not go on"
}

lose stuck STOP 2
if "$MPIRUN" --version | grep -q Open; then
    lose dead KILL 1 --enable-recovery
    lose first KILL 0 --enable-recovery
fi

mpi 3 "$stuck" >"$scratch/out" 2>"$scratch/err" && fail "a stuck rank is waited for: exit status 0"
grep 'error: .*waited 1 s for the others' "$scratch/err" || fail "$(cat "$scratch/err")"
