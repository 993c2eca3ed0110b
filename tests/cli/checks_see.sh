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
    mkdir -p "$work/tree" && cd "$work/tree" || exit 2
    mkdir -p engine/base engine/board engine/search engine/artefact selfplay/strength selfplay/farm \
        selfplay/game selfplay/store tuner/fit daemon/net daemon/store daemon/loop
    printf '#include <ini.h>\n#include "engine/base/a.h"\n' >engine/base/a.c
    printf '#include "engine/base/a.h"\n#include "engine/board/b.h"\n' >engine/board/b.c
    printf '#include <hdf5.h>\n#include "engine/board/b.h"\n' >engine/artefact/h.c
    printf '#include "engine/base/a.h"\n#include "selfplay/strength/s.h"\n' >selfplay/strength/s.c
    printf '#include <mpi.h>\n#include "engine/base/a.h"\n' >selfplay/farm/m.c
    printf '#include "engine/search/t.h"\n#include "selfplay/farm/m.h"\n' >selfplay/game/g.c
    printf '#include <sqlite3.h>\n#include "selfplay/game/g.h"\n' >selfplay/store/q.c
    printf '#include <hdf5.h>\n' >selfplay/store/h.c
    printf '#include "selfplay/store/q.h"\n#include "selfplay/c.h"\n' >selfplay/c.c
    printf '#include "selfplay/store/h.h"\n#include "tuner/fit/f.h"\n' >tuner/fit/f.c
    printf '#include "selfplay/c.h"\n#include "tuner/fit/f.h"\n' >tuner/d.c
    printf '#include <event2/event.h>\n#include <jansson.h>\n' >daemon/net/n.c
    printf '#include <sqlite3.h>\n#include "engine/board/b.h"\n' >daemon/store/q.c
    printf '#include <event2/event.h>\n#include "daemon/store/q.h"\n' >daemon/loop/l.c
    printf '#include "daemon/loop/l.h"\n' >daemon/e.c
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
# One part knows another that is none of its business.
fault engine/base/a.c '"engine/board/b.h"'
fault engine/board/b.c '"selfplay/c.h"'
fault engine/board/new.inc '"daemon/e.h"'
fault selfplay/c.c '"tuner/d.h"'
fault selfplay/c.c '"daemon/e.h"'
fault tuner/d.c '"daemon/e.h"'
fault daemon/e.c '"selfplay/c.h"'
fault daemon/e.c '"selfplay/strength/s.h"'
fault daemon/e.c '"tuner/fit/f.h"'
# One room knows another that stands above it, or anything at all where it is to be pure.
fault engine/board/b.c '"engine/search/t.h"'
fault selfplay/game/g.c '"selfplay/store/q.h"'
fault selfplay/store/q.c '"selfplay/c.h"'
fault selfplay/strength/s.c '"selfplay/game/g.h"'
fault selfplay/strength/s.c '"engine/board/b.h"'
fault selfplay/farm/m.c '"engine/board/b.h"'
fault tuner/fit/f.c '"tuner/d.h"'
fault daemon/net/n.c '"engine/board/b.h"'
fault daemon/store/q.c '"daemon/loop/l.h"'
fault daemon/loop/l.c '"daemon/e.h"'
# What names no file of the project as it stands, or lies where nothing is ruled.
fault engine/board/b.c '"base/a.h"'
fault engine/board/b.c '"../selfplay/c.h"'
fault engine/board/b.c '"b.h"'
fault engine/board/b.c NAME
fault engine/new.c '"engine/attic/z.h"'
mkdir_fault() {
    clean_tree
    mkdir -p "$1"
    printf '#include <stdio.h>\n' >"$1/new.c"
    expect 1 "folder $1"
}
mkdir_fault engine/attic
mkdir_fault selfplay/store/attic
# An outside library where it does not belong, or in a second file.
fault engine/board/b.c '<ini.h>'
fault engine/base/new.c '<ini.h>'
fault engine/base/a.c '<hdf5.h>'
fault engine/artefact/new.c '<hdf5.h>'
fault selfplay/c.c '<hdf5_hl.h>'
fault selfplay/store/new.c '<hdf5_hl.h>'
fault tuner/d.c '<hdf5.h>'
fault daemon/e.c '<hdf5.h>'
fault engine/board/b.c '<mpi.h>'
fault selfplay/c.c '<mpi.h>'
fault selfplay/farm/new.c '<mpi.h>'
fault selfplay/strength/s.c '<mpi.h>'
fault tuner/d.c '<mpi.h>'
fault daemon/e.c '<mpi.h>'
fault engine/board/b.c '<sqlite3.h>'
fault selfplay/c.c '<sqlite3.h>'
fault tuner/d.c '<sqlite3.h>'
fault daemon/store/new.c '<sqlite3.h>'
fault daemon/loop/l.c '<sqlite3.h>'
fault engine/board/b.c '<event2/event.h>'
fault selfplay/c.c '<event.h>'
fault daemon/store/q.c '<event2/event.h>'
fault tuner/d.c '<jansson.h>'
fault daemon/loop/l.c '<jansson.h>'

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
