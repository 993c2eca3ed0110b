#!/bin/sh
# Makes positions.tsv: positions.sh PROGRAMS >positions.tsv, PROGRAMS being build/release/bin.
#
# 200 games of self-play a rule set; the k-th of 50 positions stands k fiftieths into one of them,
# so that openings, middle games and endings are there alike, no two of one game. Its best move is
# no capture and its score within three men, else the next game is asked. The depth is the first
# that costs the search of the build named 150 000 nodes, about a twentieth of a second.
set -eu
programs=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nodes=150000

"$programs/draughts-train" selfplay -q -o "$scratch/run" -s run.seed=50 -s selfplay.games=200 \
    -s selfplay.nodes=1000 >&2
"$programs/draughts-train" export "$scratch/run" --csv "$scratch/all.csv" >&2

# rules fen, game by game: those that may be chosen, and how far into their game they stand.
candidates() {
    awk -F '"' -v rules="$1" '
        BEGIN { game = -1 }
        { split($1, head, ","); split($3, tail, ",") }
        head[1] != rules { next }
        head[3] != game { give(); game = head[3]; count = 0 }
        { fen[count] = $2; good[count++] = tail[2] >= -300 && tail[2] <= 300 && tail[3] !~ /x/ }
        END { give() }
        function give(    i) {
            for (i = 0; i < count; i++)
                if (good[i])
                    print game, int(50 * i / count), fen[i]
        }' "$scratch/all.csv"
}

# The depth for a position, nothing when the search ends before it costs enough.
depth_of() {
    "$programs/draughts" search -r "$1" -p "$2" --nodes $((8 * nodes)) |
        awk -v least=$nodes '/^info/ && $9 >= least { print $3; exit }'
}

echo "# Positions for time to depth; positions.sh says how they were made."
printf '#rules\tdepth\tfen\n'
for rules in international classic flying; do
    wanted=0
    used=-1
    candidates $rules | while read -r game share fen; do
        [ "$game" != "$used" ] && [ "$share" -eq "$wanted" ] && [ "$wanted" -lt 50 ] || continue
        depth=$(depth_of $rules "$fen")
        [ -n "$depth" ] || continue
        printf '%s\t%s\t%s\n' $rules "$depth" "$fen"
        used=$game
        wanted=$((wanted + 1))
    done
done
