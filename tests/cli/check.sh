# Functions for tests of programs at the command line. A test sources this file, calls them, and
# ends with `finish`.
#
#   run STATUS COMMAND...     runs it, keeps stdout and stderr, complains about another exit status
#   out TEXT, err TEXT        complains unless stdout, stderr is exactly TEXT
#   out_has RE, err_has RE    complains unless some line of it matches (extended regular expression)
#   fails STATUS RE COMMAND...  the command says nothing but one line that matches on stderr
# Standard input of `run` is /dev/null unless INPUT names a file.

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
faults=0
command_line=

complain()
{
    faults=$((faults + 1))
    printf '%s\n    %s\n' "$command_line" "$1"
}

run()
{
    expected=$1
    shift
    command_line="$*"
    "$@" <"${INPUT:-/dev/null}" >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ "$status" -eq "$expected" ] ||
        complain "exit status $status, not $expected; stderr: $(head -c 300 "$scratch/err")"
}

exactly()
{
    [ "$(cat "$scratch/$1")" = "$2" ] ||
        complain "$1 is '$(head -c 300 "$scratch/$1")', not '$2'"
}

matches()
{
    grep -Eq -- "$2" "$scratch/$1" ||
        complain "no line of $1 matches '$2': '$(head -c 300 "$scratch/$1")'"
}

out() { exactly out "$1"; }
err() { exactly err "$1"; }
out_has() { matches out "$1"; }
err_has() { matches err "$1"; }

fails()
{
    wanted=$2
    expected=$1
    shift 2
    run "$expected" "$@"
    out ''
    [ "$(wc -l <"$scratch/err")" -eq 1 ] ||
        complain "stderr has $(wc -l <"$scratch/err") lines, not 1"
    err_has "$wanted"
}

finish()
{
    [ "$faults" -eq 0 ] && exit 0
    echo "$faults faults"
    exit 1
}
