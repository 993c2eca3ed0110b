# The same games whatever the number of ranks.
. "$(dirname "$0")/lib.sh"
job=$1

for rules in international classic flying; do
    expected=
    counts="1 4"
    [ $rules = international ] && counts="1 2 3 5 8"
    for ranks in $counts; do
        line=$(mpi $ranks "$job" "$scratch/$rules-$ranks" $rules 20 60) || fail "$ranks ranks"
        echo "$rules, $ranks ranks: $line"
        [ "$(value games "$line")" = 20 ] || fail "20 games were asked for"
        hash=$(value hash "$line")
        [ "${expected:=$hash}" = "$hash" ] || fail "$rules: other games on $ranks ranks"
        cmp "$scratch/$rules-1/games/$rules-g0.records" \
            "$scratch/$rules-$ranks/games/$rules-g0.records" || fail "other records"
    done
done
