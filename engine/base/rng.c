/* Philox4x32-10: ten rounds of two 32x32-bit multiplications turn a counter into random words. */
#include "engine/base/rng.h"

#include <assert.h>

enum { ROUNDS = 10 };

struct rng_block rng_philox(const uint32_t key[2], const uint32_t counter[4])
{
    uint32_t key0 = key[0], key1 = key[1];
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t product0 = UINT64_C(0xD2511F53) * c0;
        uint64_t product1 = UINT64_C(0xCD9E8D57) * c2;
        c0 = (uint32_t)(product1 >> 32) ^ c1 ^ key0;
        c1 = (uint32_t)product1;
        c2 = (uint32_t)(product0 >> 32) ^ c3 ^ key1;
        c3 = (uint32_t)product0;
        key0 += UINT32_C(0x9E3779B9); /* golden ratio */
        key1 += UINT32_C(0xBB67AE85); /* sqrt(3) - 1 */
    }
    return (struct rng_block){{c0, c1, c2, c3}};
}

/* A key has room for the seed alone, so the stream is enciphered under it into a key of its own. */
struct rng rng_make(uint64_t seed, enum rng_stream stream, uint64_t major)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    const uint32_t counter[4] = {(uint32_t)stream, 0, 0, 0};
    struct rng_block block = rng_philox(key, counter);
    return (struct rng){.key = {block.word[0], block.word[1]}, .major = major};
}

uint64_t rng_draw(const struct rng *rng, uint64_t minor)
{
    const uint32_t counter[4] = {(uint32_t)minor, (uint32_t)(minor >> 32), (uint32_t)rng->major,
                                 (uint32_t)(rng->major >> 32)};
    struct rng_block block = rng_philox(rng->key, counter);
    return (uint64_t)block.word[1] << 32 | block.word[0];
}

uint32_t rng_below(const struct rng *rng, uint64_t minor, uint32_t bound)
{
    assert(bound >= 1);
    uint64_t draw = rng_draw(rng, minor);
    uint64_t high = (draw >> 32) * bound;
    uint64_t low = (draw & UINT32_MAX) * bound;
    return (uint32_t)((high + (low >> 32)) >> 32);
}
