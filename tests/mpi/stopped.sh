# A signal stops the job cleanly and in time; the next start finds every game that was finished.
. "$(dirname "$0")/lib.sh"
job=$1
games=20000 # never all played
# mpirun kills ranks that have not ended a second after its signal; a busy machine needs longer.
export OMPI_MCA_odls_base_sigkill_timeout=5
kept=0

# stop SIGNAL WHOM: starts the job and, once it plays, sends the signal to mpirun or to a rank.
stop() {
    touch "$scratch/before"
    "$MPIRUN" -n 2 "$job" "$scratch/run" classic $games 200 >"$scratch/out" 2>"$scratch/err" &
    local mpirun=$! processes line
    until find "$scratch/run/journal" -newer "$scratch/before" -name '*.journal' 2>/dev/null |
        grep -q .; do
        kill -0 $mpirun 2>/dev/null || fail "it ended before it played: $(cat "$scratch/err")"
        sleep 0.02
    done
    read -ra processes < <(ranks $mpirun; echo)
    if [ "$2" = mpirun ]; then kill -"$1" $mpirun; else kill -"$1" "${processes[1]}"; fi
    wait $mpirun
    line=$(grep "^stopped" "$scratch/out") # MPICH writes there too
    echo "$1 to $2: $line"
    [ -n "$line" ] || fail "no clean stop: $(cat "$scratch/err")"
    [ "$(value found "$line")" -eq $kept ] || fail "$kept games were finished before"
    kept=$((kept + $(value played "$line")))
    [ $kept -gt 0 ] || fail "nothing was played"
}

# The same within the first move of the first games, which would take hours; beside the others, as
# mpirun sleeps until it kills.
stop_within_a_move() {
    set -m
    "$MPIRUN" -n 2 "$job" "$scratch/slow" classic $games 1000000000000 >"$scratch/slow.out" \
        2>"$scratch/slow.err" &
    local mpirun=$! line
    until [ -e "$scratch/slow/journal" ]; do
        kill -0 $mpirun 2>/dev/null || fail "it ended before it played: $(cat "$scratch/slow.err")"
        sleep 0.02
    done
    sleep 0.5
    kill -INT $mpirun
    wait $mpirun
    line=$(grep "^stopped" "$scratch/slow.out") # MPICH writes there too
    echo "INT within a move: $line"
    [[ $line == "stopped found 0 played 0 "* ]] || fail "no clean stop: $(cat "$scratch/slow.err")"
}

set -m # so that the job does not inherit an ignored SIGINT
stop_within_a_move &
within=$!
stop INT mpirun
stop USR1 rank
stop TERM mpirun
wait $within || fail "within a move"
