#!/bin/bash
# Starts the real daemon on a free loopback port and talks to it as a client would: curl and jq,
# and for what curl never sends, bare sockets.
#
#     daemon.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
. "$(dirname "$0")/daemon_lib.sh"

# get PATH JQ: what jq makes of the answer, and the status behind it
get() {
    curl -s -m 20 -o "$work/body" -w '%{http_code}' "$url$1" >"$work/status"
    echo "$(jq -r "$2" "$work/body") $(cat "$work/status")"
}

# post PATH BODY JQ
post() {
    curl -s -m 30 -o "$work/body" -w '%{http_code}' -H 'Content-Type: application/json' \
        -d "$2" "$url$1" >"$work/status"
    echo "$(jq -r "$3" "$work/body") $(cat "$work/status")"
}

# raw TEXT: sends bytes on a connection of its own, prints the first line of what comes back
raw() {
    exec 3<>"/dev/tcp/$host/$port"
    printf "$1" >&3
    timeout 20 head -n 1 <&3 | tr -d '\r' || true
    exec 3>&-
}

metric() {
    curl -s -m 20 "$url/metrics" | sed -n "s/^draughtsd_$1 //p"
}

# waits until a metric has a value
await_metric() {
    for _ in $(seq 200); do
        [ "$(metric "$1")" != "$2" ] || return 0
        sleep 0.05
    done
    fail "$1 does not become $2"
}

mkdir "$work/data"
"$make_artefacts" "$work/data"

# --- what is served
start
same "health" "$(get /healthz .status)" "ok 200"
same "ready" "$(get /readyz .status)" "ready 200"
same "rule sets" "$(get /v1/rules '[.rules[].name] | join(",")')" "international,classic,flying 200"
same "levels" "$(get '/v1/levels?rules=flying' '[.levels[].name] | join(",")')" \
    "Beginner,Easy,Medium,Hard,Expert,Master 200"
same "openapi" "$(get /openapi.json .openapi)" "3.1.0 200"

# --- the page
# headers OPTION...: the headers of an answer, one a line, the status first
headers() {
    curl -s -m 20 -o "$work/body" -D - "$@" | tr -d '\r'
}
field() { # NAME: of what headers has printed
    sed -n "s/^$1: //Ip"
}
headers "$url/" >"$work/head"
grep -qi '<!DOCTYPE html>' "$work/body" || fail "no page"
same "type of the page" "$(field Content-Type <"$work/head")" "text/html; charset=utf-8"
same "the page may be kept" "$(field Cache-Control <"$work/head")" no-cache
field Content-Security-Policy <"$work/head" | grep -q "default-src 'none'" || fail "no policy"
if field Content-Security-Policy <"$work/head" | grep -q unsafe; then
    fail "the policy lets inline scripts or styles through"
fi
etag=$(field ETag <"$work/head")
same "kept page" "$(headers -H "If-None-Match: W/\"x\", $etag" "$url/" | head -n 1)" \
    "HTTP/1.1 304 Not Modified"
headers -H 'Accept-Encoding: br, gzip' "$url/openapi.json" >"$work/head"
same "packed" "$(field Content-Encoding <"$work/head")" gzip
same "packed bytes" "$(gunzip -c "$work/body" | jq -r .openapi)" 3.1.0
[ "$(field ETag <"$work/head")" != "$(headers "$url/openapi.json" | field ETag)" ] ||
    fail "packed and plain have one tag"
same "varies" "$(field Vary <"$work/head")" Accept-Encoding
same "HEAD of the page" "$(headers -I "$url/" | field Content-Length)" \
    "$(headers "$url/" | field Content-Length)"
same "outside the page" "$(curl -s -m 20 --path-as-is "$url/../web.c" | jq .status)" 404
same "answers are not kept" "$(headers "$url/v1/rules" | field Cache-Control)" no-store
same "refusals load nothing" "$(headers "$url/v1/nothing" | field Content-Security-Policy)" \
    "default-src 'none'; frame-ancestors 'none'"

