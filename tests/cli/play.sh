#!/bin/sh
# draughts play: whole games from a script in each rule set, and what is said on the way.
# Usage: play.sh PROGRAM
draughts=$1
. "$(dirname "$0")/check.sh"

# play STATUS LINES ARGUMENTS...: a session whose input is LINES (printf format).
play()
{
    expected=$1
    # The lines are a format on purpose.
    # shellcheck disable=SC2059
    printf "$2" >"$scratch/lines"
    shift 2
    INPUT=$scratch/lines run "$expected" "$draughts" play "$@"
}

# A whole game: asks for the moves, plays the first, until the game is over; then saves it.
whole_game()
{
    command_line="whole game of $1 as $2"
    rm -f "$scratch/to" "$scratch/from" "$scratch/game.pdn"
    mkfifo "$scratch/to" "$scratch/from"
    "$draughts" play -r "$1" --side "$2" --level 1 --seed 7 <"$scratch/to" >"$scratch/from" &
    exec 3>"$scratch/to" 4<"$scratch/from"
    plies=0
    over=
    echo moves >&3
    while [ -z "$over" ] && [ $plies -lt 500 ] && IFS= read -r line <&4; do
        case $line in
        [0-9]*)
            plies=$((plies + 1))
            printf '%s\nmoves\n' "${line%% *}" >&3
            ;;
        *wins:* | Draw:*) over=$line ;;
        No:*) complain "refused: $line" ;;
        esac
    done
    printf 'save %s\nquit\n' "$scratch/game.pdn" >&3
    cat <&4 >"$scratch/rest"
    exec 3>&- 4<&-
    wait $! || complain "exit status $?"
    [ -n "$over" ] || complain "no end after $plies moves"
    grep -q '^Saved as ' "$scratch/rest" || complain "not saved: $(cat "$scratch/rest")"
    run 0 "$draughts" pdn "$scratch/game.pdn"
    out_has '^games 1, moves [0-9]+, faults 0$'
    grep -q "$3" "$scratch/game.pdn" || complain "no $3 in $(cat "$scratch/game.pdn")"
    grep -q '^\[Result "[012]-[012]"\]' "$scratch/game.pdn" ||
        grep -q '^\[Result "1/2-1/2"\]' "$scratch/game.pdn" ||
        complain "no result in $(cat "$scratch/game.pdn")"
}
whole_game international white '^\[White "Player"\]'
whole_game classic white '^\[Black "Draughtsmith, level 1 Beginner"\]'
whole_game classic black '^\[Black "Player"\]'
whole_game flying black '^\[Rules "flying"\]'

# Level and board are shown; the end of the input is an end like another.
play 0 '' -r international --level 6
out_has '^Level 6, Master: Elo [0-9]+ over Beginner, .* plays by [0-9]+ nodes a move'
out_has '^  \|      b       b       b       b       b  \|  1-5$'
err ''
play 0 'level' -r classic --level 1 --side black
out_has '^Level 1, Beginner: Elo 0 .* plays by any legal move at random\.$'
out_has '^  \|      w       w       w       w  \|  32-29$'
if grep -q "$(printf '\033')" "$scratch/out"; then
    complain 'colours where there is no terminal'
fi

# Why a move is refused.
international='-r international --level 1 --seed 1'
# shellcheck disable=SC2086
refusal()
{
    play 0 "$2\nfen\n" $international -p "$1"
    out_has "^No: $3"
    out_has "^$1\$"
}
refusal 'W:W28,32:B8,23' '32-27' 'a capture is compulsory, the piece on 28 can: 28x19x23'
refusal 'W:W28,33:B12,22,23,24' '28x19' '28x19 takes 1, the most that can be taken is 2: 28x8x12x22'
refusal 'W:W28,33:B12,13' '12-17' "the man on 12 is Black's, White is to move"
refusal 'W:W28,33:B12,13' '27-22' 'no piece stands on 27'
refusal 'W:W28,33:B12,13' '33-34' 'the man on 33 cannot go to 34, it has 33-29'
refusal 'W:WK4:B13,20,32,37' '4x15' "'4x15' is ambiguous: it fits 4x"
refusal 'W:W28,33:B12,13' '33x29' 'that takes nothing: it is written 33-29'
refusal 'W:W28,33:B12,13' '33-51' "'33-51': unknown square"

# Draws: by repetition with its counter, by agreement; resigning; taking back.
kings='W:WK46:BK4'
play 0 'draw\nresign\nundo\nundo\nquit\n' -r international --level 6 --seed 1 -p "$kings" -m '46-41 4-9'
out_has '^This position has occurred 1 time, the 3rd is a draw; 2 of 50 half-moves without'
out_has '^Declined: no draw is agreed before 20 moves each\.$'
out_has '^Black wins: White resigns\.$'
play 0 '' -r international --level 6 --seed 1 -p "$kings" \
    -m '46-41 4-9 41-46 9-4 46-41 4-9 41-46 9-4'
out_has '^Draw: repetition\.$'
play 0 '46-41\nundo\nfen\n' -r international --level 6 --seed 1 -p "$kings"
out_has "^$kings\$"

# Files that cannot be written cost no game; a wrong command names the right one.
play 0 'save /nowhere/x.pdn\nsave\nhalp\nmoves now\nfen\n' -r classic --level 2
out_has '^Not saved: /nowhere/x.pdn'
out_has '^save needs the name of a file'
out_has "did you mean 'help'"
out_has "^'moves' takes nothing behind it"

fails 2 '--level is missing' "$draughts" play -r classic
fails 2 '--level' "$draughts" play -r classic --level 7
fails 2 "'green' is neither white nor black" "$draughts" play -r classic --level 1 --side green
fails 2 'no measured levels' "$draughts" play -r classic --level 1 -w built-in
finish
