#!/bin/bash
# Accounts on the real daemon: sign-up, cookie, log-out, limits, a kill; a guest who signs up.
#
#     daemon_accounts.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
. "$(dirname "$0")/daemon_lib.sh"

mkdir "$work/data"
"$make_artefacts" "$work/data"
start

# --- sign-up, log-in, log-out
me='{"name":"Ann","password":"correct horse"}'
token=
same "nobody yet" "$(get /v1/me .type)" "urn:draughtsmith:problem:not-signed-in 401"
same "signed up" "$(post /v1/players "$me" '.name + " " + (.recovery_code | length | tostring)')" \
    "Ann 23 201"
token=$(jq -r .token "$work/body")
code=$(jq -r .recovery_code "$work/body")
same "who one is" "$(get /v1/me '"\(.name) \(.guest)"')" "Ann false 200"
killed
start
same "there after a kill" "$(get /v1/me .name)" "Ann 200"
first=$token
same "logged in" "$(post /v1/sessions "$me" .name)" "Ann 201"
token=$(jq -r .token "$work/body")
same "with another token" "$([ "$token" != "$first" ] && get /v1/me .name)" "Ann 200"
same "the one before is over" "$(token=$first get /v1/me .type)" \
    "urn:draughtsmith:problem:bad-token 401"
same "no secret is stored" \
    "$(grep -c -a -F -e "$token" -e "$code" -e 'correct horse' "$work"/games.db* | cut -d: -f2 |
        sort -u)" 0
same "log-out" "$(curl -s -X DELETE -o /dev/null -w '%{http_code}' \
    -H "Authorization: Bearer $token" "$url/v1/sessions")" 204
same "logged out" "$(get /v1/me .status)" "401 401"
token=
same "a look-alike" "$(post /v1/players '{"name":"Аnn","password":"correct horse"}' .field)" \
    "/name 409"
same "not JSON" "$(post /v1/players '' .type)" "urn:draughtsmith:problem:bad-json 400"

# --- the cookie: no script reads it, no other site sends it, and log-out takes it away
cookie() {
    curl -s -D "$work/head" -o "$work/body" -b "$work/jar" -c "$work/jar" \
        -H 'Content-Type: application/json' "$@"
    tr -d '\r' <"$work/head" | sed -n 's/^Set-Cookie: //p' | sed 's/draughtsd=[^;]*/draughtsd=T/'
}
: >"$work/jar"
same "a cookie" "$(cookie -d "$me" "$url/v1/sessions")" \
    "draughtsd=T; Path=/; HttpOnly; SameSite=Strict; Max-Age=7776000"
cookie "$url/v1/me" >/dev/null
same "known by it" "$(jq -r .name "$work/body")" Ann
same "over TLS" "$(cookie -H 'X-Forwarded-Proto: https' -d "$me" "$url/v1/sessions")" \
    "draughtsd=T; Path=/; HttpOnly; SameSite=Strict; Max-Age=7776000; Secure"
same "taken away" "$(cookie -X DELETE "$url/v1/sessions?all=yes" -H 'Cookie: draughtsd='"$(jq -r \
    .token "$work/body")")" "draughtsd=T; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"

# --- a guest who signs up keeps the game
new '{"rules":"international","opponent":"local"}'
guest=$token
same "the guest signs up" "$(post /v1/players '{"name":"Ben","password":"correct horse"}' .name)" \
    "Ben 201"
token=$(jq -r .token "$work/body")
same "the game is Ben's" "$(post "$game/moves" '{"ply":0,"move":"32-28"}' .ply)" "1 200"
same "and says so" "$(get "$game" '"\(.players.white) \(.players.black)"')" "Ben Ben 200"
same "the record too" "$(curl -s "$url$game/pdn" | grep -c '^\[\(White\|Black\) "Ben"\]')" 2
ben=$token
new '{"rules":"flying","opponent":"friend"}'
same "a guest has no name" "$(get "$game" .players.white)" "null 200"
token=$ben
same "Ben joins" "$(post "$game/join" '{}' .players.black)" "Ben 200"
# Games of one second come in any order.
same "all that is kept of Ben" "$(get /v1/me/export \
    '.name, (.games | sort_by(.opponent)[] | .opponent, .you, .result)' | tr '\n' ' ')" \
    "Ben friend black null local white null 200 "
same "the guest is nobody" "$(token=$guest get /v1/me .status)" "401 401"
same "deleted" "$(curl -s -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' \
    -H "Authorization: Bearer $token" -d '{"password":"correct horse"}' "$url/v1/me/delete")" 204
same "and so is the session" "$(get /v1/me .status)" "401 401"
stop

# --- limits; sessions that end by themselves
start accounts.logins_per_hour=2 accounts.signups_per_hour=1
token=
wrong='{"name":"Ann","password":"wrong horse"}'
same "wrong once" "$(post /v1/sessions "$wrong" .status)" "401 401"
same "wrong twice" "$(post /v1/sessions "$wrong" .status)" "401 401"
same "enough" "$(post /v1/sessions "$me" .type)" "urn:draughtsmith:problem:too-many 429"
curl -s -D "$work/head" -o /dev/null -H 'Content-Type: application/json' -d "$me" \
    "$url/v1/sessions"
grep -q '^Retry-After: [1-9]' "$work/head" || fail "no Retry-After"
same "one account" "$(post /v1/players '{"name":"Cem","password":"correct horse"}' .name)" "Cem 201"
same "not two" "$(post /v1/players '{"name":"Dan","password":"correct horse"}' .status)" "429 429"

# --- racing sign-ups for one name: one gets it
stop
start accounts.signups_per_hour=0 accounts.hash_threads=2
racers=()
for i in $(seq 8); do
    curl -s -m 20 -o /dev/null -w '%{http_code}\n' -H 'Content-Type: application/json' \
        -d '{"name":"Eve","password":"correct horse"}' "$url/v1/players" >"$work/status$i" &
    racers+=($!)
done
wait "${racers[@]}"
same "one Eve" "$(cat "$work"/status[0-9]* | sort | uniq -c | tr -s ' ' | tr '\n' ',')" \
    " 1 201, 7 409,"
stop
echo "$draughtsd: accounts as they should be"
