/* 64-bit hashes that are the same on every machine: checksums of journal entries, identities of
 * data sets, random streams. Not against a forger. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { HASH_TEXT = 17 }; /* 16 hexadecimal digits and the NUL */

/* FNV-1a (Fowler, Noll, Vo; 64 bits) of bytes, chained through `hash`. */
#define HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t hash, const void *data, size_t size);

/* Mixes a value into a hash: one-to-one in each argument, every bit of both reaches every bit of
 * the result (finaliser of splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). */
uint64_t hash_mix(uint64_t hash, uint64_t value);
