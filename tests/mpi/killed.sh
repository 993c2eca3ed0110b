# kill -9 of a rank, of mpirun, of everything, at random moments: after each no file is unreadable,
# what there is of records and shards is what an uninterrupted run has; in the end all of it is the
# same, byte for byte, and no game was finished twice. Prints what the kills cost.
# Usage: killed.sh SELFPLAY_JOB [GAMES NODES KILLS MOMENT], the last in hundredths of a second.
. "$(dirname "$0")/lib.sh"
job=$1 games=${2:-6000} nodes=${3:-100} kills=${4:-4} moment=${5:-60}

now() {
    date +%s.%N
}
# reckon EXPRESSION: its value, with two digits.
reckon() {
    awk "BEGIN { printf \"%.2f\", $1 }"
}

began=$(now)
line=$(mpi 2 "$job" "$scratch/whole" flying $games $nodes 2>"$scratch/err") || fail "uninterrupted"
whole=$(reckon "$(now) - $began")
expected=$(value hash "$line")
echo "uninterrupted: $line in $whole s"

# What the start found: games on the disk, and how many of them had been finished twice.
found=0 twice=0
look() {
    grep -q "cannot\|damaged\|different" "$scratch/err" && fail "$(cat "$scratch/err")"
    local told before=$found
    told=$(grep -o '[0-9]* of [0-9]* games are there, [0-9]* found twice' "$scratch/err") || return
    found=${told%% *} told=${told##*, }
    twice=$((twice + ${told%% *}))
    [ "$found" -ge "$before" ] || fail "games were lost: $before, then $found"
}

# A shard that has its name is whole; the records grow at their end.
check_files() {
    local shard records=games/flying-g0.records
    for shard in "$scratch"/killed/shards/*.h5; do
        [ ! -e "$shard" ] || cmp "$shard" "$scratch/whole/shards/${shard##*/}" ||
            fail "an unreadable shard after kill $i"
    done
    [ ! -e "$scratch/killed/$records" ] ||
        cmp -n "$(stat -c %s "$scratch/killed/$records")" "$scratch/killed/$records" \
            "$scratch/whole/$records" || fail "other records after kill $i"
    [ "$(find "$scratch/killed/journal" -name '*.journal' | wc -l)" -le 1 ] || fail "many journals"
}

RANDOM=1
spent=0
for ((i = 0; i < kills; i++)); do
    ranks=$((2 + i % 3))
    touch "$scratch/before"
    began=$(now)
    "$MPIRUN" -n $ranks "$job" "$scratch/killed" flying $games $nodes \
        >"$scratch/out" 2>"$scratch/err" &
    mpirun=$!
    until [ -n "$(find "$scratch/killed/journal" -newer "$scratch/before" -name '*.journal' \
        2>/dev/null)" ] || ! kill -0 $mpirun 2>/dev/null; do
        sleep 0.02
    done
    sleep "$(reckon "$((RANDOM % moment)) / 100")"
    read -ra victims < <(ranks $mpirun; echo)
    if [ ${#victims[@]} -eq 0 ]; then # a quick machine: ranks play on a while without their mpirun
        [ "$i" -ge 2 ] || fail "all games were played after $i kills"
        wait $mpirun 2>/dev/null
        kills=$i
        break
    fi
    case $((RANDOM % 3)) in
    0) what="a rank" && kill -9 "${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null ;;
    1) what="mpirun" && kill -9 $mpirun 2>/dev/null ;;
    2) what="everything" && kill -9 $mpirun "${victims[@]}" 2>/dev/null ;;
    esac
    wait $mpirun 2>/dev/null
    for pid in "${victims[@]}"; do # ranks end when they notice that mpirun is gone
        while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
    done
    spent=$(reckon "$spent + $(now) - $began")
    look
    check_files
    echo "kill $i of $what, $ranks ranks: begun with $found of $games games"
done
began=$(now)
line=$(mpi 2 "$job" "$scratch/killed" flying $games $nodes 2>"$scratch/err") || fail "last start"
spent=$(reckon "$spent + $(now) - $began")
look
echo "in the end: $line"
echo "$kills kills: $twice games finished twice, $(reckon "($spent - $whole) / $kills") s lost a kill"
[ "$(value hash "$line")" = "$expected" ] || fail "other games after the kills"
cmp "$scratch/whole/games/flying-g0.records" "$scratch/killed/games/flying-g0.records" ||
    fail "other records after the kills"
for shard in "$scratch"/whole/shards/*.h5; do
    cmp "$shard" "$scratch/killed/shards/${shard##*/}" || fail "another shard after the kills"
done
[ "$(ls "$scratch/whole/shards")" = "$(ls "$scratch/killed/shards")" ] || fail "shards left over"
[ "$twice" = 0 ] || fail "games were played twice"
