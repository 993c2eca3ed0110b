#!/bin/bash
# What an operator does with the real daemon: a service manager that starts and watches it, a copy
# of the store while it is written, a check of the store.
#
#     daemon_operations.sh DRAUGHTSD MAKE_ARTEFACTS
set -euo pipefail

draughtsd=$1
make_artefacts=$2
. "$(dirname "$0")/daemon_lib.sh"

mkdir "$work/data"
"$make_artefacts" "$work/data"

# --- a service manager, played by Python: a port handed over, word of every state
cat >"$work/manager.py" <<'END'
import os, signal, socket, subprocess, sys, urllib.request

work, program = sys.argv[1:]
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind(work + "/notify")
told.settimeout(30)
port = socket.create_server(("127.0.0.1", 0))

def wait_for(state):
    while told.recv(200).decode() != state:
        pass

def hand_over():
    os.dup2(port.fileno(), 3)
    os.environ["LISTEN_PID"] = str(os.getpid())

os.environ.update(NOTIFY_SOCKET=work + "/notify", WATCHDOG_USEC="400000", LISTEN_FDS="1")
daemon = subprocess.Popen(
    [program, "-q", "-s", "weights.dir=" + work + "/data", "-s", "store.file=" + work + "/m.db"],
    pass_fds=(3,), preexec_fn=hand_over)
try:
    wait_for("READY=1")
    url = "http://127.0.0.1:%d/healthz" % port.getsockname()[1]
    assert urllib.request.urlopen(url, timeout=20).status == 200
    wait_for("WATCHDOG=1")
    wait_for("WATCHDOG=1")
    daemon.send_signal(signal.SIGHUP)
    wait_for("RELOADING=1")
    wait_for("READY=1")
    daemon.send_signal(signal.SIGTERM)
    wait_for("STOPPING=1")
    assert daemon.wait(30) == 0
finally:
    daemon.kill()
END
exec 3</dev/null # so that Python hands over number 3
python3 "$work/manager.py" "$work" "$draughtsd" || fail "the service manager"
exec 3<&-

# --- a copy while the store is written
make_game() {
    curl -s -m 20 -H 'Content-Type: application/json' "$url/v1/games" \
        -d '{"rules":"classic","opponent":"local"}' | jq -r '[.id, .token] | join(" ")'
}
start
read -r id token < <(make_game)
(while make_game; do :; done >"$work/made") &
writer=$!
for _ in $(seq 200); do
    [ ! -s "$work/made" ] || break
    sleep 0.05
done
"$draughtsd" backup -s "store.file=$work/games.db" "$work/copy.db" || fail "no copy"
kill "$writer"
wait "$writer" 2>/dev/null || true
[ -s "$work/made" ] || fail "nothing was written meanwhile"
kill -0 "$daemon" || fail "the daemon does not run any more"
same "made while it was copied" "$(curl -s -m 20 "$url/v1/games/$id" | jq -r .id)" "$id"
stop
same "one file" "$(ls "$work"/copy.db*)" "$work/copy.db"
out=$("$draughtsd" verify -q -s "store.file=$work/copy.db") || fail "the copy: $out"
echo "$out" | grep -Eqx 'games [1-9][0-9]*, faults 0' || fail "the copy: $out"
mv "$work/games.db" "$work/old.db"
rm -f "$work"/games.db-*
cp "$work/copy.db" "$work/games.db"
start
same "served from the copy" \
    "$(curl -s -m 20 -H 'Content-Type: application/json' -H "Authorization: Bearer $token" \
        "$url/v1/games/$id/moves" -d '{"ply":0,"move":"9-13"}' | jq -r .ply)" 1
stop

# --- damage is found
refused() { # STATUS TEXT COMMAND...
    local wanted=$1 text=$2 status=0
    shift 2
    timeout 20 "$@" >"$work/out" 2>"$work/err" || status=$?
    same "status of: $*" "$status" "$wanted"
    grep -q -- "$text" "$work/out" "$work/err" || fail "'$(cat "$work/err")' does not say '$text'"
}
python3 - "$work/copy.db" "$id" <<'END'
import sqlite3, sys
store = sqlite3.connect(sys.argv[1])
store.execute("INSERT INTO events VALUES (?, 1, 'move', 1, 0, '9-14')", (sys.argv[2],))
store.execute("INSERT INTO events VALUES (?, 2, 'move', 1, 0, '9-14')", (sys.argv[2],))
store.commit()
END
refused 1 "game $id: " "$draughtsd" verify -q -s "store.file=$work/copy.db"
python3 - "$work/old.db" <<'END'
import os, sys
size = os.path.getsize(sys.argv[1])
with open(sys.argv[1], "r+b") as store:
    store.seek(4096)
    store.write(b"\x5a" * (size - 4096))
END
refused 1 "old.db" "$draughtsd" verify -q -s "store.file=$work/old.db"
refused 2 "there is no $work/none.db" "$draughtsd" verify -s "store.file=$work/none.db"
refused 2 "there is no $work/none.db" "$draughtsd" backup -s "store.file=$work/none.db" "$work/x"
refused 2 "operand" "$draughtsd" backup -s "store.file=$work/games.db"
refused 1 "$work/no/x" "$draughtsd" backup -s "store.file=$work/games.db" "$work/no/x"

echo "daemon_operations: all as it should be"
