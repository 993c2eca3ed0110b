# What the tests of the real daemon share; sourced by bash, with $draughtsd set.

work=$(mktemp -d)
daemon=
trap 'if [ -n "$daemon" ]; then kill -9 "$daemon" 2>/dev/null || true; fi; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    [ ! -f "$work/log" ] || tail -n 20 "$work/log" >&2
    exit 1
}

# same WHAT GOT WANTED
same() {
    [ "$2" = "$3" ] || fail "$1: got '$2', wanted '$3'"
}

# start [SETTING...]: starts the daemon on the same store as before and sets $url, $host and
# $port. With $ulimit_blocks no file of it may be larger than so many kilobytes; $verbosity "" logs
# no requests.
ulimit_blocks=
verbosity=-v
start() {
    local options=() setting
    for setting in "$@"; do
        options+=(-s "$setting")
    done
    : >"$work/log"
    (
        if [ -n "$ulimit_blocks" ]; then
            trap '' XFSZ
            ulimit -f "$ulimit_blocks"
        fi
        exec "$draughtsd" $verbosity -s http.listen=127.0.0.1:0 -s "weights.dir=$work/data" \
            -s "store.file=$work/games.db" "${options[@]}" 2>"$work/log"
    ) &
    daemon=$!
    for _ in $(seq 200); do
        url=$(sed -n 's/^listening on //p' "$work/log")
        [ -z "$url" ] || break
        kill -0 "$daemon" 2>/dev/null || fail "the daemon ended at once"
        sleep 0.05
    done
    [ -n "$url" ] || fail "the daemon does not listen"
    host=127.0.0.1
    port=${url##*:}
}

# stop: SIGTERM, and the daemon must end with status 0
stop() {
    local status=0
    kill -TERM "$daemon"
    wait "$daemon" || status=$?
    daemon=
    same "exit status after SIGTERM" "$status" 0
}

# killed: SIGKILL
killed() {
    kill -9 "$daemon"
    wait "$daemon" 2>/dev/null || true
    daemon=
}

# post PATH BODY JQ [CURL OPTION...]: what jq makes of the answer, and the status behind it. With
# $token it is sent.
token=
post() {
    local path=$1 body=$2 filter=$3 status
    shift 3
    status=$(curl -s -m 30 -o "$work/body" -w '%{http_code}' -H 'Content-Type: application/json' \
        ${token:+-H "Authorization: Bearer $token"} "$@" -d "$body" "$url$path")
    echo "$(jq -r "$filter" "$work/body") $status"
}

# get PATH JQ: the same for what is read
get() {
    local status
    status=$(curl -s -m 30 -o "$work/body" -w '%{http_code}' \
        ${token:+-H "Authorization: Bearer $token"} "$url$1")
    echo "$(jq -r "$2" "$work/body") $status"
}

# new BODY: makes a game and sets $game and $token
new() {
    token=
    same "a new game $1" "$(post /v1/games "$1" .events)" "0 201"
    game=/v1/games/$(jq -r .id "$work/body")
    token=$(jq -r .token "$work/body")
}
