# What the tests of MPI jobs share; sourced by bash.
set -u

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# mpi RANKS COMMAND...: runs a job to its end.
mpi() {
    local ranks=$1
    shift
    "$MPIRUN" -n "$ranks" "$@"
}

# value NAME LINE: the word that follows NAME in a job's result line.
value() {
    sed -n "s/.*\b$1 \([0-9a-f]*\).*/\1/p" <<<"$2"
}

# children PID: the processes it started.
children() {
    cat "/proc/$1/task/$1/children" 2>/dev/null
}
