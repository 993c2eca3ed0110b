#!/bin/sh
# The fit at up to 32 ranks under SimGrid's SMPI (package libsimgrid-dev), in simulated time:
#
#     tests/bench/fit_model.sh FLAGS AND SHARDS OF BENCH_FIT...
#     PROGRAM=draughts-train tests/bench/fit_model.sh tune -c CONFIG -o RUN
#
# The programs are the real ones. Ranks take turns on one core: what a rank computes takes the
# processor time it takes here, messages what the network of cluster.xml needs. RANKS is a list.
#
# smpicc includes getopt.h everywhere, whose struct option is not ours. So it compiles the two files
# that ask for MPI and for the time, and links; all else is compiled as always, but with -fPIC.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
out=$source/build/fit_model
program=${PROGRAM:-bench_fit}
command -v smpicc >/dev/null || { echo "fit_model.sh: apt-get install libsimgrid-dev" >&2; exit 1; }
mkdir -p "$out"

case $program in
bench_fit) object=tests/bench/CMakeFiles/bench_fit.dir/fit.c.o ;;
*) object=tuner/CMakeFiles/draughts-train.dir/draughts_train.c.o ;;
esac
{
    cmake -S "$source" -B "$out" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDAEMON=OFF \
        -DCMAKE_C_FLAGS=-fPIC
    cmake --build "$out" --target bench_fit draughts-train
    for file in selfplay/farm/comm engine/base/clock; do
        smpicc -std=gnu17 -O2 -DSMPI_NO_OVERRIDE_MALLOC -I "$source" -c \
            -o "$out/$(basename $file).o" "$source/$file.c"
    done
    # Objects come before the libraries that have the same functions. HDF5 is the serial one.
    # shellcheck disable=SC2046
    smpicc -o "$out/$program.so" "$out/$object" "$out/comm.o" "$out/clock.o" \
        -Wl,--start-group $(find "$out" -name '*.a') -Wl,--end-group \
        "$(sed -n 's/^HDF5_C_LIBRARY_hdf5:.*=//p' "$out/CMakeCache.txt")" \
        -lsqlite3 -linih -lpthread -lm
} >"$out/log" 2>&1 || { tail -n 20 "$out/log"; exit 1; }

seq 0 31 | sed 's/^/n/' >"$out/hosts"
for ranks in ${RANKS:-2 4 8 16 32}; do
    smpirun -np "$ranks" -platform "$source/tests/bench/cluster.xml" -hostfile "$out/hosts" \
        --cfg=smpi/host-speed:1Gf --cfg=smpi/wtime:1e-7 --cfg=smpi/iprobe:1e-6 \
        --cfg=smpi/test:1e-6 --cfg=smpi/grow-injected-times:no --log=root.thres:error \
        "$out/$program.so" "$@"
done