# --- the API
for rules in international:9 classic:7 flying:7; do
    same "moves of $rules" \
        "$(post /v1/moves "{\"rules\":\"${rules%:*}\"}" '.moves | length')" "${rules#*:} 200"
done
for level in 1 2 3 4 5; do
    same "bestmove, level $level" \
        "$(post /v1/bestmove "{\"rules\":\"classic\",\"level\":$level,\"seed\":7}" '.seed')" \
        "7 200"
done
first=$(post /v1/bestmove '{"rules":"international","level":5,"seed":3}' .)
same "the same seed" "$(post /v1/bestmove '{"rules":"international","level":5,"seed":3}' .)" \
    "$first"

same "analysis" "$(post /v1/analysis '{"rules":"classic","depth":7}' \
    '[.depth, .turn, (.line[0] == .move), .score.unit] | map(tostring) | join(",")')" \
    "7,black,true,hundredths of a man 200"
same "analysis by time" "$(post /v1/analysis '{"rules":"flying","time_ms":50}' '.time_ms >= 49')" \
    "true 200"

# --- an ending played out: a level against random moves
start_fen='W:WK3,K1,22:B5,12,K32'
moves=
outcome=open
for ply in $(seq 1 120); do
    body="{\"rules\":\"flying\",\"fen\":\"$start_fen\",\"moves\":\"$moves\",\"seed\":1"
    curl -s -m 20 -H 'Content-Type: application/json' \
        -d "$body,\"level\":$((ply % 2 == 1 ? 5 : 1))}" "$url/v1/bestmove" >"$work/body"
    read -r move outcome < <(jq -r '"\(.move) \(.outcome.reason // "open")"' "$work/body")
    moves="$moves $move"
    [ "$outcome" = open ] || break
done
[ "$outcome" != open ] || fail "120 plies and no end"
body="{\"rules\":\"flying\",\"fen\":\"$start_fen\",\"moves\":\"$moves\""
same "the end of a game" "$(post /v1/moves "$body}" .outcome.reason)" "$outcome 200"
same "a move after the end" "$(post /v1/bestmove "$body,\"level\":1}" .status)" "409 409"

# --- refusals
same "unknown path" "$(get /v1/nothing .status)" "404 404"
same "wrong method" "$(curl -s -m 20 -o /dev/null -w '%{http_code}' "$url/v1/moves")" 405
curl -s -m 20 -D "$work/head" -o /dev/null "$url/v1/moves"
grep -qi '^Allow: POST, OPTIONS' "$work/head" || fail "405 without Allow"
same "bad JSON" "$(post /v1/moves '{"rules":}' .type)" "urn:draughtsmith:problem:bad-json 400"
same "media type" "$(curl -s -m 20 -o /dev/null -w '%{http_code}' -d '{}' "$url/v1/moves")" 415
head -c 70000 /dev/zero | tr '\0' ' ' >"$work/large"
same "large body" "$(post /v1/moves "@$work/large" .status)" "413 413"

# --- what the HTTP library refuses by itself is a problem like all others, not its page
unread() { # FORMAT NUMBER: the last answer to the bytes that printf makes of them
    exec 3<>"/dev/tcp/$host/$port"
    printf "$1" "$2" >&3
    timeout 20 cat <&3 >"$work/answer"
    exec 3>&-
    grep -q '^Content-Type: application/problem+json' "$work/answer" || fail "no problem: $1"
    tail -n 1 "$work/answer" | jq -r '"\(.status) \(.type | ltrimstr("urn:draughtsmith:problem:"))"'
}
same "no HTTP" "$(unread 'no HTTP %s\r\n\r\n' 1)" "400 bad-request"
same "a long header" "$(unread 'GET / HTTP/1.1\r\nHost: a\r\nX: %020000d\r\n\r\n' 0)" "400 bad-request"
same "a long body" "$(unread \
    'POST /v1/moves HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n%0200000d' 0)" "413 too-large"
same "a long chunk" "$(unread \
    'POST /v1/moves HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n%0200000d' 0)" \
    "413 too-large"
same "another expectation" "$(unread \
    'POST /v1/moves HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: %s\r\n\r\n' 2)" \
    "417 expectation"
same "behind a request" "$(unread 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nno HTTP %s\r\n\r\n' 1)" \
    "400 bad-request"

# --- requests that evhttp alone would take
same "no Host" "$(raw 'GET /healthz HTTP/1.1\r\n\r\n')" "HTTP/1.1 400 Bad Request"
same "two Hosts" "$(raw 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')" \
    "HTTP/1.1 400 Bad Request"
same "signed length" \
    "$(raw 'POST /v1/moves HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}')" \
    "HTTP/1.1 400 Bad Request"
same "two lengths" \
    "$(raw 'POST /v1/moves HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}')" \
    "HTTP/1.1 400 Bad Request"
same "no length" "$(raw 'POST /v1/moves HTTP/1.1\r\nHost: a\r\n\r\n')" \
    "HTTP/1.1 411 Length Required"
same "a version that there never was" "$(raw 'GET /healthz HTTP/0.1\r\nHost: localhost\r\n\r\n')" \
    "HTTP/1.0 505 HTTP Version not supported"
same "a version to come" "$(raw 'GET /healthz HTTP/1.7\r\nHost: localhost\r\n\r\n')" "HTTP/1.1 200 OK"
same "old client" "$(raw 'GET /healthz HTTP/1.0\r\n\r\n')" "HTTP/1.0 200 OK"
grep -q '^GET /healthz 200 ' "$work/log" || fail "no access log with -v"

# --- weights are exchanged while it runs
rm "$work/data/flying.h5"
kill -HUP "$daemon"
await_metric reloads_total 1
same "not ready without flying" "$(get /readyz .detail)" "no weights for flying 503"
same "flying is not served" "$(get '/v1/levels?rules=flying' .type)" \
    "urn:draughtsmith:problem:not-served 503"
