/* A move drawn among all legal ones, the better the likelier: what makes games from one opening
 * part while a program plays against itself.
 *
 * Each move is searched with its share of the limit of nodes. One that is `half` hundredths of a
 * man worse than the best is drawn half as often, one that is twice as much worse a quarter as
 * often: 2^(-loss / half), by straight lines between these points. All of it in integers, so that a
 * game is the same game on every machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/rng.h"
#include "engine/search/search.h"

struct sampling {
    int plies; /* so many of a game after its opening are drawn; 0: none */
    int half;  /* loss that halves a move's chance, hundredths of a man, at least 1 */
};

/* 65 536 times the chance of a move that is `loss` >= 0 worse than the best, beside the best's. */
uint32_t sampling_weight(const struct sampling *sampling, int loss);

/* Draws a move of the game's present position, which has one, with draw number game->plies of
 * `rng`. result->best is the move drawn, result->score that of the best move, result->depth the
 * least of all searches. The game is as before. False: memory is out. */
bool sampling_search(const struct sampling *sampling, const struct rng *rng, struct search *search,
                     const struct search_limits *limits, struct game *game,
                     struct search_result *result, struct err *err);
