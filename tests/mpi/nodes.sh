# Two nodes, each a network namespace with a host name of its own, that share no memory, only a wire
# and the files: the same games as on one. When the second node dies the job ends; when its wire is cut
# its games are played by the first, which says so at the end. What was finished is kept in either
# case, and the next start goes on to the same games.
# Usage: nodes.sh SELFPLAY_JOB, as root; exit status 77 where namespaces are not permitted.
. "$(dirname "$0")/lib.sh"
job=$1 games=600 nodes=100
first=first-$$ second=second-$$

tear_down() {
    for name in $first $second; do
        ip netns pids $name 2>/dev/null | xargs -r kill -9 2>/dev/null
        ip netns del $name 2>/dev/null
    done
    rm -rf "$scratch"
}

kill_all() {
    for node in $first $second; do
        ip netns pids $node | xargs -r kill -9 2>/dev/null
    done
    wait $process 2>/dev/null
}

skip() {
    echo "skipped: $*"
    exit 77
}

# on NODE COMMAND...: runs it there.
on() {
    local node=$1
    shift
    ip netns exec "$node" unshare --uts sh -c 'hostname "$0" && exec "$@"' "$node" "$@"
}

"$MPIRUN" --version | grep -q Open || skip "the nodes are started by an agent of Open MPI"
command -v ip >/dev/null || skip "no ip; apt-get install iproute2"
trap tear_down EXIT
ip netns add $first 2>"$scratch/err" && ip netns add $second 2>>"$scratch/err" &&
    on $first true 2>>"$scratch/err" || skip "no namespaces here: $(head -n 1 "$scratch/err")"
ip link add wire netns $first type veth peer name wire netns $second || skip "no virtual wire"
for node in $first $second; do
    ip -n $node link set lo up
    ip -n $node link set wire up
done
ip -n $first address add 10.77.0.1/24 dev wire
ip -n $second address add 10.77.0.2/24 dev wire

# How the first node starts Open MPI's daemon on the second: agent HOST COMMAND.
cat >"$scratch/agent" <<END
#!/bin/sh
shift
exec ip netns exec $second unshare --uts sh -c 'hostname $second && exec sh -c "\$*"' agent "\$@"
END
chmod +x "$scratch/agent"
printf '10.77.0.1 slots=2\n10.77.0.2 slots=2\n' >"$scratch/hosts"

# cluster RUN [SILENCE]: the job on both nodes, four ranks.
cluster() {
    on $first "$MPIRUN" --hostfile "$scratch/hosts" -n 4 --map-by node \
        --mca plm_rsh_agent "$scratch/agent" --mca btl tcp,self --mca pml ob1 \
        --mca btl_tcp_if_include wire --mca oob_tcp_if_include wire \
        "$job" "$1" classic $games $nodes ${2:+"$2"}
}

# start RUN [SILENCE]: in the background, until the first game is there; both nodes play.
start() {
    cluster "$@" >"$scratch/out" 2>"$scratch/err" &
    process=$!
    until [ -s "$1/journal/classic-g0.journal" ]; do
        kill -0 $process 2>/dev/null || fail "ended before it played: $(cat "$scratch/err")"
        sleep 0.05
    done
    for node in $first $second; do
        [ "$(ip netns pids $node | xargs -r ps -o comm= -p | grep -c "${job##*/}")" = 2 ] ||
            fail "not two ranks on $node"
    done
}

# same RUN: the next start, on one node, finishes it with the games that there should be.
same() {
    line=$(mpi 2 "$job" "$1" classic $games $nodes 2>"$scratch/err") || fail "$(cat "$scratch/err")"
    echo "then: $line"
    [ "$(value found "$line")" -gt 0 ] || fail "nothing was kept"
    cmp "$scratch/whole/games/classic-g0.records" "$1/games/classic-g0.records" || fail "other games"
    for shard in "$scratch"/whole/shards/*; do
        cmp "$shard" "$1/shards/${shard##*/}" || fail "another shard"
    done
}

line=$(mpi 1 "$job" "$scratch/whole" classic $games $nodes 2>/dev/null) || fail "one node"
line=$(cluster "$scratch/both" 2>"$scratch/err") || fail "two nodes: $(cat "$scratch/err")"
echo "two nodes: $line"
same "$scratch/both"

start "$scratch/killed"
ip netns pids $second | xargs kill -9
wait $process && fail "nobody noticed that a node was killed"
echo "second node killed"
kill_all
same "$scratch/killed"

# Open MPI itself takes minutes to notice, so the job is killed as soon as it has said so.
start "$scratch/cut" 2
ip -n $second link set wire down
for ((i = 0; i < 1200; i++)); do
    grep -q 'fallen silent' "$scratch/err" && break
    sleep 0.1
done
grep 'error: .*fallen silent' "$scratch/err" || fail "nobody noticed the wire: $(cat "$scratch/err")"
kill_all
same "$scratch/cut"
[ "$(value played "$line")" = 0 ] || fail "the first node did not play on"
