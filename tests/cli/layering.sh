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
        # Folders of the project: who may include whose headers. A part has rooms, of which each
        # knows those before it; files beside the rooms know them all.
        knows["engine/base"] = "engine/base"
        engine = part("engine", "board eval rules search artefact pdn hub commands", "engine/base")
        selfplay = part("selfplay", "strength farm external game store match", engine)
        part("tuner", "fit report", selfplay)
        part("daemon", "base game dxp net people think store api loop", engine)

        # Stricter: what is pure, or about draughts alone, stays so.
        knows["selfplay/strength"] = "selfplay/strength engine/base"
        knows["selfplay/farm"] = "selfplay/farm engine/base"
        knows["daemon/base"] = "daemon/base engine/base"
        knows["daemon/net"] = "daemon/net engine/base"
        knows["daemon/people"] = "daemon/people daemon/base engine/base"

        # Outside libraries: the folders that may include them, and in how many files of each.
        library("^ini\\.h$", "engine/base", 1)
        library("^hdf5.*\\.h$", "engine/artefact selfplay/store", 1)
        library("^mpi\\.h$", "selfplay/farm", 1)
        library("^sqlite3\\.h$", "selfplay/store daemon/store", 1)
        library("^unicode/.*\\.h$", "daemon/people", 1)
        library("^wslay/.*\\.h$", "daemon/net", 1)
        library("^(event2/.*|event\\.h|evhttp\\.h)$", "daemon/net daemon/loop", 999)
        library("^jansson\\.h$", "daemon/net daemon/think", 999)
        library("^sodium\\.h$", "daemon/net daemon/people daemon/api", 999)
    }

    # Fills knows[] for a part and its rooms, which all know `below`; returns what who
    # knows the part may include.
    function part(name, list, below,    room, count, i, before) {
        count = split(list, room, " ")
        for (i = 1; i <= count; i++) {
            before = before (i > 1 ? " " : "") name "/" room[i]
            knows[name "/" room[i]] = before " " below
        }
        knows[name] = name " " before " " below
        return knows[name]
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
        sub(/\/[^\/]*$/, "", file)
        return file
    }

    function fault(text) {
        print file ":" line ": " text
        faults++
    }

    function check_own(name) {
        if (index(name, "/") == 0 || !among(folder_of(name), knows[folder]))
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
        split($0, field, ":")
        file = field[1]
        line = field[2]
        folder = folder_of(file)
        if (!(folder in knows)) {
            fault("nothing says what " folder "/ may know")
            next
        }
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
