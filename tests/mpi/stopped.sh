# A signal stops the job cleanly and in time; the next start goes on to the same games.
. "$(dirname "$0")/lib.sh"
job=$1 games=300 nodes=200

line=$(mpi 2 "$job" "$scratch/whole" classic $games $nodes 2>/dev/null) || fail "uninterrupted"
expected=$(value hash "$line")

# stop SIGNAL WHOM: starts the job and sends the signal to mpirun or to one of the ranks.
stop() {
    "$MPIRUN" -n 2 "$job" "$scratch/stopped" classic $games $nodes >"$scratch/out" 2>"$scratch/err" &
    local mpirun=$! ranks
    sleep 0.7
    read -ra ranks < <(children $mpirun)
    if [ "$2" = mpirun ]; then kill -"$1" $mpirun; else kill -"$1" "${ranks[1]}"; fi
    wait $mpirun
    local status=$?
    echo "$1 to $2: $(cat "$scratch/out") (status $status)"
    grep -q "^stopped found" "$scratch/out" || fail "no clean stop: $(cat "$scratch/err")"
}

set -m # so that the job does not inherit an ignored SIGINT
stop INT mpirun
stop USR1 rank
stop TERM mpirun
line=$(mpi 2 "$job" "$scratch/stopped" classic $games $nodes 2>/dev/null) || fail "last start"
echo "in the end: $line"
[ "$(value hash "$line")" = "$expected" ] || fail "other games after the stops"
