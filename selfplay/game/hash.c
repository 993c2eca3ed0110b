/* FNV-1a for bytes, a chain of splitmix64 finalisers for 64-bit values. */
#include "selfplay/game/hash.h"

uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t finalise(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

uint64_t hash_mix(uint64_t hash, uint64_t value)
{
    return finalise(hash ^ finalise(value + UINT64_C(0x9e3779b97f4a7c15)));
}
