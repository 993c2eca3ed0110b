#!/bin/sh
# Every header compiles alone: headers_alone.sh SOURCE BUILD FOLDER...
# First each header below the folders must be in a header set (else nothing would compile it), then
# CMake's own check compiles them.
set -u
source=$1
build=$2
shift 2
cd "$source" || exit 2
status=0
for header in $(find "$@" -name '*.h' | sort -u); do
    if [ -z "$(find "$build" -path "*_verify_interface_header_sets/$header.c" | head -n 1)" ]; then
        echo "$header is in no FILE_SET HEADERS of a library"
        status=1
    fi
done
cmake --build "$build" --target all_verify_interface_header_sets || status=1
exit $status
