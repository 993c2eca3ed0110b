#!/bin/sh
# Matches of players named by the user: our search and another program over Hub; on two ranks or
# one, killed and resumed, ended by a test; a round robin; and programs that misbehave.
# Usage: players.sh DRAUGHTS-TRAIN DRAUGHTS FAKE-HUB SCRATCH MPIEXEC...
set -eu
. "$(dirname "$0")/program.sh"
train=$1
draughts=$2
fake=$3
scratch=$4
shift 4

# same FILE FILE: the same results but for the time a move, which is in brackets.
same() {
    sed 's/ *\[[^]]*\]$//' "$1" >left
    sed 's/ *\[[^]]*\]$//' "$2" >right
    cmp -s left right
}

begin "$scratch"
cat >match.ini <<END
[run]
rules = classic
seed = 5
[match]
pairs = 12
opening_plies = 4
[player_one]
kind = search
name = ours
nodes = 300
[player_two]
kind = external
name = theirs
command = "$draughts" hub -q
nodes = 100
END

# Our own program as the other one: on two ranks, and the same on one, killed half-way.
"$@" "$train" match -c match.ini -o two >two.out 2>two.err || { cat two.err >&2; die "two ranks"; }
expect '^Classic.*: ours against theirs, 12 pairs$' two.out
expect 'games   won [0-9]*, drawn [0-9]*, lost [0-9]* ' two.out
expect 'Elo .*+- .*superiority' two.out
expect '^  moves   of ours: depth [1-9][0-9.]* (median over moves .*)  \[[0-9.]* ms a move\]$' two.out
expect '^  moves   of theirs: depth [1-9][0-9.]* (median over moves .*)  \[[0-9.]* ms a move\]$' two.out
grep -q faults two.out && die "our own program was at fault"
"$train" match -c match.ini -o one >one.out 2>one.err &
process=$!
until [ -e one/run.db ] && grep -q '"done": [1-9]' one/status.json 2>/dev/null; do
    kill -0 $process 2>/dev/null || die "ended before it was killed"
done
kill -KILL $process
wait $process || :
"$train" match -c match.ini -o one >one.out 2>one.err || { cat one.err >&2; die "resumed"; }
same two.out one.out || die "killed and resumed on one rank is not the same"
"$train" match -c match.ini -o one >again.out 2>again.err
cmp one.out again.out || die "a second call is not the same"

# Its games: the same whether it was killed or not, without a fault, half of them with White.
"$train" export one --pdn one.pdn >export.out
expect '^one.pdn: 24 games$' export.out
"$train" export two --pdn two.pdn >/dev/null
"$draughts" pdn one.pdn >pdn.out || die "one.pdn has faults: $(head -n 3 pdn.out)"
expect '^games 24, moves [0-9]*, faults 0$' pdn.out
[ "$(grep -c '^.White "ours"' one.pdn)" -eq 12 ] || die "ours has not White in half of its games"
expect '{\[%eval [^,]*,[1-9][0-9]*\] \[%emt 0:00:0[0-9.]*\]}' one.pdn
for run in one two; do
    tr '\n' ' ' <$run.pdn | sed 's/ \[%emt [^]]*\]//g' >$run.moves
done
cmp one.moves two.moves || die "killed and resumed: not the same games"
fails 2 'no self-play stage is finished' "$train" export one --csv one.csv

# Its status is its results.
"$train" status one >status.out
expect '^one: finished' status.out
sed 1d status.out | cmp - one.out || die "status says something else"

# A test ends it early, in the same place on any number of ranks.
for ranks in 1 2; do
    mpi="$*"
    [ $ranks = 2 ] || mpi=
    # Split into words.
    # shellcheck disable=SC2086
    $mpi "$train" match -c match.ini -o sprt$ranks -s match.pairs=1000 -s sprt.elo1=100 \
        -s player_two.kind=search -s player_two.nodes=20 >sprt$ranks.out 2>sprt$ranks.err ||
        { cat sprt$ranks.err >&2; die "test"; }
    expect 'SPRT    normalised Elo 0 against 100: LLR .* elo1 accepted' sprt$ranks.out
done
same sprt1.out sprt2.out || die "the test ended elsewhere on two ranks"
expect 'ours against theirs, [0-9]* of at most 1000 pairs; the test has ended the match$' sprt1.out
"$train" status sprt1 | sed 1d | cmp - sprt1.out || die "status of a test says something else"

