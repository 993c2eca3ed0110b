/* Little-endian numbers in byte arrays, for formats that are the same on every machine. */
#pragma once

#include <stdint.h>

static inline void bytes_put16(uint8_t *out, uint16_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static inline void bytes_put32(uint8_t *out, uint32_t value)
{
    bytes_put16(out, (uint16_t)value);
    bytes_put16(out + 2, (uint16_t)(value >> 16));
}

static inline void bytes_put64(uint8_t *out, uint64_t value)
{
    bytes_put32(out, (uint32_t)value);
    bytes_put32(out + 4, (uint32_t)(value >> 32));
}

static inline uint16_t bytes_get16(const uint8_t *in)
{
    return (uint16_t)(in[0] | in[1] << 8);
}

static inline uint32_t bytes_get32(const uint8_t *in)
{
    return bytes_get16(in) | (uint32_t)bytes_get16(in + 2) << 16;
}

static inline uint64_t bytes_get64(const uint8_t *in)
{
    return bytes_get32(in) | (uint64_t)bytes_get32(in + 4) << 32;
}
