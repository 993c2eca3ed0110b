# What cannot be done is said in one line, with the right exit status, and keeps finished games.
# Usage: refused.sh SELFPLAY_JOB OTHER, the same of other sources.
. "$(dirname "$0")/lib.sh"
job=$1 other=$2

# refused STATUS TEXT COMMAND...: the command must end with the status and one line with the text.
refused() {
    local status=$1 text=$2 lines
    shift 2
    "$MPIRUN" -n 2 "$@" >"$scratch/out" 2>"$scratch/err"
    [ $? -eq "$status" ] || fail "status $? instead of $status: $(cat "$scratch/err")"
    lines=$(grep -c "^selfplay_job: error:" "$scratch/err")
    [ "$lines" = 1 ] || fail "$lines lines instead of one: $(cat "$scratch/err")"
    grep "^selfplay_job: error:.*$text" "$scratch/err" || fail "'$text' not in $(cat "$scratch/err")"
}

mpi 2 "$job" "$scratch/run" classic 10 50 2>/dev/null || fail "ten games"
cp -r "$scratch/run" "$scratch/before"
refused 2 "made otherwise: 'nodes=50', now 'nodes=60'$" "$job" "$scratch/run" classic 10 60
refused 2 "made otherwise: 'weights=[0-9a-f]*', now 'weights=[0-9a-f]*'$" \
    "$job" "$scratch/run" classic 10 50 0 1
refused 2 "otherwise: 'software=0.*(git .*)', now 'software=0.0.1 (git 0123456789ab)'$" \
    "$other" "$scratch/run" classic 10 50
refused 2 "'software=.*', now 'software=.*'; 'weights=.*', now .*; 'nodes=50', now 'nodes=60'$" \
    "$other" "$scratch/run" classic 10 60 0 1
refused 2 "rank 2: other software than rank 0: this is 0.0.1 (git 0123456789ab)" \
    "$job" "$scratch/run" classic 20 50 : -n 1 "$other" "$scratch/run" classic 20 50
diff -r "$scratch/run" "$scratch/before" || fail "a refused start changed something"

mkdir "$scratch/file"
echo >"$scratch/file/journal"
refused 1 "journal: cannot make the directory" "$job" "$scratch/file" classic 10 50

# A disk that fills up, where the system lets us have one.
mkdir "$scratch/small"
if mount -t tmpfs -o size=64k none "$scratch/small" 2>/dev/null; then
    trap 'umount "$scratch/small"; rm -rf "$scratch"' EXIT
    refused 1 "No space left on device" "$job" "$scratch/small" classic 1000 50
    mount -o remount,size=8m "$scratch/small"
    line=$(mpi 2 "$job" "$scratch/small" classic 20 50 2>/dev/null) || fail "with room again"
    echo "with room again: $line"
    [ "$(value found "$line")" -gt 20 ] || fail "finished games were lost"
fi
