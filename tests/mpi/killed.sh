# kill -9 of a rank, of mpirun, of both, at various moments, and in the end the same records.
. "$(dirname "$0")/lib.sh"
job=$1 games=${2:-1000} nodes=${3:-100} kills=${4:-4}

line=$(mpi 2 "$job" "$scratch/whole" flying $games $nodes 2>/dev/null) || fail "uninterrupted"
expected=$(value hash "$line")
echo "uninterrupted: $line"

RANDOM=1 # the moments
last=0
for ((i = 0; i < kills; i++)); do
    ranks=$((2 + i % 3))
    "$MPIRUN" -n $ranks "$job" "$scratch/killed" flying $games $nodes >"$scratch/out" 2>&1 &
    mpirun=$!
    until compgen -G "$scratch/killed/journal/*" >/dev/null || ! kill -0 $mpirun 2>/dev/null; do
        sleep 0.02
    done
    sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
    read -ra victims < <(ranks $mpirun; echo)
    [ ${#victims[@]} -gt 0 ] || victims=($mpirun) # it has ended by itself
    case $((i % 3)) in
    0) kill -9 "${victims[0]}" 2>/dev/null ;;
    1) kill -9 $mpirun 2>/dev/null ;;
    2) kill -9 $mpirun "${victims[@]}" 2>/dev/null ;;
    esac
    wait $mpirun 2>/dev/null
    grep -q "cannot\|damaged\|different" "$scratch/out" && fail "$(cat "$scratch/out")"
    line=$(mpi 1 "$job" "$scratch/killed" flying 0 $nodes 2>"$scratch/err") ||
        fail "after kill $i: $(cat "$scratch/err")"
    found=$(value games "$line")
    echo "kill $i ($ranks ranks): $found of $games games on the disk"
    [ "$found" -ge "$last" ] || fail "games were lost: $last, then $found"
    last=$found
done
line=$(mpi 2 "$job" "$scratch/killed" flying $games $nodes 2>/dev/null) || fail "last start"
echo "in the end: $line"
[ "$(value hash "$line")" = "$expected" ] || fail "other games after the kills"
cmp "$scratch/whole/games/flying-g0.records" "$scratch/killed/games/flying-g0.records" ||
    fail "other records after the kills"
for shard in "$scratch"/whole/shards/*.h5; do
    cmp "$shard" "$scratch/killed/shards/${shard##*/}" || fail "another shard after the kills"
done
