#!/bin/sh
# Program draughts with good and bad input: stdout, stderr and exit status.
# Usage: draughts.sh PROGRAM
draughts=$1
. "$(dirname "$0")/check.sh"

woldouby='W:W25,27,28,30,32,33,34,35,37,38:B12,13,14,16,18,19,21,23,24,26'

# The program itself.
run 0 "$draughts" --version
out_has '^Draughtsmith [0-9]+\.[0-9]+\.[0-9]+ '
err ''
run 0 "$draughts" --help
for name in moves perft search eval bench play hub pdn; do
    out_has "^  $name "
done
run 0 "$draughts" moves --help
out_has '^Usage: draughts moves'
run 0 "$draughts" --dump-config
out_has '^dir *='
run 0 "$draughts" moves --check
fails 2 'command' "$draughts"
fails 2 "did you mean 'search'" "$draughts" serch
fails 2 'unknown command' "$draughts" xyzzy
fails 2 "did you mean '--depth'" "$draughts" search -r classic --dept 5
fails 2 'weights.dir' "$draughts" moves -r classic -s weights.dri=x
fails 2 'no such file' "$draughts" moves -r classic -c /nowhere/draughts.ini

# moves
run 0 "$draughts" moves -r classic
out '9-13
9-14
10-14
10-15
11-15
11-16
12-16'
err ''
run 0 "$draughts" moves -r international -p 'W:W12,16,K17,31,K41:BK8,10,13,28,35,K39,K50'
out_has '^17x44x28x39$'
run 0 "$draughts" moves -r flying -p 'W:W:B5'
out ''
run 0 "$draughts" moves -r international -m '32-28 19-23'
out '28x19x23'
fails 2 '-m: move 1' "$draughts" moves -r classic -m '9-15'
fails 2 'international.*classic.*flying' "$draughts" moves
fails 2 'checkers' "$draughts" moves -r checkers
fails 2 '-p' "$draughts" moves -r classic -p 'W:W33:B1'
fails 2 '-p' "$draughts" moves -r classic -p ''
fails 2 'unexpected' "$draughts" moves -r classic extra
fails 2 'needs an argument' "$draughts" moves -r

# perft
perft()
{
    counts=$1
    shift
    run 0 "$draughts" perft "$@"
    awk 'NF != 4 || $1 != NR || $3 !~ /^[0-9]+\.[0-9]+$/ || $4 !~ /^[0-9]+$/' \
        "$scratch/out" >"$scratch/odd"
    [ -s "$scratch/odd" ] && complain "not 'depth nodes seconds nodes/s': $(cat "$scratch/odd")"
    [ "$(awk '{ printf "%s ", $2 }' "$scratch/out")" = "$counts " ] ||
        complain "counts $(awk '{ printf "%s ", $2 }' "$scratch/out"), not $counts"
    err ''
}
perft '9 81 658 4265 27117 167140' -r international 6
perft '7 49 302 1469 7361 36768 179740' -r classic 7
perft '7 49 302 1469 7361 36768 179740' -r flying 7
perft '6 12 30 73 215 590 1944 6269 22369' -r international -p "$woldouby" 9
perft '1 2 18' -r international -m '32-28 19-23' 3
run 0 "$draughts" perft -r classic --help
out_has 'up to DEPTH: depth, leaves, seconds, leaves/s\.$'
run 0 "$draughts" perft -r classic --divide 3
[ "$(awk 'NF == 2 { moves++; leaves += $2 } END { print moves, leaves }' "$scratch/out")" \
    = '7 302' ] || complain 'the divided leaves are not 7 moves with 302'
fails 2 'DEPTH' "$draughts" perft -r classic
fails 2 'DEPTH' "$draughts" perft -r classic 0
fails 2 'DEPTH' "$draughts" perft -r classic 3x

# search
run 0 "$draughts" search -r classic --depth 4
out_has '^info depth 4 seldepth [0-9]+ score -?[0-9]+ nodes [0-9]+ nodes/s [0-9]+ time [0-9.]+ pv '
[ "$(grep -vc '^info depth ' "$scratch/out")" -eq 1 ] || complain 'stray lines'
tail -n 1 "$scratch/out" | grep -Eq '^bestmove [0-9]+-[0-9]+$' || complain 'bestmove is not last'
run 0 "$draughts" search -r international --depth 3 -m '32-28 19-23'
out_has '^bestmove 28x19x23$'
run 0 "$draughts" search -r international --nodes 1000
run 0 "$draughts" search -r flying --time 0.05 --threads 1
run 0 "$draughts" search -r flying -p 'W:W:B5'
out_has '^bestmove -$'
fails 2 '-m: move 2' "$draughts" search -r international -m '32-28 19-24x'
fails 2 'only one of' "$draughts" search -r classic --depth 4 --nodes 100
fails 2 '--depth' "$draughts" search -r classic --depth abc
fails 2 '--nodes' "$draughts" search -r classic --nodes 0
fails 2 '--time' "$draughts" search -r classic --time -1
run 0 "$draughts" search -r classic --threads 3 --depth 12
out_has '^info depth 12 '
out_has '^bestmove [0-9]+-[0-9]+$'
fails 2 'threads' "$draughts" search -r classic --threads 0
fails 2 'threads' "$draughts" search -r classic --threads 1000000
fails 2 'no such file' "$draughts" search -r classic -w /nowhere/classic.h5
echo 'no HDF5' >"$scratch/classic.h5"
fails 2 'not an HDF5 file' "$draughts" search -r classic -w "$scratch/classic.h5"
fails 2 'not an HDF5 file' "$draughts" search -r classic -s "weights.dir=$scratch"
fails 2 'flying.h5: no such file' "$draughts" search -r flying -s "weights.dir=$scratch"

