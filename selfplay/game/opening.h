/* Openings: a few uniformly random legal moves from the start position, as a pure function of
 * (seed, what the game is for, its number). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "engine/search/search.h"

enum { OPENING_PLIES_MAX = 64 };

struct opening_settings {
    int plies;      /* 0..OPENING_PLIES_MAX */
    int bound;      /* balanced: |score| of a search at most this, hundredths of a man; 0: any */
    uint64_t nodes; /* of that search */
    int skip;       /* attempts that are passed over (selfplay/game/opening_plan.h) */
};

/* What games are played for; it keeps their openings apart. Numbers are never reused. */
enum opening_use {
    OPENING_SELFPLAY = 1,
    OPENING_MATCH = 2,
    OPENING_CALIBRATION = 3,
    OPENING_LIST = 4, /* a file of openings */
    OPENING_GATE = 5,
};

/* The random stream (rng_make's major) of one game or pair of games. */
uint64_t opening_stream(const struct variant *variant, enum opening_use use, int generation,
                        int64_t number);

/* Plays attempt number `attempt` into `game`, whose plies are taken back first. *fits: it leaves a
 * game to play. False: memory is out. */
bool opening_attempt(const struct opening_settings *settings, uint64_t seed, uint64_t stream,
                     int attempt, struct game *game, bool *fits);

/* Plays the opening into `game`, which stands at its start without a ply. Attempts that end the
 * game or that are not balanced are thrown away for the next one in the stream; after 64 the most
 * balanced of them is taken. `search` judges the balance (its table is cleared); it may be NULL
 * when bound is 0. ERR_FAILED when no attempt leaves a game to play, or memory is out. */
bool opening_play(const struct opening_settings *settings, uint64_t seed, uint64_t stream,
                  struct search *search, struct game *game, struct err *err);
