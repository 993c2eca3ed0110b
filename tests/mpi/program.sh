# What tests of draughts-train share; sourced by sh. Unlike those of tests/cli/check.sh, whose lines do
# not depend on one another, such a test ends with its first fault.

die() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# begin DIRECTORY: makes it anew and works in it.
begin() {
    rm -rf "$1"
    mkdir -p "$1"
    cd "$1"
}

# expect TEXT FILE: a line of the file has the text.
expect() {
    grep -q -- "$1" "$2" || { cat "$2" >&2; die "no '$1' in $2"; }
}

# failed STATUS WANTED PATTERN: what ended with STATUS should have ended with WANTED, and said one error
# in err that matches.
failed() {
    [ "$1" -eq "$2" ] || { cat err >&2; die "exit status $1, not $2"; }
    [ "$(grep -c 'error: ' err)" -eq 1 ] || { cat err >&2; die "not one error"; }
    expect "error: .*$3" err
}

# fails WANTED PATTERN COMMAND...: the command fails so; what it said is in out and err.
fails() {
    wanted=$1 pattern=$2 status=0
    shift 2
    "$@" >out 2>err || status=$?
    failed $status "$wanted" "$pattern"
}

# quietly COMMAND...: the command must succeed; what it said is in out and err.
quietly() {
    "$@" >out 2>err || { cat err >&2; die "failed: $*"; }
}
