#!/bin/sh
# The farm at up to 32 ranks under SimGrid's SMPI (package libsimgrid-dev), in simulated time:
#
#     tests/bench/farm_model.sh [WORK_MS SERVICE_US]...
#
# Each rank is a host of the network in cluster.xml, as docs/scaling.md describes.
set -eu
cd "$(dirname "$0")/../.."
out=build/farm_model
mkdir -p "$out"
command -v smpicc >/dev/null || { echo "farm_model.sh: apt-get install libsimgrid-dev" >&2; exit 1; }

smpicc -std=gnu17 -O2 -I . -o "$out/farm_model" tests/bench/farm_model.c selfplay/farm/farm.c \
    selfplay/farm/farm_peer.c selfplay/farm/farm_tasks.c \
    selfplay/farm/comm.c selfplay/farm/stop.c engine/base/clock.c engine/base/err.c -lm

seq 0 31 | sed 's/^/n/' >"$out/hosts"

[ $# -gt 0 ] || set -- 50 200 50 2500
while [ $# -ge 2 ]; do
    echo "work $1 ms, service $2 us"
    for ranks in ${RANKS:-2 4 8 16 32}; do
        smpirun -np "$ranks" -platform tests/bench/cluster.xml -hostfile "$out/hosts" \
            --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:1e-7 --cfg=smpi/iprobe:1e-6 \
            --cfg=smpi/test:1e-6 --cfg=smpi/grow-injected-times:no --log=root.thres:error \
            "$out/farm_model" "$1" "$2" 40
    done
    shift 2
done
