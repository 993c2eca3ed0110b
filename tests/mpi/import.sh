#!/bin/sh
# Games and positions of others: imported, tuned on, and given back as they came.
# Usage: import.sh DRAUGHTS-TRAIN PDN-DIRECTORY SCRATCH ...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
pdn=$2
scratch=$3

begin "$scratch"
cat >own.ini <<'END'
[run]
rules = international
[selfplay]
shard_rows = 1000
[tune]
passes = 5
holdout = 30
END

# PDN: a file with games without a result, and one with games of another rule set.
"$train" import -c own.ini games "$pdn/wk2003.pdn" "$pdn/OCA_2.0.pdn" >import.out 2>import.err ||
    { cat import.err >&2; die "import"; }
cat import.out
expect '^international: [1-9][0-9]* games, [1-9][0-9]* positions$' import.out
left=$(grep -c '^draughts-train: warning: .*\.pdn:[0-9]*: game [0-9]*: ' import.err || true)
expect "^left out: $left$" import.out
"$train" tune -c own.ini -o games >tune.out 2>tune.err || { cat tune.err >&2; die "tune"; }
[ -e games/weights/international-0.h5 ] || die "no weights of the imported games"
"$train" status games >status.out || die "status"
"$train" report games >/dev/null || die "report"
# The loss, and four boards of fifty squares.
[ "$(grep -c '</svg>' games/report.html)" -eq 3 ] || die "not two plots and a heat map"
[ "$(grep -c '^<rect .*fill="rgb(' games/report.html)" -eq 200 ] || die "not four boards"

# CSV: what is exported of them is imported as the same, byte by byte.
"$train" export games --csv first.csv --weights weights.csv >/dev/null
"$train" import -c own.ini again first.csv >again.out 2>again.err ||
    { cat again.err >&2; die "import of CSV"; }
expect '^left out: 0$' again.out
"$train" export again --csv second.csv >/dev/null
cmp first.csv second.csv || die "the positions have changed on the way"

# Lines of CSV that cannot be taken.
cat >bad.csv <<'END'
result,fen,comment
2-0,"W:W31,32:B5,6",two men
1/2-1/2,"B:WK40:B3",
0-1,"W:W31:B99",no such square
white,"W:W31:B5",no such result
1-0,"W:W31:B5
0,W:W31:B5,
END
"$train" import -c own.ini few bad.csv >bad.out 2>bad.err || { cat bad.err >&2; die "bad.csv"; }
expect '^international: 3 games, 3 positions$' bad.out
expect '^left out: 3$' bad.out
expect "bad.csv:4: .*99" bad.err
expect "bad.csv:5: result 'white'" bad.err
expect "bad.csv:6: a quote" bad.err
"$train" export few --csv few.csv >/dev/null
expect '^international,0,0,0,"W:W31,32:B5,6",,,1$' few.csv
expect '^international,0,1,0,"B:WK40:B3",,,0.5$' few.csv
expect '^international,0,2,0,"W:W31:B5",,,0$' few.csv

# Refused.
printf 'position,result\n' >head.csv
fails 2 "head.csv:1: no column 'fen'" "$train" import -c own.ini none head.csv
fails 2 'neither NAME.pdn nor NAME.csv' "$train" import -c own.ini none own.ini
fails 2 'games already' "$train" import -c own.ini games bad.csv
printf 'fen,result\nx,1\n' >nothing.csv
fails 1 'nothing could be taken' "$train" import -c own.ini none nothing.csv
rm again/shards/international-g0-0000.h5
fails 1 'import their files again' "$train" tune -c own.ini -o again
