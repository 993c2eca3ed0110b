#!/bin/bash
# What the documentation shows is run: the examples of docs/http-api.md, and the bot, which plays a
# game of each rule set against level 1.
#
#     daemon_docs.sh DRAUGHTSD SOURCE
set -euo pipefail

draughtsd=$1
source=$2
. "$(dirname "$0")/daemon_lib.sh"

ln -s "$source/data" "$work/data"
start
key=$("$draughtsd" admin keys add -s "store.file=$work/games.db" shop | sed -n 's/^key of shop: //p')
python3 "$(dirname "$0")/daemon_docs.py" "$source/docs/http-api.md" "$url" "$key" || fail "an example"
for rules in international classic flying; do
    out=$(timeout 120 python3 "$source/docs/examples/bot.py" "$url" "$rules" 1) || fail "the bot"
    echo "$rules: $out"
    echo "$out" | grep -Eq '^(white wins|black wins|draw): .+, [0-9]+ plies, I had (white|black)$' ||
        fail "the bot: $out"
done
stop
