/* SHA-1 as RFC 3174 has it in its section 6.1. */
#include "daemon/net/sha1.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 5, LENGTH_AT = BLOCK - 8 };

static uint32_t rotate(uint32_t word, int bits)
{
    return word << bits | word >> (32 - bits);
}

/* f(t) and K(t) of the RFC in one. */
static uint32_t mix(int t, uint32_t b, uint32_t c, uint32_t d)
{
    return t < 20   ? ((b & c) | (~b & d)) + 0x5a827999u
           : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1u
           : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcu
                    : (b ^ c ^ d) + 0xca62c1d6u;
}

static void add_block(uint32_t state[WORDS], const unsigned char block[BLOCK])
{
    uint32_t w[80];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

    for (int t = 0; t < 16; t++) {
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    }
    for (int t = 16; t < 80; t++) {
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    }
    for (int t = 0; t < 80; t++) {
        uint32_t next = rotate(a, 5) + mix(t, b, c, d) + e + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sha1(const unsigned char *data, size_t size, unsigned char digest[SHA1_BYTES])
{
    uint32_t state[WORDS] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    const uint64_t bits = (uint64_t)size * 8;
    unsigned char block[BLOCK];

    for (; size >= BLOCK; data += BLOCK, size -= BLOCK) {
        add_block(state, data);
    }
    memset(block, 0, sizeof block);
    if (size > 0) {
        memcpy(block, data, size);
    }
    block[size] = 0x80;
    if (size >= LENGTH_AT) {
        add_block(state, block);
        memset(block, 0, sizeof block);
    }
    for (int i = 0; i < 8; i++) {
        block[LENGTH_AT + i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    add_block(state, block);
    for (int i = 0; i < SHA1_BYTES; i++) {
        digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}
