/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3", SC 2011).
 *
 * There is no state to carry or to seed: a draw is a pure function of (seed, stream, counter), so
 * game 4711 is the same game on one rank or on a thousand. */
#pragma once

#include <stdint.h>

/* Streams keep the uses of one seed apart. A new use gets a new number; none is ever reused. */
enum rng_stream {
    RNG_OPENING = 1,       /* opening plies of self-play, matches and calibration */
    RNG_LEVEL = 2,         /* a level's choice of move */
    RNG_HOLDOUT = 3,       /* which games the tuner holds out */
    RNG_TEST = 4,          /* tests and benchmarks */
    RNG_OPENING_ORDER = 5, /* in which order the openings of a file are taken */
    RNG_SAMPLING = 6,      /* which of the good moves is played */
    RNG_CONTROL = 7,       /* which games are played to their end whatever the scores say */
    RNG_EARLIER = 8,       /* which games are against earlier weights */
};

struct rng_block {
    uint32_t word[4];
};

/* The raw block function; zero key and counter give 6627e8d5 e169c58d bc57ac4c 9b00dbd8. */
struct rng_block rng_philox(const uint32_t key[2], const uint32_t counter[4]);

/* A source bound to (seed, stream, major): `major` is typically rule set and game number mixed by
 * the caller. Value type; copy it freely. */
struct rng {
    uint32_t key[2];
    uint64_t major;
};
struct rng rng_make(uint64_t seed, enum rng_stream stream, uint64_t major);

/* Draw number `minor` of the source: 64 random bits, the same for the same arguments, always. */
uint64_t rng_draw(const struct rng *rng, uint64_t minor);

/* The same draw as an integer in [0, bound), bound >= 1, without noticeable bias (the high half of
 * a 64x32-bit product). */
uint32_t rng_below(const struct rng *rng, uint64_t minor, uint32_t bound);
