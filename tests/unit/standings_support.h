/* Made-up standings for the tests of what is written of them. */
#pragma once

#include "tuner/report/standings.h"

/* Adds a player, in classic draughts. */
void add_player(struct standings *standings, const char *name);

/* The results of two of them, the first's side, pairs by score: those of one point are two draws.
 * 50 plies a game, a quarter of a millisecond and depth 7 (first) or 4 a move. */
void add_pairing(struct standings *standings, int first, int second,
                 const int64_t pairs[PAIR_SCORES]);

/* Calls `write` with a stream, and returns what it wrote; the caller frees it. */
char *written(void (*write)(FILE *out, const struct standings *standings),
              const struct standings *standings);
