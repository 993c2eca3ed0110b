# A fit comes to the same bits whatever it runs on. Usage: same_bits.sh FIT_BITS [SOURCE FILE...]
# FIT_BITS alone: with the C library's paths for AVX2 and FMA switched off. With the sources: also
# compiled without optimisation, for all that this processor has, and for arm64, under qemu-user.
set -eu
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
flags="-std=c17 -ffp-contract=off -D_POSIX_C_SOURCE=200809L"

# same WHAT COMMAND...: the command prints what the program printed.
same() {
    what=$1
    shift
    "$@" >"$scratch/other" || { echo "FAILED: $what does not run" >&2; exit 1; }
    diff "$scratch/expected" "$scratch/other" >&2 ||
        { echo "FAILED: $what: other bits" >&2; exit 1; }
    echo "the same bits: $what"
}

# compiled COMPILER FLAGS...: the sources as $scratch/program.
compiled() {
    compiler=$1
    shift
    command -v "$compiler" >/dev/null ||
        { echo "FAILED: $compiler is missing: ./run deps arm" >&2; exit 1; }
    # Flags are several words.
    # shellcheck disable=SC2086
    "$compiler" $flags "$@" -I"$source" $sources -o "$scratch/program" -lm
}

"$program" >"$scratch/expected"
[ "$(wc -l <"$scratch/expected")" -eq 6 ] || { echo "FAILED: not six fits" >&2; exit 1; }
cat "$scratch/expected"
same "without AVX2 and FMA in the C library" \
    env GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_1,-SSE4_2 "$program"
[ $# -gt 1 ] || exit 0

source=$2
shift 2
sources=$*
compiled cc -O0
same "-O0" "$scratch/program"
compiled cc -O3 -march=native
same "-O3 -march=native" "$scratch/program"
compiled aarch64-linux-gnu-gcc -O2 -static
command -v qemu-aarch64 >/dev/null || { echo "FAILED: qemu-aarch64 is missing: ./run deps arm" >&2; exit 1; }
same "arm64" qemu-aarch64 "$scratch/program"
