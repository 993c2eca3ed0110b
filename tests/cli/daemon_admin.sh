#!/bin/bash
# draughtsd admin beside a running daemon, keys of other back ends, games that nobody goes on with.
#
#     daemon_admin.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
. "$(dirname "$0")/daemon_lib.sh"

admin() {
    local status=0
    "$draughtsd" admin "$1" -s "store.file=$work/games.db" "${@:2}" >"$work/out" 2>&1 || status=$?
    echo "$(cat "$work/out") $status"
}

mkdir "$work/data"
"$make_artefacts" "$work/data" classic
same "no store yet" "$(admin levels | sed 's/.*there is no.*store /store /')" "store 2"
start games.expire=4

# --- players
token=
post /v1/players '{"name":"Ann","password":"correct horse"}' .name >/dev/null
token=$(jq -r .token "$work/body")
same "renamed" "$(admin rename ann 'Anne B')" "Ann is called Anne B now 0"
same "at once" "$(get /v1/me .name)" "Anne B 200"
mine=$token
token=
same "the old name is free" "$(post /v1/players '{"name":"Ann","password":"correct horse"}' .name)" \
    "Ann 201"
same "not twice" "$(admin rename Ann 'ANNE B')" \
    "draughtsd admin: error: somebody is called 'ANNE B', or looks like it 1"
token=$mine
same "banned" "$(admin ban 'anne b' 'rude words')" "Anne B is banned 0"
same "no session any more" "$(get /v1/me .status)" "401 401"
token=
log_in() { post /v1/sessions "{\"name\":\"Anne B\",\"password\":\"$1\"}" "$2"; }
same "nor a new one" "$(log_in 'correct horse' .detail)" "closed by the operator: rude words 403"
same "unbanned" "$(admin unban 'Anne B')" "Anne B may play again 0"
same "in again" "$(log_in 'correct horse' .name)" "Anne B 201"
token=$(jq -r .token "$work/body")
admin reset 'Anne B' >"$work/reset"
code=$(sed -n 's/^recovery code of Anne B: \(.*\) 0$/\1/p' "$work/reset")
same "a code" "${#code}" 23
same "reset ends sessions" "$(get /v1/me .status)" "401 401"
token=
same "the password is none" "$(log_in 'correct horse' .status)" "401 401"
same "the code is good" "$(post /v1/recovery \
    "{\"name\":\"Anne B\",\"recovery_code\":\"$code\",\"password\":\"battery staple\"}" .name)" \
    "Anne B 201"
same "deleted" "$(admin delete 'Anne B')" "Anne B is deleted 0"
same "gone" "$(admin ban 'Anne B')" "draughtsd admin: error: nobody is called 'Anne B' 1"
same "no name" "$(admin ban '' | sed 's/.*: a name/a name/')" \
    "a name neither is empty nor ends with a space 2"

# --- keys
same "no keys" "$(admin keys)" " 0"
key=$(admin keys add club | sed -n 's/^key of club: \(.*\) 0$/\1/p')
same "a key" "${#key}" 43
token=$key
game='{"rules":"classic","opponent":"computer","level":1}'
same "for whom?" "$(post /v1/games "$game" .field)" "X-User 400"
same "for one of theirs" "$(post /v1/games "$game" '.you[0] + (.token // " no token")' \
    -H 'X-User: 17')" "black no token 201"
path=/v1/games/$(jq -r .id "$work/body")
same "who plays it" "$(post "$path/resign" '{}' .outcome.reason -H 'X-User: 17')" "resigned 200"
same "another does not" "$(post "$path/resign" '{}' .status -H 'X-User: 18')" "403 403"
same "what was played" "$(curl -s -H "Authorization: Bearer $key" -H 'X-User: 17' "$url/v1/me" |
    jq '.progress[] | select(.rules == "classic") | .games')" 1
same "no account for them" "$(post /v1/players '{"name":"Zoe","password":"correct horse"}' .status \
    -H 'X-User: 17')" "409 409"
same "listed" "$(admin keys | tr '\t' ' ')" "club 1 users 0"
same "revoked" "$(admin keys revoke club)" "the key of club is revoked 0"
same "and refused" "$(post /v1/games "$game" .status -H 'X-User: 17')" "401 401"
same "levels" "$(admin levels | tail -1 | tr -s ' ')" "classic 1 Beginner 1 0.0 1 0.0 - 0"
same "no such command" "$(admin bann x | sed 's/.*unknown/unknown/')" \
    "unknown command 'bann', did you mean 'ban'? 2"

# --- a game that nobody goes on with ends by itself
new '{"rules":"classic","opponent":"local"}'
game=$(sed 's/.*\///' <<<"$game")
for _ in $(seq 100); do
    [ "$(get "/v1/games/$game" .status)" != "over 200" ] || break
    sleep 0.1
done
same "expired" "$(get "/v1/games/$game" .outcome.reason)" "expired 200"
stop
echo "$draughtsd: admin, keys and expiry as they should be"
