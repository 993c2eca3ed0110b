#!/bin/bash
# What the daemon is held to, in one command: the rate of POST /v1/moves with keep-alive, its 99th
# percentile at 64 connections, what a request costs in CPU time of the daemon, which a busy machine
# changes least; the memory of 5000 idle WebSockets; a thousand games at once against level 3. Fails
# when anything is not answered as it should be; whether the figures are those wanted is only said.
# Needs wrk, jq and python3.
#
#     http.sh BUILD [SECONDS] [ROUNDS]         BUILD: directory with bin/draughtsd
set -euo pipefail

build=$1
seconds=${2:-5}
rounds=${3:-3}
root=$(cd "$(dirname "$0")/../.." && pwd)
draughtsd=$build/bin/draughtsd
. "$root/tests/cli/daemon_lib.sh"
ln -s "$root/data" "$work/data"
verbosity=
start
body='{"rules":"international"}'

got=$(curl -s -H 'Content-Type: application/json' -d "$body" "$url/v1/moves" | jq '.moves | length')
same "moves of the opening position" "$got" 9
cat >"$work/moves.lua" <<END
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '$body'
function done(summary, latency)
    io.write(string.format("%d %.2f %d\n", summary.requests, latency:percentile(99) / 1000,
        summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write
        + summary.errors.timeout))
end
END

cpu() { # clock ticks that the daemon has used: user, system
    awk '{print $14, $15}' "/proc/$daemon/stat"
}

ticks=$(getconf CLK_TCK)
echo "POST /v1/moves, 64 connections, $seconds s; $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg)"
for _ in $(seq "$rounds"); do
    before=$(cpu)
    result=$(wrk -t1 -c64 -d"${seconds}s" -s "$work/moves.lua" "$url/v1/moves" | tail -n 1)
    echo "$result $before $(cpu)" | awk -v seconds="$seconds" -v ticks="$ticks" '{
        us = 1e6 / ticks / $1
        printf "%.0f requests/s, p99 %.2f ms, errors %d, CPU %.1f us/request (user %.1f, system %.1f)\n",
            $1 / seconds, $2, $3, ($6 + $7 - $4 - $5) * us, ($6 - $4) * us, ($7 - $5) * us
        if ($1 < 1 || $3 > 0) {
            exit 1
        }
        if ($1 / seconds < 25000 || $2 >= 10 || ($6 + $7 - $4 - $5) * us > 30) {
            print "  wanted on two quiet cores: 25000 requests/s, p99 below 10 ms, CPU 30 us/request"
        }
    }'
done
stop
bench=$root/tests/bench
python3 -B "$bench/idle_sockets.py" "$draughtsd" "$root/data" 5000
python3 -B "$bench/many_games.py" "$draughtsd" "$root/data" 1000 3
