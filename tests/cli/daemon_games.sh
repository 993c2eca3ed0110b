#!/bin/bash
# Hosted games on the real daemon: played to moves, refused, doubled, killed and gone on with.
#
#     daemon_games.sh DRAUGHTSD MAKE_ARTEFACTS DRAUGHTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
draughts=$3
. "$(dirname "$0")/daemon_lib.sh"

mkdir "$work/data"
"$make_artefacts" "$work/data"
start games.all_levels=yes

# --- against the computer
new '{"rules":"international","opponent":"computer","level":2}'
same "who one is" "$(get "$game" '.you[0] + " " + .status')" "white playing 200"
same "a move with its reply" \
    "$(post "$game/moves" '{"ply":0,"move":"32-28"}' '"\(.ply) \(.turn)"' -H 'Prefer: wait=20')" \
    "2 white 200"
same "sent again" "$(post "$game/moves" '{"ply":0,"move":"32-28"}' .ply)" "2 200"
same "another move for that ply" "$(post "$game/moves" '{"ply":0,"move":"32-27"}' \
    '"\(.reason) \(.game.ply)"')" "stale 2 409"
same "an illegal move says why" \
    "$(post "$game/moves" '{"ply":2,"move":"20-51"}' .reason)" "no-move 422"
same "a piece of the other side" \
    "$(post "$game/moves" '{"ply":2,"move":"1-6"}' .reason)" "not-your-piece 422"
same "nothing is spoiled yet" "$(get "$game" .spoiled_by)" "null 200"
same "a hint" "$(post "$game/hint" '{}' '(.hint | length > 3), .spoiled_by' | tr '\n' ' ')" \
    "true hint 200 "
same "with its idea" "$(jq -r '(.hint_idea.kind | length > 3), (.hint_idea.text | endswith("."))' \
    "$work/body" | tr '\n' ' ')" "true true "
same "the same hint again" "$(post "$game/hint" '{}' .hints)" "1 200"
same "undo" "$(post "$game/undo" '{}' '"\(.ply) \(.undos)"')" "0 1 200"
same "nothing left to undo" "$(post "$game/undo" '{}' .reason)" "nothing-to-undo 409"
same "a draw is declined" "$(post "$game/draw" '{"action":"offer"}' .draw_offer)" "white 200"
for _ in $(seq 100); do
    [ "$(get "$game" .draw_offer)" != "null 200" ] || break
    sleep 0.1
done
same "the computer answered" "$(get "$game" '"\(.draw_offer) \(.status)"')" "null playing 200"
mine=$token
token=
same "a stranger may look" "$(get "$game" '.you | length')" "0 200"
same "a stranger may not move" "$(post "$game/moves" '{"ply":0,"move":"32-28"}' .reason)" \
    "not-a-player 403"
token=x
same "a token of nobody" "$(get "$game" .type)" "urn:draughtsmith:problem:bad-token 401"
token=$mine
same "resigned" "$(post "$game/resign" '{}' .outcome.result)" "black wins 200"
same "no move behind the end" "$(post "$game/moves" '{"ply":0,"move":"32-28"}' .reason)" \
    "game-over 409"
curl -s "$url$game/pdn" >"$work/game.pdn"
"$draughts" pdn "$work/game.pdn" >/dev/null || fail "draughts pdn refuses the record"

# The computer opens when the opponent is first.
new '{"rules":"classic","opponent":"computer","level":3,"first":"opponent"}'
same "the computer opens" "$(get "$game?since=0&wait=20" '"\(.ply) \(.you[0])"')" "1 white 200"

# --- ETag
etag=$(curl -s -D - -o /dev/null -H "Authorization: Bearer $token" "$url$game" |
    sed -n 's/^ETag: \(.*\)\r$/\1/p')
same "not modified" "$(curl -s -o /dev/null -w '%{http_code}' -H "If-None-Match: $etag" \
    -H "Authorization: Bearer $token" "$url$game")" 304

# --- twenty racing double submits make one move (backgammonjs #2)
new '{"rules":"international","opponent":"local"}'
racers=()
for i in $(seq 20); do
    curl -s -m 20 -o "$work/race$i" -w '%{http_code}\n' -H 'Content-Type: application/json' \
        -H "Authorization: Bearer $token" -d '{"ply":0,"move":"32-28"}' "$url$game/moves" \
        >"$work/status$i" &
    racers+=($!)
done
wait "${racers[@]}"
same "each is answered" "$(cat "$work"/status[0-9]* | sort | uniq -c | tr -s ' ')" " 20 200"
same "one move was made" "$(get "$game" '"\(.ply) \(.events)"')" "1 1 200"

# --- a capture square by square, through a kill (RoyalUr.net-Backend #7, lichobile #153)
new '{"rules":"international","opponent":"local","fen":"W:WK4,50:B1,13,20,32,37"}'
same "an ambiguous capture" "$(post "$game/moves" '{"ply":0,"move":"4x15"}' .reason)" \
    "ambiguous 422"
same "half a capture" \
    "$(post "$game/moves" '{"ply":0,"path":[4,27]}' '.half_made | [.captures, .next] | tostring')" \
    "[[13],[38]] 200"
