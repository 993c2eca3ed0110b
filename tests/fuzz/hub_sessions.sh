#!/bin/sh
# The sessions of the corpus, one behind the other, at the program itself, with its second thread and
# its clock: it lives through them all and says nothing but lines of the protocol.
# Usage: hub_sessions.sh PROGRAM CORPUS
draughts=$1
corpus=$2
. "$(dirname "$0")/../cli/check.sh"

export LC_ALL=C # bytes, whatever they are
for session in "$corpus"/*; do
    # The first byte is the fuzz target's choice of a rule set.
    tail -c +2 "$session" | grep -av quit
    printf '\nstop\nset-param name=tt-size value=10\nping\n'
done >"$scratch/sessions"
sessions=$(ls "$corpus" | wc -l)

INPUT=$scratch/sessions run 0 timeout 120 "$draughts" hub -q
odd=$(grep -aEvx '(id|param|wait|ready|info|done|error|pong)( .*)?' "$scratch/out" | head -n 1)
[ -z "$odd" ] || complain "no line of the protocol: $odd"
pongs=$(grep -cx pong "$scratch/out")
[ "$pongs" -ge "$sessions" ] || complain "$pongs answers to a ping in $sessions sessions"
[ "$sessions" -gt 0 ] || complain 'the corpus is empty'
finish
