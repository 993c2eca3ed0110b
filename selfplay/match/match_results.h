/* What the pairs of a match come to: counts made of its rows, so that they cannot disagree with
 * them. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/strength/sprt.h"
#include "selfplay/strength/statistics.h"

/* What the rows of one pairing say so far; the first player's side. */
struct match_results {
    struct pentanomial scores;
    enum sprt_decision decision;                 /* of the test */
    int64_t ends[END_QUIET + 1];                 /* games by enum end_reason */
    int64_t adjudicated[ADJUDICATION_DRAWN + 1]; /* by enum adjudication */
    int64_t faults[2][FAULTS]; /* games that the first, the second player lost by each */
    int64_t plies;             /* of all games */
    int64_t limit;             /* pairs below it count */
    int64_t repeated;          /* pairs whose opening an earlier one has */
};

/* Counts the rows of a match, sorted by number: those below `limit`, and with a test (else NULL)
 * only those that decide it. False: memory is out. */
bool match_count(const struct catalogue_pair *pairs, size_t count, int64_t limit,
                 const struct sprt *test, struct match_results *results, struct err *err);