# Openings of a file: those of RULES.fen, the same on one rank; faults are told with their line.
printf '# two\nB:W21-32:B1-12\nW:W21-32:B1-8,10-13\n' >classic.fen
for ranks in 1 2; do
    mpi="$*"
    [ $ranks = 2 ] || mpi=
    # shellcheck disable=SC2086
    $mpi "$train" match -c match.ini -o file$ranks -s match.openings=RULES.fen \
        -s player_two.kind=search >file$ranks.out 2>file$ranks.err ||
        { cat file$ranks.err >&2; die "openings of a file"; }
done
same file1.out file2.out || die "openings of a file are not the same on two ranks"
same file1.out one.out && die "the file of openings changes nothing"
expect 'match.openings: 2 openings for 12 pairs: no more pairs are played, since these' file1.err
expect ': ours against theirs, 2 pairs$' file1.out
"$train" match -c match.ini -o file3 -s match.openings=RULES.fen -s player_one.depth=1 \
    -s player_two.kind=search -s player_two.threads=2 >file3.out 2>file3.err
expect 'match.openings: 2 openings for 12 pairs: each is played again after the last' file3.err
expect '  again   10 of 12 pairs have the opening of an earlier one' file3.out
echo 'W:W33:B1' >>classic.fen
fails 2 "match.openings: classic.fen:4: FEN, character" \
    "$@" "$train" match -c match.ini -o none -s match.openings=classic.fen
fails 2 "match.openings: nowhere.fen" \
    "$train" match -c match.ini -o none -s match.openings=nowhere.fen

# A round robin, with a program among the players: on two ranks, and the same on one, killed.
cat >robin.ini <<END
[run]
rules = flying
[match]
pairs = 6
opening_plies = 4
anchor = middle
anchor_elo = 500
[player_weak]
kind = search
nodes = 20
[player_middle]
kind = search
nodes = 1000
[player_strong]
kind = external
command = "$draughts" hub -q
nodes = 3000
[player_clone]
kind = search
nodes = 1000
END
"$@" "$train" match -c robin.ini -o robin2 >robin2.out 2>robin2.err ||
    { cat robin2.err >&2; die "round robin on two ranks"; }
expect '^Draughts with flying kings.*: 4 players, 36 pairs$' robin2.out
expect '^    3 strong  *[0-9.]* *[0-9.]* *- *[0-9.]* *[0-9.]*/36 ' robin2.out
expect '^  ratings score-logistic Elo, middle held at 500; ' robin2.out
expect '^    2 middle  *500.0  *+- 0.0 ' robin2.out
expect '^     2 - 4  *0 *0 *6 *0 *0 ' robin2.out
"$train" match -c robin.ini -o robin1 >robin1.out 2>robin1.err &
process=$!
until [ -e robin1/run.db ] && grep -q '"done": [1-9]' robin1/status.json 2>/dev/null; do
    kill -0 $process 2>/dev/null || die "ended before it was killed"
done
kill -KILL $process
wait $process || :
"$train" status robin1 >status.out
expect '^robin1: killed in stage players' status.out
expect '^Draughts with flying kings.*: 4 players, [0-9]* of 36 pairs$' status.out
"$train" match -c robin.ini -o robin1 >robin1.out 2>robin1.err ||
    { cat robin1.err >&2; die "round robin resumed"; }
same robin1.out robin2.out || die "a round robin killed and resumed is not the same"
"$train" status robin1 | sed 1d | cmp - robin1.out || die "status of a round robin says otherwise"
"$train" report robin1 >/dev/null
expect '<h2>Draughts with flying kings.*, round robin</h2>' robin1/report.html
expect '<th>Elo (score-logistic)</th><th>against middle</th>' robin1/report.html
for run in robin1 robin2; do
    "$train" export $run --pdn $run.pdn >/dev/null
    tr '\n' ' ' <$run.pdn | sed 's/ \[%emt [^]]*\]//g' >$run.moves