same "moves of flying" "$(post /v1/moves '{"rules":"flying"}' '.moves | length')" "7 200"
echo "not HDF5" >"$work/data/flying.h5"
kill -HUP "$daemon"
await_metric reloads_failed_total 1
same "the old levels stay" "$(get '/v1/levels?rules=classic' '.levels | length')" "6 200"
rm "$work/data/flying.h5"
"$make_artefacts" "$work/data" flying
kill -HUP "$daemon"
await_metric reloads_total 2
same "ready again" "$(get /readyz .status)" "ready 200"
stop

# --- time, queue, cap
start search.threads=1 search.queue=1 http.timeout=4 http.max_connections=8
long='{"rules":"international","level":6,"seed":1}'
post /v1/bestmove "$long" .type >"$work/one" &
one=$!
await_metric searches_running 1
post() { # again, with files of its own
    curl -s -m 30 -H 'Content-Type: application/json' -d "$2" "$url$1" | jq -r "$3"
}
post /v1/bestmove "$long" .type >"$work/two" &
two=$!
await_metric searches_queued 1
same "a full queue" "$(post /v1/bestmove "$long" .type)" "urn:draughtsmith:problem:overloaded"
same "the rest is quick" "$(curl -s -m 1 "$url/healthz" | jq -r .status)" ok
wait "$one" "$two"
same "out of time, running" "$(cat "$work/one")" "urn:draughtsmith:problem:timeout 503"
same "out of time, queued" "$(cat "$work/two")" "urn:draughtsmith:problem:timeout"
await_metric searches_cancelled_total 2

# A client that sends its header, or its body, drop by drop is closed.
for part in 'GET /healthz HTT' 'POST /v1/moves HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{'; do
    exec 4<>"/dev/tcp/$host/$port"
    printf "$part" >&4
    (while sleep 0.2 && printf x >&4; do :; done) 2>/dev/null &
    drip=$!
    timeout 20 cat <&4 >/dev/null || fail "a slow client is not closed"
    kill "$drip" 2>/dev/null || true
    wait "$drip" 2>/dev/null || true
    exec 4>&-
done

# Connections over the cap wait and are served when others have been closed for idling.
for _ in $(seq 8); do
    exec {idle}<>"/dev/tcp/$host/$port"
done
status=0
curl -s -m 0.5 -o /dev/null "$url/healthz" || status=$?
same "not served over the cap" "$status" 28
same "served after the idle ones" "$(curl -s -m 10 "$url/healthz" | jq -r .status)" ok

# What runs is answered before the end.
post /v1/bestmove "$long" .type >"$work/one" &
one=$!
await_metric searches_running 1
stop
wait "$one"
same "answered while draining" "$(cat "$work/one")" "urn:draughtsmith:problem:timeout"

# --- a client that leaves; draining: what runs is answered, what is idle is closed, nothing new is accepted
start http.drain=1 http.timeout=60
timeout 0.3 curl -s -H 'Content-Type: application/json' -d "$long" "$url/v1/bestmove" || true
await_metric searches_cancelled_total 1 # its client has left, long before its time was up
await_metric searches_running 0
exec 5<>"/dev/tcp/$host/$port"
SECONDS=0
kill -TERM "$daemon"
same "not ready while draining" "$(curl -s -m 20 -D "$work/head" "$url/readyz" | jq -r .detail)" \
    "shutting down"
grep -qi '^Connection: close' "$work/head" || fail "kept alive while draining"
status=0
wait "$daemon" || status=$?
daemon=
same "exit status after draining" "$status" 0
[ "$SECONDS" -lt 20 ] || fail "an idle connection holds the daemon up"
exec 5>&-

# --- starts that must fail, each with one line
refused() { # STATUS TEXT OPTION...
    local wanted=$1 text=$2 status=0
    shift 2
    timeout 20 "$draughtsd" "$@" >"$work/out" 2>"$work/err" || status=$?
    same "status of: $*" "$status" "$wanted"
    same "lines of: $*" "$(wc -l <"$work/err")" 1
    grep -q -- "$text" "$work/err" || fail "'$(cat "$work/err")' does not say '$text'"
}
start
refused 1 "cannot listen on $host:$port" -q -s "http.listen=$host:$port" -s "weights.dir=$work/data"
stop
refused 2 "no weights in $work/none" -s "weights.dir=$work/none" -s http.listen=127.0.0.1:0
refused 2 "http.listen" -q -s http.listen=localhost -s "weights.dir=$work/data"
refused 2 "http.listen" --check -s http.listen=localhost
refused 2 "http.lisen" -s http.lisen=127.0.0.1:0
refused 2 "search.queue" -s search.queue=0
cp "$work/data/classic.h5" "$work/data/flying.h5"
refused 2 "flying.h5" -q -s "weights.dir=$work/data" -s http.listen=127.0.0.1:0
if [ -w /dev/full ]; then
    status=0
    "$draughtsd" --help >/dev/full 2>"$work/err" || status=$?
    same "status of --help on a full disk" "$status" 1
    grep -q 'standard output' "$work/err" || fail "'$(cat "$work/err")' on a full disk"
fi

echo "daemon: all as it should be"