killed
start games.all_levels=yes
same "it is there after a kill" "$(get "$game" '.half_made.path | tostring')" "[4,27] 200"
same "and goes on" "$(post "$game/moves" '{"ply":0,"path":[4,31]}' .reason)" "must-go-on 422"
same "to its end" "$(post "$game/moves" '{"ply":0,"path":[4,27,38,15]}' '.played[0]')" \
    "4x15x13x20x32 200"

# --- a friend
new '{"rules":"flying","opponent":"friend"}'
ann=$token
same "nobody there yet" "$(post "$game/moves" '{"ply":0,"move":"22-18"}' .reason)" "waiting 409"
same "the invitation" "$(get "$game" .invitation)" "$game/join 200"
waiting=$(curl -s -D - -o /dev/null "$url$game" -H "Authorization: Bearer $ann" |
    tr -d '\r' | sed -n 's/^ETag: //p')
token=
same "the friend joins" "$(post "$game/join" '{}' '.you[0]')" "black 200"
ben=$(jq -r .token "$work/body")
token=
same "a third one comes late" "$(post "$game/join" '{}' .reason)" "seats-taken 409"
same "who knew an older state need not wait" "$(curl -s -m 5 "$url$game?since=0&wait=20" \
    -H "Authorization: Bearer $ann" -H "If-None-Match: $waiting" | jq -r .status)" "playing"
token=$ben
get "$game?since=0&wait=20" .ply >"$work/polled" &
poll=$!
sleep 0.3
move=$(curl -s "$url$game" | jq -r '.moves[0].move')
same "a friend's move" "$(curl -s -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $ann" -d "{\"ply\":0,\"move\":\"$move\"}" "$url$game/moves" |
    jq -r .ply)" 1
wait "$poll"
same "who waited was told" "$(cat "$work/polled")" "1 200"
token=$ann
same "claimed too early" "$(post "$game/claim" '{}' .reason)" "too-early 409"
same "no help against a friend" "$(post "$game/undo" '{}' .reason)" "only-against-the-computer 409"
same "a draw is offered" "$(post "$game/draw" '{"action":"offer"}' .draw_offer)" "white 200"
token=$ben
same "a draw is agreed" "$(post "$game/draw" '{"action":"accept"}' .outcome.reason)" "agreed 200"

# --- a rematch: who asks first makes it, who asks second joins; colours are exchanged
over=$game
token=$ben
next=$(post "$over/rematch" '{}' '[.id, .status, .you[0]] | join(" ")')
same "made" "${next#* }" "waiting white 201"
same "asked for again" "$(post "$over/rematch" '{}' '[.id, .status, .you[0]] | join(" ")')" \
    "${next% 201} 200"
token=$ann
same "joined" "$(post "$over/rematch" '{}' '[.id, .status, .you[0]] | join(" ")')" \
    "${next%% *} playing black 200"
same "not over yet" "$(post "/v1/games/${next%% *}/rematch" '{}' .reason)" "not-over 409"
token=
same "not a stranger's" "$(post "$over/rematch" '{}' .status)" "403 403"
new '{"rules":"classic","opponent":"computer","level":1}'
post "$game/resign" '{}' .status >/dev/null
same "against the computer" "$(post "$game/rematch" '{}' '[.level.number, .you[0]] | join(" ")')" \
    "1 white 201"
stop

# --- claims, expiry
start games.all_levels=yes games.claim=1
new '{"rules":"flying","opponent":"friend","first":"opponent"}'
ann=$token
token=
post "$game/join" '{}' .ply >/dev/null
token=$ann
sleep 2.1
same "claimed" "$(post "$game/claim" '{}' .outcome.reason)" "opponent gone 200"
stop
start games.all_levels=yes games.expire=1
new '{"rules":"flying","opponent":"local"}'
sleep 2.1
same "expired" "$(post "$game/moves" '{"ply":0,"move":"22-18"}' .reason)" "game-over 409"
stop

# --- what cannot be stored is told, and reads go on; a wait ends with the daemon
ulimit_blocks=100
start games.all_levels=yes
new '{"rules":"international","opponent":"local"}'
token=
for _ in $(seq 150); do
    status=$(post /v1/games '{"rules":"international","opponent":"local"}' .type)
    case $status in *503) break ;; esac
done
same "nothing can be stored" "$status" "urn:draughtsmith:problem:store-failed 503"
same "reads go on" "$(get "$game" .ply)" "0 200"
get "$game?since=0&wait=50" .ply >"$work/polled" &
poll=$!
sleep 0.3
stop
wait "$poll"
same "answered at the end" "$(cat "$work/polled")" "0 200"

# --- refusals of bodies
ulimit_blocks=
start games.all_levels=yes
same "no opponent" "$(post /v1/games '{"rules":"classic"}' .field)" "/opponent 400"
same "no such opponent" "$(post /v1/games '{"rules":"classic","opponent":"me"}' .field)" \
    "/opponent 400"
same "no level" "$(post /v1/games '{"rules":"classic","opponent":"computer"}' .field)" \
    "/level 400"
same "a level for nobody" \
    "$(post /v1/games '{"rules":"classic","opponent":"local","level":1}' .field)" "/level 400"
same "nothing to play" "$(post /v1/games '{"rules":"classic","opponent":"local","fen":"W:W:B5"}' \
    .type)" "urn:draughtsmith:problem:game-over 409"
same "no such game" "$(get /v1/games/none .status)" "404 404"
same "a bad query" "$(get /v1/games/none?wait=x .field)" "wait 400"
stop
echo "$draughtsd: hosted games as they should be"