done
cmp robin1.moves robin2.moves || die "a round robin killed and resumed has other games"
"$draughts" pdn robin1.pdn >pdn.out || die "robin1.pdn has faults: $(head -n 3 pdn.out)"
expect '^games 72, moves [0-9]*, faults 0$' pdn.out
# Two of the players alone are the same match, so nothing is left to play.
sed '/player_weak/,$d' robin.ini >pair.ini
sed -n '/player_middle/,$p' robin.ini | sed '/player_clone/,$d' >>pair.ini
"$train" match -c pair.ini -o robin1 >pair.out 2>pair.err || { cat pair.err >&2; die "pair"; }
expect '^Draughts with flying kings.*: middle against strong, 6 pairs$' pair.out
expect '6 pairs (6 found' pair.err
"$train" status robin1 >status.out
[ "$(grep -c '^Draughts with flying kings.*, earlier settings: ' status.out)" -eq 5 ] || die "not 5 earlier matches"

# A program that crashes in its third move: rows, counts, a line each, and no end.
"$@" "$train" match -c match.ini -o crash -s "player_two.command='$fake' crash 3" \
    >crash.out 2>crash.err || { cat crash.err >&2; die "crash"; }
expect 'games   won 24, drawn 0, lost 0 ' crash.out
expect 'faults  of theirs: crashed 24$' crash.out
"$train" export crash --pdn crash.pdn >/dev/null
[ "$(grep -c '^.Termination "crashed"' crash.pdn)" -eq 24 ] || die "not 24 games say crashed"
"$draughts" pdn crash.pdn >pdn.out || die "crash.pdn has faults: $(head -n 3 pdn.out)"
[ "$(grep -c 'pair .* theirs crashed: at ply .*: killed by signal 9' crash.err)" -eq 24 ] ||
    die "not a line a crash"
"$train" match -c match.ini -o late -s "player_two.command='$fake' late 1" -s match.pairs=1 \
    -s player_two.margin=0.3 >late.out 2>late.err || { cat late.err >&2; die "late"; }
expect 'faults  of theirs: hung 2$' late.out

# A rank that is killed leaves no program behind, though that hangs and hears of nothing.
"$train" match -c match.ini -o orphan \
    -s "player_two.command=echo \$\$ >shell.pid && '$fake' hang" -s player_two.margin=60 \
    >orphan.out 2>orphan.err &
process=$!
# The program is a child of the shell that wrote its number.
until [ -s shell.pid ] && shell=$(cat shell.pid) &&
    [ -n "$(cat "/proc/$shell/task/$shell/children")" ]; do
    kill -0 $process 2>/dev/null || { cat orphan.err >&2; die "ended before it was killed"; }
    sleep 0.1
done
hung=$(cat "/proc/$shell/task/$shell/children")
kill -KILL $process
wait $process || :
for pid in $shell $hung; do
    tries=0
    while kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 300 ] || die "process $pid outlives its rank"
        sleep 0.1
    done
done

# One that cannot play at all, and settings that make no match.
fails 2 "theirs, command 'no-such-engine': did not start: it exited with status 127" \
    "$train" match -c match.ini -o none -s player_two.command=no-such-engine
fails 2 "it plays 'frisian', not 'classic'" \
    "$train" match -c match.ini -o none -s "player_two.command='$fake' narrow"
fails 2 'not ready within 0.2 s' "$train" match -c match.ini -o none \
    -s "player_two.command='$fake' mute" -s player_two.start=0.2
fails 2 'player_two.kind: is missing: search, level or external' \
    "$train" match -c match.ini -o none -s player_two.kind=unknown
fails 2 'player_tow.kind: is missing' "$train" match -c match.ini -o none -s player_tow.nodes=5
fails 2 'player_two.command' "$train" match -c match.ini -o none -s player_two.command=
fails 2 'player_one: nodes, depth or time' "$train" match -c match.ini -o none -s player_one.nodes=0
fails 2 "player_two.name: 'ours' is the name of player_one already" \
    "$train" match -c match.ini -o none -s player_two.name=ours
fails 2 'sprt' "$train" match -c match.ini -o none -s sprt.elo1=-5
fails 2 'player_one.weights' "$train" match -c match.ini -o none -s player_one.kind=level
fails 2 "player 'ours'.*nowhere.h5" "$train" match -c match.ini -o none \
    -s player_one.kind=level -s player_one.weights=nowhere.h5
fails 2 "theirs: 'book' has no value" \
    "$train" match -c match.ini -o none -s player_two.parameters=book
[ ! -e none/lock ] || die "the lock is left"
