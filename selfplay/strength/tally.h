/* The pairs of a match counted in the order of their numbers, whatever order they finish in, until
 * a sequential test ends it: so where a match stops is decided by its games and not by who was
 * fast.
 *
 * Pure; the pairs behind the first that is missing wait, and those behind the decision never
 * count. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/strength/sprt.h"
#include "selfplay/strength/statistics.h"

struct tally {
    const struct sprt *test; /* not owned; NULL: counts on for ever */
    int64_t pairs;           /* room: numbers 0 .. pairs - 1 */
    uint8_t *seen;           /* [pairs], a pair's code or 0; owned */
    int64_t counted;         /* pairs 0 .. counted - 1 are in scores */
    struct pentanomial scores;
    enum sprt_decision decision; /* at `scores` */
};

/* Nothing seen. False: memory is out. */
bool tally_init(struct tally *tally, const struct sprt *test, int64_t pairs, struct err *err);
void tally_fini(struct tally *tally);

/* A finished pair, in half points of the first player. Numbers without room, and pairs that were
 * there before, are passed over. */
void tally_add(struct tally *tally, int64_t number, int first_game, int second_game);
