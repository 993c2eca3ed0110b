# What the tests of MPI jobs share; sourced by bash. Settings of Open MPI mean nothing to MPICH.
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

# children PID: its child processes, a line each. (What /proc/PID/task lists can lack some.)
children() {
    local stat fields
    for stat in /proc/[0-9]*/stat; do
        read -r fields 2>/dev/null <"$stat" || continue # it has ended
        read -ra fields <<<"${fields##*) }"
        [ "${fields[1]}" != "$1" ] || basename "${stat%/stat}"
    done
}

# ranks PID: those of the job that this mpirun started, on one line.
ranks() {
    local pid
    for pid in $(children "$1"); do
        if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "${job##*/}" ]; then printf '%s ' "$pid"; fi
        ranks "$pid"
    done
}
