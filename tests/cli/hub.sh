#!/bin/sh
# `draughts hub` as a program that drives an engine sees it. Usage: hub.sh PROGRAM
draughts=$1
. "$(dirname "$0")/check.sh"

# talk LINE... sends the lines at once and then ends the input. A line "@N" is a pause of N seconds.
talk()
{
    for line in "$@"; do
        case $line in
        @*) sleep "${line#@}" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done | "$draughts" hub -q $hub_flags >"$scratch/out" 2>"$scratch/err"
    echo $? >"$scratch/status"
    command_line="hub: $*"
    status=$(cat "$scratch/status")
    [ "$status" -eq 0 ] || complain "exit status $status: $(cat "$scratch/err")"
}

# How many lines of stdout begin with $1 must be $2.
count()
{
    found=$(grep -c -- "^$1" "$scratch/out")
    [ "$found" -eq "$2" ] || complain "$found lines '$1', not $2: $(head -c 400 "$scratch/out")"
}

hub_flags=
talk hub init 'pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww' 'level depth=5' \
    'go think' @1 quit
out_has '^id name=Draughtsmith '
out_has '^param name=variant value=normal type=enum values="normal classic flying"$'
out_has '^info depth=5 .*score=-?[0-9]+\.[0-9][0-9] .*pv="[-0-9x ]+"$'
out_has '^done move=[0-9]+-[0-9]+ ponder=[0-9]+'
count wait 1
count ready 1
count 'done' 1
count error 0

# Another variant, moves, node and time limits; a new game.
talk hub 'set-param name=variant value=classic' init new-game 'pos moves="11-15 23-19"' \
    'level nodes=2000' 'go think' @0.5 'level move-time=0.1' 'go think' @0.8 \
    'level time=3 inc=0.1 moves=30' 'go analyze' @0.8
count 'done move=' 3
count error 0

# Stop, ping and a wrong line during an endless search; each go has one done.
talk init 'level infinite' 'go analyze' @0.3 ping 'go think' @0.1 stop stop ping
count pong 2
count 'done move=' 1
count error 1

# A stop that comes at once, many times over.
talk init 'level infinite' 'go think' stop 'go think' stop 'go think' stop 'go think' stop ping
count 'done move=' 4
count pong 1

# Pondering starts the clock at the hit.
talk init 'level move-time=0.2' 'go ponder' @0.6 ping ponder-hit @0.6 ping @0.1
count 'done move=' 1
[ "$(grep -nE '^(pong|done)' "$scratch/out" | cut -d: -f2 | cut -c1-4 | tr '\n' ' ')" \
    = 'pong done pong ' ] || complain 'done does not come between the pings'

# End of input, quit during a search.
talk init 'level infinite' 'go think'
count 'done move=' 1
talk init 'level infinite' 'go think' @0.2 quit
count 'done move=' 1

# Garbage.
talk 'go think' 'pos pos="' '"' init 'level depth=abc' 'set-param name=variant value=chess' \
    'pos pos=We' 'go think' foo '=' 'pos pos=' ping
count pong 1
count error 9
count 'done' 0
talk init 'pos pos=Weeeeeeeeeeeeeeeeeeeebeeeeeeeeeeeeeeeeeeeeeeeeeeeee' 'go think'
count 'done' 1
count error 1
head -c 300000 /dev/urandom | tr '\n' 'x' >"$scratch/garbage"
printf '\ninit\nping\n' >>"$scratch/garbage"
head -c 30000 /dev/urandom >>"$scratch/garbage"
printf '\nping\n' >>"$scratch/garbage"
INPUT=$scratch/garbage run 0 "$draughts" hub -q
out_has '^ready$'
[ "$(grep -c '^pong$' "$scratch/out")" -ge 2 ] || complain 'a ping is lost'

# Weights that do not fit are an answer, not an end.
echo 'no HDF5' >"$scratch/bad.h5"
hub_flags="-w $scratch/bad.h5"
talk hub init 'go think' ping
count ready 0
count error 2
count pong 1

# Nobody reads.
if [ -w /dev/full ]; then
    command_line='hub >/dev/full'
    printf 'hub\ninit\n' | "$draughts" hub -q >/dev/full 2>"$scratch/err"
    [ $? -eq 1 ] || complain 'exit status is not 1'
    err_has 'cannot write to standard output'
fi
fails 2 'checkers' "$draughts" hub -r checkers
finish
