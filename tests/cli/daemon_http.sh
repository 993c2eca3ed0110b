#!/bin/bash
# What belongs to HTTP and not to draughts, on the real daemon: who may come, how often, what is
# logged and counted.
#
#     daemon_http.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
. "$(dirname "$0")/daemon_lib.sh"

# ask OPTION...: the headers of an answer to $work/head, its body to $work/body, prints the status
ask() {
    curl -s -m 20 -D - -o "$work/body" "$@" | tr -d '\r' >"$work/head"
    sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p' "$work/head"
}
field() { # NAME: of the last answer
    sed -n "s/^$1: //Ip" "$work/head"
}
moves() { # OPTION...
    ask -H 'Content-Type: application/json' -d '{"rules":"classic"}' "$@" "$url/v1/moves"
}

mkdir "$work/data"
"$make_artefacts" "$work/data"
start http.origins=https://friend.example http.hosts=draughts.example \
    "http.access_log=$work/access" http.keep_alive=3

# --- names and pages of other sites
same "our name" "$(ask -H 'Host: draughts.example:80' "$url/healthz")" 200
same "a foreign name that points here" "$(ask -H 'Host: evil.example' "$url/healthz")" 403
same "the field" "$(jq -r .field "$work/body")" Host
same "a page of ours" "$(moves -H "Origin: $url")" 200
same "a listed page" "$(moves -H 'Origin: https://friend.example')" 200
same "may read" "$(field Access-Control-Allow-Origin)" https://friend.example
same "may see" "$(field Access-Control-Expose-Headers | grep -c ETag)" 1
same "no cookies" "$(field Access-Control-Allow-Credentials)" ""
same "another page" "$(moves -H 'Origin: https://evil.example')" 403
same "is told nothing" "$(field Access-Control-Allow-Origin)" ""
same "another page reads" "$(ask -H 'Origin: https://evil.example' "$url/v1/rules")" 200
same "and is told nothing" "$(field Access-Control-Allow-Origin)" ""
preflight() { # ORIGIN
    ask -X OPTIONS -H "Origin: $1" -H 'Access-Control-Request-Method: POST' "$url/v1/moves"
}
same "preflight" "$(preflight https://friend.example)" 204
same "what may be asked" "$(field Access-Control-Allow-Methods)" "POST, OPTIONS"
same "with which headers" "$(field Access-Control-Allow-Headers | grep -c Idempotency-Key)" 1
same "another's preflight" "$(preflight https://evil.example)" 204
same "is told nothing, too" "$(field Access-Control-Allow-Methods)" ""

# --- ids and the log
same "an id is taken over" "$(ask -H 'X-Request-Id: abc-1.2_3' "$url/healthz"; field X-Request-Id)" \
    "200
abc-1.2_3"
same "no id with quotes" "$(ask -H 'X-Request-Id: a"b' "$url/healthz")" 200
field X-Request-Id | grep -Eqx '[0-9a-f]{16}' || fail "no id of its own"
first=$(field X-Request-Id)
ask "$url/healthz" >/dev/null
[ "$(field X-Request-Id)" != "$first" ] || fail "two requests with one id"
ask "$url/v1/no%22\"thing?a=1" >/dev/null
line='^127\.0\.0\.1 - - \[[0-9]{2}/[A-Z][a-z]{2}/20[0-9]{2}:[0-9:]{8} \+0000\] '
grep -Eq "$line\"GET /healthz HTTP/1.1\" 200 [0-9]+ \"abc-1.2_3\" [0-9.]+\$" "$work/access" ||
    fail "not in the log: $(cat "$work/access")"
grep -Eq "$line\"GET /v1/no%22\\\\x22thing\\?a=1 HTTP/1.1\" 404" "$work/access" ||
    fail "not escaped: $(tail -n 1 "$work/access")"
mv "$work/access" "$work/access.1"
kill -HUP "$daemon"
for _ in $(seq 100); do
    [ ! -e "$work/access" ] || break
    sleep 0.05
done
ask -H 'X-Request-Id: after' "$url/healthz" >/dev/null
grep -q after "$work/access" || fail "the log was not opened anew"

