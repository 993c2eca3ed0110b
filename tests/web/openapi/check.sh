#!/bin/bash
# The description of the API, read and held to by tools of others: redocly and spectral find nothing to
# say of it, and prism stands between client and daemon and lets no answer pass that is not described,
# while the examples of docs/http-api.md are run and the bot plays a game. Needs npm and jq.
#
#     check.sh DRAUGHTSD SOURCE
set -euo pipefail

draughtsd=$(realpath "$1")
source=$2
here=$source/tests/web/openapi
. "$source/tests/cli/daemon_lib.sh"

cd "$here"
cmp -s package-lock.json node_modules/.fetched ||
    { npm ci --no-audit --no-fund --ignore-scripts && cp package-lock.json node_modules/.fetched; }
tools=$here/node_modules/.bin
"$tools/redocly" lint --config redocly.yaml "$source/daemon/openapi.json" 2>&1 | tee "$work/redocly"
if grep -q 'You have .* warning' "$work/redocly"; then
    fail "redocly warns"
fi
"$tools/spectral" lint --fail-severity=warn --ruleset spectral.yaml "$source/daemon/openapi.json"

ln -s "$source/data" "$work/data"
start
key=$("$draughtsd" admin keys add -s "store.file=$work/games.db" shop | sed -n 's/^key of shop: //p')
ready=$(($(date +%s) + 400))
"$tools/prism" proxy "$source/daemon/openapi.json" "$url" --errors --host 127.0.0.1 --port 0 \
    >"$work/prism" 2>&1 &
prism=$!
trap 'kill "$prism" 2>/dev/null || true; kill -9 "$daemon" 2>/dev/null || true; rm -rf "$work"' EXIT
proxy=
while [ -z "$proxy" ]; do
    [ "$(date +%s)" -lt "$ready" ] || fail "prism does not start: $(cat "$work/prism")"
    proxy=$(sed -n 's|.*Prism is listening on \(http://[0-9.:]*\).*|\1|p' "$work/prism")
    sleep 0.2
done
for path in /healthz /readyz /metrics /openapi.json / /v1/rules /v1/rules/flying \
    '/v1/levels?rules=classic' '/v1/leaderboard' '/v1/leaderboard?rules=classic'; do
    status=$(curl -s -m 30 -o "$work/body" -w '%{http_code}' "$proxy$path")
    [ "$status" = 200 ] || fail "$path: $status $(cat "$work/body")"
done
python3 "$source/tests/cli/daemon_docs.py" "$source/docs/http-api.md" "$proxy" "$key" ||
    fail "an example: $(tail -n 20 "$work/prism")"
timeout 300 python3 "$source/docs/examples/bot.py" "$proxy" international 1 ||
    fail "the bot: $(tail -n 20 "$work/prism")"
same "what is not described does not pass" "$(curl -s -m 30 -o /dev/null -w '%{http_code}' \
    -H 'Content-Type: application/json' -d '{"rules":"chess"}' "$proxy/v1/moves")" 422
kill "$prism"
stop
