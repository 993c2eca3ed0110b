#!/bin/sh
# Which folder may know which: layering.sh SOURCE
# Reads every #include of the C files below SOURCE and prints one line a fault; exit status 1 when
# there is any. tests/ may include anything.
set -u
cd "$1" || exit 2
export LC_ALL=C

find engine selfplay tuner daemon -type f \( -name '*.[ch]' -o -name '*.inc' \) -exec \
    grep -nHE '^[[:space:]]*#[[:space:]]*include' {} + |
    awk '
    BEGIN {
        # Folders of the project: who may include whose headers.
        knows["engine/base"] = "engine/base"
        knows["engine"] = "engine engine/base"
        knows["selfplay/strength"] = "selfplay/strength engine/base"
        knows["selfplay"] = "selfplay selfplay/strength engine engine/base"
        knows["tuner"] = "tuner selfplay selfplay/strength engine engine/base"
        knows["daemon"] = "daemon engine engine/base"

        # Outside libraries: the folders that may include them, and in how many files of each.
        library("^ini\\.h$", "engine/base", 1)
        library("^hdf5.*\\.h$", "engine selfplay", 1)
        library("^mpi\\.h$", "selfplay", 1)
        library("^sqlite3\\.h$", "selfplay daemon", 1)
        library("^unicode/.*\\.h$", "daemon", 1)
        library("^(event2/.*|event\\.h|evhttp\\.h|jansson\\.h|wslay/.*|sodium\\.h)$", "daemon", 999)
    }

    function library(pattern, folders, files) {
        patterns[++libraries] = pattern
        allowed[libraries] = folders
        most[libraries] = files
    }

    # Is the word in the list, both parted by blanks?
    function among(word, list) {
        return index(" " list " ", " " word " ") > 0
    }

    function folder_of(file) {
        inner = file
        sub(/\/[^\/]*$/, "", inner)
        return inner in knows ? inner : substr(file, 1, index(file, "/") - 1)
    }

    function fault(text) {
        print file ":" line ": " text
        faults++
    }

    function check_own(name) {
        at = name
        if (!sub(/\/[^\/]*$/, "", at) || !among(at, knows[folder]))
            fault("\"" name "\": " folder " may include: " knows[folder])
    }

    function check_outside(name) {
        for (i = 1; i <= libraries; i++) {
            if (name !~ patterns[i])
                continue
            if (!among(folder, allowed[i]))
                fault("<" name "> may be included in: " allowed[i])
            else if (!((i, file) in seen) && ++files[i, folder] > most[i])
                fault("<" name "> may be included by one file of " folder " only")
            seen[i, file] = 1
        }
    }

    {
        split($0, part, ":")
        file = part[1]
        line = part[2]
        folder = folder_of(file)
        if (!match($0, /["<][^">]*[">]/)) {
            fault("an include that names no file cannot be checked")
            next
        }
        name = substr($0, RSTART + 1, RLENGTH - 2)
        if (substr($0, RSTART, 1) == "<")
            check_outside(name)
        else
            check_own(name)
    }

    END { exit faults > 0 }
    '
