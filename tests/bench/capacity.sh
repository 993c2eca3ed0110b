#!/bin/bash
# How many Master moves a second the daemon plays, beside what docs/capacity.md says it should: threads
# times nodes a second over nodes a move. Needs wrk and jq. Fails when a request is not answered with a
# move, and when the formula is off by more than a busy machine explains.
#
#     capacity.sh BUILD [SECONDS]         BUILD: directory with bin/draughtsd
set -euo pipefail

build=$1
seconds=${2:-5}
root=$(cd "$(dirname "$0")/../.." && pwd)
draughtsd=$build/bin/draughtsd
. "$root/tests/cli/daemon_lib.sh"
ln -s "$root/data" "$work/data"
verbosity=
threads=$(nproc)
start "search.threads=$threads"

metric() {
    curl -s -m 20 "$url/metrics" | sed -n "s/^draughtsd_$1 //p"
}

echo "rules level nodes/move nodes/s/thread moves/s formula ratio p99"
for rules in international classic flying; do
    for level in 5 6; do
        body="{\"rules\":\"$rules\",\"level\":$level,\"seed\":1}"
        got=$(curl -s -H 'Content-Type: application/json' -d "$body" "$url/v1/bestmove" | jq .level)
        same "the level's move" "$got" "$level"
        cat >"$work/best.lua" <<END
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '$body'
function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("%d %.1f %d\n", summary.requests, latency:percentile(99) / 1000,
        errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
END
        before="$(metric searches_total) $(metric search_nodes_total) $(metric search_seconds_total)"
        result=$(wrk -t1 -c8 -d"${seconds}s" -s "$work/best.lua" "$url/v1/bestmove" | tail -n 1)
        after="$(metric searches_total) $(metric search_nodes_total) $(metric search_seconds_total)"
        echo "$before $after $result" | awk -v seconds="$seconds" -v threads="$threads" \
            -v rules="$rules" -v level="$level" '{
            if ($4 <= $1 || $7 < 1 || $9 > 0) {
                printf "%s %d: %d moves, %d errors\n", rules, level, $7, $9 >"/dev/stderr"
                exit 1
            }
            nodes = ($5 - $2) / ($4 - $1); rate = ($5 - $2) / ($6 - $3)
            ratio = $7 / seconds / (threads * rate / nodes)
            printf "%s %d %.0f %.0f %.1f %.1f %.2f %.1f ms\n", rules, level, nodes, rate,
                $7 / seconds, threads * rate / nodes, ratio, $8
            if (ratio > 1.25 || (level == 6 && ratio < 0.4)) { # a short search waits for the rest
                print "the formula does not hold" >"/dev/stderr"
                exit 1
            }
        }'
    done
done
stop
