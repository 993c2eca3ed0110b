# Self-play under a real Slurm of one node: a run that is stopped ahead of its time limit, requeued and
# finished; a job array whose parts are merged; tasks that MPI does not know of are refused.
# Slurm is set up in a temporary directory, with ports of its own, and torn down again.
# Usage: slurm.sh DRAUGHTS-TRAIN SOURCE; as root, with slurmctld, slurmd, slurm-client and munge.
set -u
train=$1 source=$2
scratch=$(mktemp -d)
host=$(hostname -s)
daemons=()

fail() {
    echo "FAILED: $*" >&2
    tail -n 5 "$scratch"/log/* >&2
    exit 1
}

tear_down() {
    scancel --user=root 2>/dev/null
    for ((i = 0; i < 100; i++)); do
        [ -n "$(squeue --noheader 2>/dev/null)" ] || break
        sleep 0.1
    done
    for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
        kill "${daemons[i]}"
    done
    wait
    rm -rf "$scratch"
}

# daemon NAME COMMAND...: starts it in the foreground of a shell of its own; it ends with the test.
daemon() {
    local name=$1
    shift
    "$@" >"$scratch/log/$name" 2>&1 &
    daemons+=($!)
}

# until_true SECONDS WHAT COMMAND...
until_true() {
    local seconds=$1 what=$2
    shift 2
    for ((i = 0; i < 5 * seconds; i++)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.2
    done
    fail "not within $seconds seconds: $what"
}

set_up() {
    for program in munged mungekey slurmctld slurmd sbatch; do
        command -v $program >/dev/null || fail "$program is not there; ./run deps cluster installs it"
    done
    mkdir -p "$scratch"/{log,state,spool,munge}
    chmod 755 "$scratch"
    mungekey --create --keyfile "$scratch/munge/key"
    cat >"$scratch/slurm.conf" <<END
ClusterName=draughts
SlurmctldHost=$host
SlurmUser=root
SlurmctldPort=26817
SlurmdPort=26818
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket,cred_expire=5
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$scratch/slurm.conf
    daemon munged munged --foreground --force --socket="$scratch/munge/socket" \
        --key-file="$scratch/munge/key" --pid-file="$scratch/munge/pid" \
        --log-file="$scratch/log/munge" --seed-file="$scratch/munge/seed"
    until_true 20 "munged" test -S "$scratch/munge/socket"
    daemon slurmctld slurmctld -D
    until_true 20 "slurmctld" scontrol ping
    daemon slurmd slurmd -D
    until_true 60 "an idle node" sh -c 'sinfo --noheader --format=%T | grep -q idle'
}

# in_queue JOB: whether it waits or runs.
in_queue() {
    [ -n "$(squeue --noheader --jobs="$1" 2>/dev/null)" ]
}
left_queue() {
    ! in_queue "$1"
}

trap tear_down EXIT
set_up
cd "$scratch" || fail "no scratch directory"
export DRAUGHTS_TRAIN=$train OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
cat >tiny.ini <<'END'
[run]
rules = classic
seed = 5
[selfplay]
games = 300
nodes = 200
END
"$train" selfplay -q -c tiny.ini -o whole >/dev/null || fail "the games without Slurm"

# Tasks that do not become ranks of one job.
srun --quiet --mpi=none --ntasks=2 "$train" selfplay -q -c tiny.ini -o alone >out 2>&1
grep -q 'Slurm has started 2 tasks (SLURM_NTASKS), but MPI has made a job of 1' out ||
    grep -qi 'pmi' out || fail "tasks without ranks: $(cat out)"
[ ! -e alone ] || fail "tasks without ranks made a run"

# A run that ends by itself.
job=$(sbatch --parsable --ntasks=2 --output=whole.log \
    --export="ALL,CONFIG=$scratch/tiny.ini,RUN=$scratch/run,COMMAND=selfplay" \
    "$source/configs/slurm/run.sbatch") || fail "sbatch"
until_true 120 "the job's end" left_queue "$job"
cmp whole/games/classic-g0.records run/games/classic-g0.records ||
    fail "other games under Slurm: $(cat whole.log)"
echo "two tasks: the same games"

# The signal ahead of the limit of one minute; Slurm may send it up to a minute early.
sed -i -e 's/^games.*/games = 20000/' -e 's/^nodes.*/nodes = 1000/' tiny.ini
job=$(sbatch --parsable --ntasks=2 --time=1 --signal=B:USR1@20 --output=long.log \
    --export="ALL,CONFIG=$scratch/tiny.ini,RUN=$scratch/long,COMMAND=selfplay" \
    "$source/configs/slurm/run.sbatch") || fail "sbatch"
until_true 150 "a stop ahead of the limit" grep -q 'interrupted; the same command resumes' long.log
until_true 120 "the requeued job's games" sh -c "grep -q 'games are there' long.log &&
    scontrol show job $job | grep -q 'Restarts=[1-9]' &&
    [ \$(squeue --noheader --jobs=$job --format=%T) = RUNNING ]"
scancel --signal=TERM "$job"
until_true 60 "the second stop" sh -c '[ "$(grep -c interrupted long.log)" -ge 2 ]'
grep -q 'found done)' long.log || fail "the requeued job found no games: $(cat long.log)"
scancel "$job"
until_true 60 "the job's end" left_queue "$job"
echo "stopped ahead of the limit and requeued: $(grep 'found done' long.log)"

# A job array, and its merge behind it.
sed -i -e 's/^games.*/games = 300/' -e 's/^nodes.*/nodes = 200/' tiny.ini
job=$(sbatch --parsable --array=0-2 --output=array-%a.log \
    --export="ALL,CONFIG=$scratch/tiny.ini,GAMES=100,PARTS=$scratch/parts" \
    "$source/configs/slurm/array.sbatch") || fail "sbatch"
job=$(sbatch --parsable --dependency="afterok:$job" --output=merge.log \
    --wrap "$train merge $scratch/merged $scratch/parts/*") || fail "sbatch"
until_true 180 "the merge" left_queue "$job"
cmp whole/games/classic-g0.records merged/games/classic-g0.records ||
    fail "other games in parts: $(cat array-*.log merge.log)"
echo "a job array of three: the same games"
