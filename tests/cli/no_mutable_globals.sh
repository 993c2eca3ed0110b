#!/bin/sh
# No variable of the libraries can be written to: no_mutable_globals.sh LIBRARY...
# Prints one line a fault: library, object, section, name; exit status 1 when there is any. Constants
# that hold addresses lie in .data.rel.ro, which is read-only once the program has started.
set -u
export LC_ALL=C
[ $# -gt 0 ] || { echo "no library given"; exit 2; }
status=0
for library; do
    table=$(objdump -t "$library") || exit 2
    # value, 7 flags, section, size, name; "d" among the flags marks the sections' own symbols.
    faults=$(printf '%s\n' "$table" | awk -v library="${library##*/}" '
        /file format/ { object = $1; next }
        $1 !~ /^[0-9a-f]+$/ { next }
        {
            flags = substr($0, length($1) + 2, 7)
            split(substr($0, length($1) + 10), field)
            section = field[1]
            if (flags ~ /d/ || section ~ /^\.data\.rel\.ro/)
                next
            if (section ~ /^(\.data|\.bss|\.tdata|\.tbss|\.sdata|\.sbss|\*COM\*)/)
                print library, object, section, field[3]
        }')
    if [ -n "$faults" ]; then
        printf '%s\n' "$faults"
        status=1
    fi
done
exit $status
