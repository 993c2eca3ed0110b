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

# ranks PID: those of the job that this mpirun started, on one line, from one look at all processes.
# (The children that /proc tells of each task can lack some.)
ranks() {
    local stat line pid up parent=() named=()
    for stat in /proc/[0-9]*/stat; do
        read -r line 2>/dev/null <"$stat" || continue # it has ended
        pid=${line%% *}
        [ "$line" = "${line#* (${job##*/}) }" ] || named+=("$pid")
        line=${line##*) }
        line=${line#* }
        parent[pid]=${line%% *}
    done
    for pid in "${named[@]}"; do
        up=$pid
        while [ "${up:-0}" -gt 1 ] && [ "$up" != "$1" ]; do up=${parent[up]:-0}; done
        [ "$up" != "$1" ] || printf '%s ' "$pid"
    done
}