# --- a request with a key is done once, whether or not its first answer was heard
game='{"rules":"classic","opponent":"local"}'
make_game() { # KEY [OPTION...]
    ask -H 'Content-Type: application/json' -H "Idempotency-Key: $1" -d "$game" "${@:2}" \
        "$url/v1/games"
}
same "a game" "$(make_game one)" 201
id=$(jq -r .id "$work/body")
token=$(jq -r .token "$work/body")
same "the same again" "$(make_game one)" 201
same "is the same game" "$(jq -r '[.id, .token] | join(" ")' "$work/body")" "$id $token"
same "and says so" "$(field Idempotency-Replayed)" true
game='{"rules":"flying","opponent":"local"}'
same "another with this key" "$(make_game one)" 422
same "with one of its own" "$(make_game two)" 201
[ "$(jq -r .id "$work/body")" != "$id" ] || fail "another game has the same id"
# Clients that leave as soon as they have sent it: the game is made all the same, once.
python3 - "$host" "$port" <<'END'
import socket, sys
body = b'{"rules":"international","opponent":"local"}'
for _ in range(5):
    client = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    client.sendall(b"POST /v1/games HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: three\r\n"
                   b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    client.close()
END
game='{"rules":"international","opponent":"local"}'
for _ in $(seq 100); do
    status=$(make_game three)
    [ "$status" = 409 ] || break
    sleep 0.05
done
same "heard at last" "$status" 201
three=$(jq -r .id "$work/body")
same "once more" "$(make_game three; jq -r .id "$work/body")" "201
$three"
same "made once" "$(python3 - "$work/games.db" <<'END'
import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute(
    "SELECT count(*) FROM games WHERE rules = 'international'").fetchone()[0])
END
)" 1
resign() {
    ask -X POST -H 'Content-Length: 0' -H "Authorization: Bearer $token" -H "Idempotency-Key: $1" \
        "$url/v1/games/$id/resign"
}
same "resigned" "$(resign x)" 200
same "resigned again" "$(resign x)" 200
same "with a fresh key" "$(resign y)" 409

# --- so many requests a connection
curl -s -m 20 -v "$url/healthz" "$url/healthz" "$url/healthz" "$url/healthz" >"$work/body" \
    2>"$work/head"
same "closed behind the third" "$(grep -ci '^< connection: close' "$work/head")" 1
same "and opened again" "$(grep -c 'Connected to' "$work/head")" 2

# --- histograms
curl -s -m 20 "$url/metrics" >"$work/metrics"
count=$(sed -n 's|^draughtsd_request_seconds_count{path="/healthz"} ||p' "$work/metrics")
[ "$count" -gt 5 ] || fail "$count requests in the histogram"
same "all in the last bucket" \
    "$(sed -n 's|^draughtsd_request_seconds_bucket{path="/healthz",le="+Inf"} ||p' "$work/metrics")" \
    "$count"
stop

# --- so many of an address
start http.connections_per_address=3 http.requests_per_second=0.2 http.unlimited= http.forwarded=on
codes=$(for _ in 1 2 3 4; do ask -H "X-Forwarded-For: 192.0.2.1" "$url/healthz"; done | sort | uniq -c)
echo "$codes" | grep -q 200 || fail "nothing was granted: $codes"
echo "$codes" | grep -q 429 || fail "nothing was slowed: $codes"
[ "$(field Retry-After)" -ge 1 ] || fail "no Retry-After"
same "another address" "$(ask -H 'X-Forwarded-For: 192.0.2.1, 192.0.2.7' "$url/healthz")" 200
for i in 1 2 3; do
    exec {idle[$i]}<>"/dev/tcp/$host/$port"
done
status=429
for n in $(seq 100); do
    status=$(curl -s -m 5 -o "$work/body" -w '%{http_code}' -H "X-Forwarded-For: 192.0.4.$n" \
        "$url/healthz" || true)
    [ "$status" != 429 ] || break
done
same "a connection too many" "$status" 429
same "is told so" "$(jq -r .type "$work/body")" urn:draughtsmith:problem:too-many
exec {idle[1]}>&-
for n in $(seq 100); do
    status=$(ask -H "X-Forwarded-For: 192.0.3.$n" "$url/healthz")
    [ "$status" != 200 ] || break
    sleep 0.05
done
same "one of them closed" "$status" 200
curl -s -m 20 -H 'X-Forwarded-For: 192.0.2.11' "$url/metrics" >"$work/metrics"
grep -q '^draughtsd_connections_refused_total [1-9]' "$work/metrics" || fail "not counted"
grep -q '^draughtsd_requests_refused_total [1-9]' "$work/metrics" || fail "not counted"
stop

echo "daemon_http: all as it should be"