# eval
run 0 "$draughts" eval -r international -p 'W:WK3:B4,5'
out_has '^score -?[0-9]+ '
for name in man king man_square guarded total; do
    out_has "^$name +[-+][0-9]+ +[-+][0-9]+ +[-+][0-9]+\.[0-9]+$"
done
out_has "^3 pieces: the opening's weights count 3/40, the ending's 37/40\$"
run 0 "$draughts" eval -r international -w built-in -m '32-28'
out_has '^score 0 .*Black'
# More pieces than a game begins with: the ending's weights count nothing.
run 0 "$draughts" eval -r international -p 'W:WK28,31-50:B1-20'
out_has "^41 pieces: the opening's weights count 40/40, the ending's 0/40\$"
# What the table adds up to counts less where a king holds it, which is told.
run 0 "$draughts" eval -r international -w built-in -p 'W:WK1,K2,K3:BK50'
out_has '^score 75 '
out_has '^total +\+600 +\+600 +\+600\.00$'
out_has '^a king holds this: the total counts 1/8$'
fails 2 'not an HDF5 file' "$draughts" eval -r classic -w "$scratch/classic.h5"

# bench
run 0 "$draughts" bench --depth 2
out_has '^international [0-9]+$'
out_has '^classic [0-9]+$'
out_has '^flying [0-9]+$'
out_has '^nodes/s [0-9]+$'
[ "$(awk '/^total/ { total = $2 } /^(int|cla|fly)/ { sum += $2 } END { print total - sum }' \
    "$scratch/out")" = 0 ] || complain 'total is not the sum'
first=$(grep -v nodes/s "$scratch/out")
run 0 "$draughts" bench --depth 2
[ "$(grep -v nodes/s "$scratch/out")" = "$first" ] || complain 'another signature'
run 0 "$draughts" bench -r classic --depth 2
[ "$(wc -l <"$scratch/out")" -eq 3 ] || complain 'three lines are due for one rule set'
fails 2 '--depth' "$draughts" bench --depth 0

# pdn
data=$(dirname "$0")/../data/pdn
run 0 "$draughts" pdn "$data/kurnik.pdn" "$data/inferno.pdn"
out 'games 72, moves 3841, faults 0'
err ''
run 1 "$draughts" pdn "$data/PROF2.pdn" "$data/wk2003.pdn"
out "$data/PROF2.pdn:232: game 11: '30-39' is a capture: it is written 30x39
$data/PROF2.pdn:290: game 14: '38x33' is no capture: it is written 38-33
games 39, moves 3997, faults 2"
err 'draughts: error: 2 faults found'
for name in nested-comment result; do
    run 1 "$draughts" pdn "$data/bad-$name.pdn"
done
echo '[FEN "W:WK4:B13,32,37,20"] 4x15 *' >"$scratch/ambiguous.pdn"
run 1 "$draughts" pdn "$scratch/ambiguous.pdn"
out_has ":1: game 1: '4x15' is ambiguous: it fits 4x27x38x15, 4x31x42x15$"
out_has '^games 1, moves 0, faults 1$'
printf '[FEN "W:WK30:B9"]\n30-26 9-13 26-23 *\n' >"$scratch/either.pdn"
run 0 "$draughts" pdn "$scratch/either.pdn"
printf '[FEN "W:WK30:B9"]\n30-26 9-13 26-19 *\n' >"$scratch/either.pdn"
run 0 "$draughts" pdn -r flying "$scratch/either.pdn"
run 1 "$draughts" pdn -r classic "$scratch/either.pdn"
: >"$scratch/empty.pdn"
run 0 "$draughts" pdn "$scratch/empty.pdn"
out 'games 0, moves 0, faults 0'
fails 2 'FILE' "$draughts" pdn
fails 2 'no such file' "$draughts" pdn "$scratch/none.pdn"
fails 2 'checkers' "$draughts" pdn -r checkers "$scratch/empty.pdn"

# A message is one line whatever it quotes, and a long path leaves it its reason.
fails 2 "unknown command 'a[?]b'" "$draughts" "$(printf 'a\nb')"
fails 2 'no such file$' "$draughts" eval -r classic -w "$(printf 'folder/%.0s' $(seq 100))x"

# A standard output that takes nothing.
if [ -w /dev/full ]; then
    for arguments in 'moves -r classic' 'perft -r classic 3' 'search -r classic --depth 2 -q' \
        'eval -r classic -q' 'bench --depth 1' '--version' '--help'; do
        command_line="$arguments >/dev/full"
        # shellcheck disable=SC2086
        "$draughts" $arguments >/dev/full 2>"$scratch/err"
        status=$?
        [ $status -eq 1 ] || complain "exit status $status, not 1"
        [ "$(wc -l <"$scratch/err")" -eq 1 ] || complain "stderr: $(cat "$scratch/err")"
        err_has 'cannot write to standard output'
    done
fi
finish
