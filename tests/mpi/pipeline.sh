#!/bin/sh
# The whole pipeline, tiny: interrupted and resumed it comes to the same results as in one go on
# another number of ranks; then everything that is asked of a finished run.
# Usage: pipeline.sh DRAUGHTS-TRAIN SCRATCH MPIEXEC...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
scratch=$2
shift 2

# The results without the time they took, which differs.
results() {
    "$train" status "$1" | sed -e 1d -e 's/ *\[[^]]*\]$//' -e '/^ *$/d'
}

begin "$scratch"
cat >tiny.ini <<'END'
[run]
rules = flying
seed = 3
[selfplay]
games = 150
nodes = 60
temperature_plies = 4
resign_score = 400
resign_plies = 6
draw_plies = 20
control = 20
[match]
pairs = 10
nodes = 60
[calibrate]
pairs = 5
openings = RULES.fen
nodes_2 = 1
noise_2 = 1500
nodes_3 = 8
noise_3 = 250
nodes_4 = 50
noise_4 = 80
nodes_5 = 250
noise_5 = 20
nodes_6 = 1200
END

cat >flying.fen <<'END'
B:W17,18,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13
B:W17,20,22,23,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13
B:W17,21,22,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13
END

# In one go.
"$@" "$train" run -c tiny.ini -o whole >whole.out 2>whole.err || { cat whole.err >&2; die "run"; }
expect '150 games' whole.out
expect 'repeated [0-9.]* %' whole.out
expect 'adjudicated: [1-9][0-9]* resigned, ' whole.out
expect 'control games: [1-9][0-9]*; resigning wrong in [0-9]* of [1-9]' whole.out
expect 'games/s and [0-9]* positions/s a rank, [0-9.]* % of the time outside the search\]$' whole.out
expect '^draughts_train_running 0$' whole/metrics.prom
expect '^draughts_train_stage_done{rules="flying",generation="0",stage="calibrate",unit="pairs"} 75$' \
    whole/metrics.prom
expect 'loss .* -> .* on held-out games' whole.out
expect 'tuned against built-in: Elo' whole.out
expect '6 Master' whole.out
expect '^    1 tuned  *- .*/20 .* ms a move\]$' whole.out
expect '^    6 Master .* - .*/50 .* ms a move\]$' whole.out
expect 'calibrate.openings: 3 openings for 5 pairs: each is played again after the last' whole.err

# Interrupted as soon as a game is there, then killed the hard way, then to the end on one rank.
status=0
"$train" run -c tiny.ini -o parts >parts.out 2>parts.err &
process=$!
until find parts/journal -size +0 2>/dev/null | grep -q journal; do
    kill -0 $process 2>/dev/null || die "ended before it was interrupted"
done
kill -INT $process
wait $process || status=$?
[ $status -eq 1 ] || die "interrupted: exit status $status"
expect 'interrupted; the same command resumes' parts.err
expect 'interrupted' parts/status.json
"$train" run -c tiny.ini -o parts >parts.out 2>parts.err &
process=$!
until grep -q '"match"' parts/status.json; do
    kill -0 $process 2>/dev/null || die "ended before it was killed"
done
kill -KILL $process
wait $process || :
"$train" status parts >status.out
expect 'killed in stage match of flying' status.out
"$train" run -c tiny.ini -o parts >parts.out 2>parts.err || { cat parts.err >&2; die "resumed run"; }
expect 'selfplay flying generation 0: finished before' parts.err
results whole >whole.results
results parts >parts.results
diff whole.results parts.results || die "interrupted and resumed is not the same"

# Finished: reported, not repeated.
"$@" "$train" run -c tiny.ini -o whole >again.out 2>again.err
diff whole.out again.out || die "a second run is not the same"
expect 'calibrate flying generation 0: finished before' again.err

# What is asked of a run.
"$train" report whole >report.out
expect '^whole/report.html$' report.out
expect '<svg' whole/report.html
expect 'Master' whole/report.html
expect '<tr><td>resigned</td><td>[1-9]' whole/report.html
[ "$(grep -c '</svg>' whole/report.html)" -eq 4 ] || die "not three plots and a heat map"
expect '<text .*>man_square, ending</text>' whole/report.html
"$train" export whole --pdn games.pdn --csv positions.csv >export.out
expect 'games.pdn: 320 games' export.out
[ "$(grep -c '^\[Result' games.pdn)" -eq 320 ] || die "games.pdn has not 320 games"
[ "$(grep -c '^\[Event "match, generation 0"' games.pdn)" -eq 20 ] || die "not 20 games of the match"
[ "$(grep -c '^\[White "Master"' games.pdn)" -eq 25 ] || die "Master has not White in half its games"
# Each two levels have played the three openings, in both colours, twice, twice and once.
[ "$(sed -n 's/^\[FEN //p' games.pdn | sort | uniq -c | awk '{print $1}' | sort -n | tr '\n' ' ')" = \
    "30 60 60 " ] || die "the levels have not played from the same openings"
[ "$(grep -c '^\[Termination "resigned"' games.pdn)" -gt 0 ] || die "nobody has resigned"
"${train%-train}" pdn games.pdn >pdn.out || die "games.pdn has faults: $(head -n 3 pdn.out)"
expect '^games 320, moves [0-9]*, faults 0$' pdn.out
positions=$(sed -n 's/.* games, \([0-9]*\) positions.*/\1/p' whole.out)
[ "$(wc -l <positions.csv)" -eq $((positions + 1)) ] || die "positions.csv has not $positions rows"
expect '^flying,0,0,[0-9]*,"[WB]:W.*:B.*",-*[0-9]*,[0-9]*-[0-9]*,[01]' positions.csv
"$train" export whole --weights weights.csv >export.out
expect "^weights.csv: $(($(wc -l <weights.csv) - 1)) weights$" export.out
expect "^flying,0,man,opening,[0-9]*,[1-9][0-9]*$" weights.csv
expect '^flying,0,man_square.32,ending,' weights.csv
expect "^flying,0,turn,ending,-*[0-9]*,$positions$" weights.csv
"$train" publish whole published >publish.out 2>publish.err
expect 'making the directory published' publish.err
[ "$(wc -l <publish.err)" -eq 1 ] || die "publishing a finished run warns: $(cat publish.err)"
cmp whole/flying.h5 published/flying.h5 || "$train" publish published other >/dev/null ||
    die "what was published is no artefact"
[ "$(ls whole/shards whole/weights | grep -c tmp)" -eq 0 ] || die "temporary files are left"
[ ! -e whole/lock ] || die "the lock is left"
