#!/bin/sh
# The checks of layering and of mutable globals find each fault they are for:
# checks_see.sh DIRECTORY_OF_CHECKS COMPILER. Makes small trees with one fault each.
set -u
checks=$1
compiler=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
status=0

# A tree that keeps to the rules.
clean_tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/engine/base" "$work/tree/selfplay/strength" "$work/tree/tuner" \
        "$work/tree/daemon"
    cd "$work/tree" || exit 2
    printf '#include <ini.h>\n#include "engine/base/a.h"\n' >engine/base/a.c
    printf '#include <hdf5.h>\n#include "engine/base/a.h"\n#include "engine/b.h"\n' >engine/b.c
    printf '#include <mpi.h>\n#include "engine/b.h"\n#include "selfplay/c.h"\n' >selfplay/c.c
    printf '#include "engine/base/a.h"\n#include "selfplay/strength/s.h"\n' >selfplay/strength/s.c
    printf '#include <sqlite3.h>\n#include "selfplay/strength/s.h"\n' >selfplay/catalogue.c
    printf '#include <hdf5.h>\n' >selfplay/shard.c
    printf '#include "selfplay/c.h"\n#include "tuner/d.h"\n' >tuner/d.c
    printf '#include <sqlite3.h>\n#include "engine/b.h"\n' >daemon/e.c
    printf '#include <event2/event.h>\n#include <jansson.h>\n' >daemon/f.c
}

# expect STATUS WHAT: runs the check over the tree.
expect() {
    sh "$checks/layering.sh" "$work/tree" >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$1" ]; then
        echo "layering: $2: exit status $got, expected $1"
        cat "$work/out"
        status=1
    fi
}

# fault FILE INCLUDE: a clean tree with this one line more.
fault() {
    clean_tree
    printf '#include %s\n' "$2" >>"$1"
    expect 1 "$2 in $1"
}

clean_tree
expect 0 "clean tree"
fault engine/base/a.c '"engine/b.h"'
fault engine/base/new.h '"engine/b.h"'
fault engine/b.c '"selfplay/c.h"'
fault engine/new.inc '"daemon/e.h"'
fault selfplay/c.c '"tuner/d.h"'
fault selfplay/strength/s.c '"selfplay/c.h"'
fault selfplay/strength/s.c '"engine/b.h"'
fault selfplay/strength/s.c '<mpi.h>'
fault selfplay/strength/s.c '<hdf5.h>'
fault daemon/e.c '"selfplay/strength/s.h"'
fault selfplay/c.c '"daemon/e.h"'
fault tuner/d.c '"daemon/e.h"'
fault daemon/e.c '"selfplay/c.h"'
fault daemon/e.c '"tuner/d.h"'
fault engine/b.c '"base/a.h"'
fault engine/b.c '"../selfplay/c.h"'
fault engine/b.c '"b.h"'
fault engine/b.c NAME
fault engine/b.c '<ini.h>'
fault engine/base/new.c '<ini.h>'
fault engine/base/a.c '<hdf5.h>'
fault engine/new.c '<hdf5.h>'
fault selfplay/c.c '<hdf5_hl.h>'
fault tuner/d.c '<hdf5.h>'
fault daemon/e.c '<hdf5.h>'
fault engine/b.c '<mpi.h>'
fault selfplay/new.c '<mpi.h>'
fault tuner/d.c '<mpi.h>'
fault daemon/e.c '<mpi.h>'
fault engine/b.c '<sqlite3.h>'
fault selfplay/c.c '<sqlite3.h>'
fault tuner/d.c '<sqlite3.h>'
fault daemon/f.c '<sqlite3.h>'
fault engine/b.c '<event2/event.h>'
fault selfplay/c.c '<event.h>'
fault tuner/d.c '<jansson.h>'

# global STATUS DECLARATION: a library with this variable.
global() {
    cd "$work" || exit 2
    rm -f one.c one.o one.a
    printf 'int use(int i);\n%s\nint use(int i) { return x[i]; }\n' "$2" >one.c
    # PIE, as programs are built: only then do addresses need .data.rel.ro.
    "$compiler" -fPIE -c one.c -o one.o && ar rc one.a one.o || exit 2
    sh "$checks/no_mutable_globals.sh" one.a >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$1" ]; then
        echo "no_mutable_globals: $2: exit status $got, expected $1"
        cat "$work/out"
        status=1
    fi
}

global 0 'static const int x[2] = {1, 2};'
global 0 'static const int x[2] = {1, 2}; extern const int *const z[2]; const int *const z[2] = {x, x};'
global 0 'int f(void); int f(void) { return 0; } static int (*const p[2])(void) = {f, f};
          static const int x[2]; int g(int i); int g(int i) { return p[i](); }'
global 1 'int x[2];'
global 1 'static int x[2];'
global 1 'int x[2] = {1, 2};'
global 1 'static int x[2] = {1, 2};'
global 1 'static _Thread_local int x[2];'
global 1 '__attribute__((common)) int x[2];'
global 1 'static const int x[2]; int n(void); int n(void) { static int count; return ++count; }'
exit $status
