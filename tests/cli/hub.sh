#!/bin/sh
# `draughts hub` as a program that drives an engine sees it. Usage: hub.sh PROGRAM
draughts=$1
. "$(dirname "$0")/check.sh"

# Waits, half a minute at most, until stdout has $1 lines that begin with `done`.
await_done()
{
    tries=0
    until [ "$(grep -c '^done' "$scratch/out")" -ge "$1" ] || [ $tries -eq 600 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# talk LINE... sends the lines at once and then ends the input. A line "@N" is a pause of N seconds;
# "@done" waits for one `done` more than at the last "@done".
talk()
{
    awaited=0
    : >"$scratch/out"
    for line in "$@"; do
        case $line in
        @done)
            awaited=$((awaited + 1))
            await_done $awaited
            ;;
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

# In which order `pong` and `done` came.
order()
{
    found=$(grep -oE '^(pong|done)' "$scratch/out" | tr '\n' ' ')
    [ "$found" = "$1" ] || complain "the order is '$found', not '$1'"
}

hub_flags=
talk hub init 'pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww' 'level depth=5' \
    'go think' @done quit
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
    'level nodes=2000' 'go think' @done 'level move-time=0.1' 'go think' @done \
    'level time=3 inc=0.1 moves=30' 'go analyze' @done
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
talk init 'level move-time=0.2' 'go ponder' @0.6 ping ponder-hit @done ping
count 'done move=' 1
order 'pong done pong '

# The same with a clock; the search pondered longer than a move may take.
talk init 'level moves=10 time=5' 'go ponder' @1.2 ping ponder-hit @done ping
order 'pong done pong '
# A miss: the ponder search is stopped and another position set up at once, without a pause.
talk init 'level move-time=0.1' 'go ponder' @0.2 stop 'pos moves="32-28"' \
    'go think' @done @done ping
count 'done move=' 2
count error 0
# A hit that comes before the search has begun is not lost, nor does it limit the next search.
talk init 'level move-time=0.05' 'go ponder' ponder-hit @done 'level infinite' 'go ponder' @0.3 ping
count 'done move=' 2
order 'done pong done '

# Threads; a parameter takes effect with init.
talk hub 'set-param name=threads value=3' init 'level depth=12' 'go think' @done hub \
    'set-param name=threads value=1000' ping
out_has '^param name=threads value=1 type=int min=1 max=256$'
out_has '^param name=threads value=3 type=int min=1 max=256$'
out_has '^info depth=12 '
count 'done move=' 1
count error 1
talk 'set-param name=threads value=4' init 'level infinite' 'go think' @0.2 stop 'go ponder' stop \
    'go analyze' ping stop ping
count 'done move=' 3
count pong 2

# A single legal move is played at once, but analysed like any other.
single='pos pos=Wbeeeeeeeeeeeeeeeeeeeeebeeeeweeeeeeeeeeeeeeeeeeewww'
talk init "$single" 'level move-time=30' 'go think' @done ping
count 'done move=28x' 1
talk init "$single" 'level depth=6' 'go analyze' @done
out_has '^info depth=6 '
count 'done move=28x' 1

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
talk init "pos moves=\"$(head -c 70000 /dev/zero | tr '\0' x)\"" 'go think' ping
count error 2 # too long: the position before it is not searched
count 'done' 0
head -c 300000 /dev/urandom | tr '\n' 'x' >"$scratch/garbage"
printf '\ninit\nping\n' >>"$scratch/garbage"
head -c 30000 /dev/urandom >>"$scratch/garbage"
printf '\nping\n' >>"$scratch/garbage"
INPUT=$scratch/garbage run 0 "$draughts" hub -q
out_has '^ready$'
[ "$(grep -c '^pong$' "$scratch/out")" -ge 2 ] || complain 'a ping is lost'

# Faults seen in another engine, each by its name. Every one is answered in a way that leaves the
# session able to go on.
an_unbalanced_quote_is_no_abort()
{
    talk init 'pos pos="W' 'level depth=4' 'go think' pos 'go think' @done ping
    count error 2 # no search of the position before the refused one
    count 'done move=' 1
    count pong 1
}
a_depth_that_is_no_number_is_no_abort()
{
    talk init 'level depth=abc' ping
    count error 1
    count pong 1
}
a_parameter_that_is_no_number_is_no_abort()
{
    talk 'set-param name=tt-size value=big' 'set-param name=threads value=1.5' init ping
    count error 2
    count ready 1
    count pong 1
}
go_before_init_is_no_crash()
{
    talk 'go think' init 'level depth=4' 'go think' @done
    count error 1
    count 'done move=' 1
}
an_unknown_variant_is_no_end()
{
    talk 'set-param name=variant value=frisian' init 'level depth=4' 'go think' @done ping
    count error 1
    count 'done move=' 1
    count pong 1
}
the_end_of_input_during_a_search_brings_done()
{
    talk init 'level infinite' 'go think' @0.2
    count 'done move=' 1
}
unknown_commands_are_no_error()
{
    talk frobnicate 'set-option name=x' init 'bitbase size=6' ping
    count error 0
    count pong 1
}
# 0.01 s are kept to although depth 12 of this position takes far longer.
the_clock_counts_from_the_first_depth_on()
{
    talk init 'pos pos=WBBBBBBBBBBBBBBBBBBBBeeeeeeeeeeWWWWWWWWWWWWWWWWWWWW' \
        'level move-time=0.01' 'go think' @done ping
    count 'done move=' 1
    count 'info depth=12' 0
    order 'done pong '
}
a_position_without_moves_is_told()
{
    talk init 'pos pos=Weeeeeeeeeeeeeeeeeeeebeeeeeeeeeeeeeeeeeeeeeeeeeeeee' 'go think' ping
    count error 1
    out_has 'no legal move'
    count 'done' 1
    count pong 1
}
an_unbalanced_quote_is_no_abort
a_depth_that_is_no_number_is_no_abort
a_parameter_that_is_no_number_is_no_abort
go_before_init_is_no_crash
an_unknown_variant_is_no_end
the_end_of_input_during_a_search_brings_done
unknown_commands_are_no_error
the_clock_counts_from_the_first_depth_on
a_position_without_moves_is_told

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
