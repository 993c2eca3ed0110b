#!/bin/sh
# Games a second of one job of two ranks, beside two jobs of one rank side by side that play the same
# games, each one half: the ratio of each round, and their median, least and most.
#
#     tests/bench/two_ranks.sh [GAMES [NODES [ROUNDS [RULES]]]]
#
# Runs what ./run build has left in build/release. Both cores must be free.
set -eu
cd "$(dirname "$0")/../.."
train=$PWD/build/release/bin/draughts-train
games=${1:-400} nodes=${2:-1000} rounds=${3:-7} rules=${4:-international}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# play NAME FIRST:END COMMAND...: the games of a part.
play() {
    name=$1 range=$2
    shift 2
    "$@" "$train" selfplay -q --games "$range" -o "$name" -s run.rules="$rules" \
        -s selfplay.games="$games" -s selfplay.nodes="$nodes" >/dev/null
}

rate() {
    sed 's/.*"rate": \([0-9.]*\).*/\1/' "$1/status.json"
}

together() {
    play both "0:$games" mpirun --bind-to none -n 2
    two=$(rate both)
}

apart() {
    play first "0:$((games / 2))" env &
    other=$!
    play second "$((games / 2)):$games" env
    wait $other
    ones="$(rate first) + $(rate second)"
}

for round in $(seq "$rounds"); do
    rm -rf both first second
    if [ $((round % 2)) = 0 ]; then together; apart; else apart; together; fi
    ratio=$(awk "BEGIN { printf \"%.4f\", $two / ($ones) }")
    echo "round $round: $two games/s on two ranks, $ones by two runs of one: $ratio" >&2
    echo "$ratio"
done | sort -n | awk -v what="$rules, $games games, $nodes nodes a move" '
    { ratio[NR] = $1 }
    END {
        middle = (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2
        printf "%s: two ranks / two runs of one, median of %d rounds %.4f (%.4f to %.4f)\n", what, NR,
            middle, ratio[1], ratio[NR]
    }'
