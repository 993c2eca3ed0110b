#!/bin/bash
# RFC 6455 on the real daemon: every case of conformance.py against /v1/echo, and what the handshake
# refuses.
#
#     conformance.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
here=$(dirname "$0")
. "$here/../cli/daemon_lib.sh"

# shake [CURL OPTION...] [NAME: VALUE]: the status of a handshake with this header changed
shake() {
    local status changed=${*: -1} header options=()
    for header in 'Upgrade: websocket' 'Connection: Upgrade' 'Sec-WebSocket-Version: 13' \
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='; do
        [ "${header%%:*}" = "${changed%%:*}" ] || options+=(-H "$header")
    done
    case $changed in *:*) options+=(-H "$changed") ;; esac
    case ${1-} in -*) options+=("$1") ;; esac
    status=$(curl -s -m 2 -o "$work/body" -w '%{http_code}' "${options[@]}" "$url/v1/echo") || true
    echo "$status"
}

mkdir "$work/data"
"$make_artefacts" "$work/data"

start
same "no echo unless it is switched on" "$(shake)" 404
stop

start live.echo=on "http.origins=https://friend.example"
python3 -B "$here/conformance.py" "ws://$host:$port/v1/echo" || fail "see above"

same "a plain GET" "$(curl -s -o "$work/body" -D "$work/head" -w '%{http_code}' "$url/v1/echo")" 426
grep -q '^Sec-WebSocket-Version: 13' "$work/head" || fail "426 does not name the version"
same "another version" "$(shake 'Sec-WebSocket-Version: 8')" 426
same "HTTP/1.0" "$(shake --http1.0)" 426
same "HEAD" "$(shake -I)" 405
same "a short key" "$(shake 'Sec-WebSocket-Key: c2hvcnQ=')" 400
# Origin not checked (keryx #83)
same "a page of another site" "$(shake 'Origin: http://evil.example')" 403
same "its own page" "$(shake "Origin: $url")" 101
same "a page that is allowed" "$(shake 'Origin: https://friend.example')" 101
same "a name made to point here" "$(shake 'Host: evil.example')" 403
stop
echo "$draughtsd: WebSockets as RFC 6455 has them"
