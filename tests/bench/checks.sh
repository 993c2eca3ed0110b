#!/bin/sh
# The benchmark refuses wrong answers: checks.sh BENCH_COMPARE DRAUGHTS
compare=$1
draughts=$2
. "$(dirname "$0")/../cli/check.sh"

# A row of a build beside itself: same nodes, all answers the same. The search takes far longer than
# the start of a program, which is taken off and varies.
printf '#\nclassic\t21\tW:W21,23,27,28,29,31,32:B2,3,4,7,8,12,14\n' >"$scratch/positions"
run 0 "$compare" -q --rounds 2 --only depth -r classic --positions "$scratch/positions" \
    "$draughts" "$draughts"
out_has '^depth  classic +[0-9]+ +[0-9.]+ +[0-9.]+ +- \|.* 1\.000 1/1$'
err ''

# Programs that count wrongly, that change their mind, that fail, that are not there.
cat >"$scratch/wrong" <<'END'
#!/bin/sh
echo '9 41022424 0.3 1'
END
cat >"$scratch/fickle" <<'END'
#!/bin/sh
echo "info depth 1 nodes $$ pv"
echo "bestmove 21-17"
END
printf '#!/bin/sh\nexit 3\n' >"$scratch/failing"
chmod +x "$scratch/wrong" "$scratch/fickle" "$scratch/failing"
refused()
{
    run 1 "$compare" -q --rounds 2 -r "$1" --only "$2" --positions "$scratch/positions" "$3"
    [ "$(wc -l <"$scratch/out")" -eq 1 ] || complain "a row was printed"
    err_has "$4"
}
refused international perft "$scratch/wrong" 'found 41022424, right is 41022423'
refused classic depth "$scratch/fickle" 'another answer in round 2 than in round 1'
refused classic depth "$scratch/failing" 'failing search .*: failed'
refused classic depth "$scratch/none" 'none search .*: cannot be started'

# Two threads beside one: a row, and a program that changes its mind.
threads=$(dirname "$0")/threads.py
run 0 python3 -B "$threads" "$draughts" --step 49 --deeper 0 --rounds 1 --rules classic
out_has '^classic +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$'
cat >"$scratch/fickle" <<'END'
#!/bin/sh
echo "info depth 1 nodes $$ time 0.1 pv"
echo "bestmove 21-17"
END
run 1 python3 -B "$threads" "$scratch/fickle" --step 49 --rules classic
err_has 'one thread does not say the same each time'
run 1 python3 -B "$threads" "$scratch/failing" --step 49 --rules classic
err_has 'failing search .*: failed'

fails 2 'missing operand' "$compare"
fails 2 "'speed' is none of" "$compare" --only speed "$draughts"
fails 2 '--rounds' "$compare" --rounds 0 "$draughts"
finish
