#!/bin/bash
# Levels on the real daemon: a locked one is refused, a win without help opens the next, help and
# draws do not; a guest who signs up keeps the win; the leaderboard.
#
#     daemon_levels.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
. "$(dirname "$0")/daemon_lib.sh"

# win: plays the strongest quick level's moves in $game to its end; tells the result
win() {
    python3 - "$url" "$game" "$token" <<'PY'
import json, sys, urllib.request

url, game, token = sys.argv[1:]


def send(path, body=None):
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json",
               "Prefer": "wait=20"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data, headers), timeout=30) as r:
        return json.load(r)


state = send(game)
while state["status"] != "over":
    best = send("/v1/bestmove", {"rules": state["rules"], "fen": state["start"],
                                 "moves": state["played"], "level": 5})
    state = send(game + "/moves", {"ply": state["ply"], "move": best["move"]})
print(state["outcome"]["result"])
PY
}

# beat [HELP]: wins a game of classic draughts against level 1, with HELP (undo or hint) in it
beat() {
    for _ in $(seq 10); do
        post /v1/games '{"rules":"classic","opponent":"computer","level":1}' .id >/dev/null
        game=/v1/games/$(jq -r .id "$work/body")
        if [ $# -gt 0 ]; then
            post "$game/moves" '{"ply":0,"move":"9-13"}' .ply -H 'Prefer: wait=20' >/dev/null
            same "with $1" "$(post "$game/$1" '{}' .spoiled_by)" "$1 200"
        fi
        [ "$(win)" != "black wins" ] || return 0
    done
    fail "ten games and no win"
}

mkdir "$work/data"
"$make_artefacts" "$work/data" classic
start
new_at() { post /v1/games "{\"rules\":\"classic\",\"opponent\":\"computer\",\"level\":$1}" "$2"; }

# --- a guest begins with the first level
token=
same "locked, and what opens it" "$(new_at 3 '"\(.type) \(.opened_by) \(.opened)"')" \
    "urn:draughtsmith:problem:level-locked 2 1 403"
grep -q 'by a win against level 2 (Easy) without undo or hint' "$work/body" || fail "not said how"
new '{"rules":"classic","opponent":"computer","level":1}'
beat undo
same "help opens nothing" "$(new_at 2 .status)" "403 403"
beat hint
same "nor does a hint" "$(new_at 2 .status)" "403 403"
beat
same "a clean win does" "$(get /v1/me '.guest, (.progress[] | select(.rules == "classic") |
    .level.name, .wins)' | tr '\n' ' ')" "true Easy 3 200 "
same "a guest is not listed" "$(get /v1/leaderboard '.rows | length')" "0 200"

# --- signed up, it is kept, through a kill
same "signed up" "$(post /v1/players '{"name":"Ann","password":"correct horse"}' .name)" "Ann 201"
token=$(jq -r .token "$work/body")
killed
start
same "still open" "$(new_at 2 .level.name)" "Easy 201"
same "and no more" "$(new_at 3 .status)" "403 403"
same "listed" "$(get '/v1/leaderboard?rules=classic' '.rows[0] |
    "\(.rank) \(.player) \(.level.name) \(.beaten) \(.wins) \(.games >= .wins)"')" \
    "1 Ann Easy 1 3 true 200"
same "one's own row" "$(get /v1/leaderboard .me.rank)" "1 200"
token=
same "anybody reads it" "$(get '/v1/leaderboard?limit=1' '"\(.rows[0].player) \(.next) \(.me)"')" \
    "Ann null null 200"
same "a new guest begins anew" "$(new_at 2 .status)" "403 403"
same "a bad page" "$(get '/v1/leaderboard?limit=101' .field)" "limit 400"
same "no such rules" "$(get '/v1/leaderboard?rules=x' .field)" "rules 400"
same "counted for the operator" "$(curl -s "$url/metrics" |
    sed -n 's/^draughtsd_level_cleared_total{rules="classic",level="1"} //p')" 1

# --- a game goes on with the weights it was begun with; others are begun with the new ones
new '{"rules":"classic","opponent":"computer","level":1}'
weights=$(get "$game" .level.weights)
cp "$(dirname "$0")/../../data/classic.h5" "$work/data"
kill -HUP "$daemon"
for _ in $(seq 100); do
    ! grep -q reloaded "$work/log" || break
    sleep 0.05
done
token=
new_at 1 .level.weights >/dev/null
token=$(jq -r .token "$work/body")
[ "$(jq -r .level.weights "$work/body") 200" != "$weights" ] || fail "the weights are the same"
same "reloaded" "$(get "$game" .level.weights)" "$weights"
killed
start games.all_levels=yes
same "and after a kill" "$(get "$game" .level.weights)" "$weights"
same "a club opens all" "$(new_at 6 .level.name)" "Master 201"
stop
echo "$draughtsd: levels as they should be"
