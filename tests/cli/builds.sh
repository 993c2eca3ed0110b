#!/bin/sh
# The builds that a site may want: without MPI, without the network libraries, with MPICH in Open
# MPI's place, with parallel HDF5, for the oldest and for newer CPUs.
# Usage: builds.sh SOURCE SCRATCH
# Needs Debian's mpich, libmpich-dev and libhdf5-openmpi-dev beside what the build needs.
set -eu
source=$1
scratch=$2

die() {
    echo "builds.sh: $*" >&2
    exit 1
}

# build NAME CMAKE-FLAGS...: configures and builds everything in the directory NAME.
build() {
    name=$1
    shift
    cmake -S "$source" -B "$name" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DWARNINGS_ARE_ERRORS=ON \
        "$@" >"$name.log" 2>&1 || { tail -n 20 "$name.log"; die "cannot configure $name"; }
    cmake --build "$name" >>"$name.log" 2>&1 || { tail -n 20 "$name.log"; die "cannot build $name"; }
    echo "$name: $(ls "$name/bin" | wc -l) programs"
}

# links PROGRAM LIBRARY: whether it needs the library.
links() {
    ldd "$1" | grep -q "$2"
}

rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

build without-mpi -DTRAIN=OFF -DBUILD_TESTING=OFF -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
[ -x without-mpi/bin/draughtsd ] || die "no draughtsd without MPI"
[ ! -e without-mpi/bin/draughts-train ] || die "draughts-train without MPI"
! links without-mpi/bin/draughtsd libmpi || die "MPI in the daemon"

# A pkg-config that knows nothing of the network libraries.
mkdir pkgconfig
for package in inih sqlite3 cmocka; do
    ln -s "$(pkg-config --variable=pcfiledir $package)/$package.pc" pkgconfig/
done
PKG_CONFIG_LIBDIR=$PWD/pkgconfig build without-network -DDAEMON=OFF -DBUILD_TESTING=OFF
[ -x without-network/bin/draughts-train ] || die "no draughts-train without the daemon"
[ ! -e without-network/bin/draughtsd ] || die "draughtsd without the network libraries"

build mpich -DDAEMON=OFF -DMPI_C_COMPILER=mpicc.mpich -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)"
links mpich/bin/draughts-train libmpich || die "not built with MPICH"
ctest --test-dir mpich -L mpi -LE slow --output-on-failure

build parallel-hdf5 -DDAEMON=OFF -DHDF5_PREFER_PARALLEL=ON
links parallel-hdf5/bin/draughts-train libhdf5_openmpi || die "not built with parallel HDF5"
ctest --test-dir parallel-hdf5 -R 'shard|artefact|mpi_parts' --output-on-failure

# The same games whatever the instruction set.
build oldest -DISA= -DDAEMON=OFF -DBUILD_TESTING=OFF
build x86-64-v3 -DISA=x86-64-v3 -DDAEMON=OFF -DBUILD_TESTING=OFF
for name in oldest x86-64-v3; do
    $name/bin/draughts-train selfplay -o $name-run -q -s run.rules=classic -s selfplay.games=40 \
        -s selfplay.nodes=200 >/dev/null
done
cmp oldest-run/games/classic-g0.records x86-64-v3-run/games/classic-g0.records ||
    die "other games on another instruction set"
