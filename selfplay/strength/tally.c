/* Pairs counted in order. */
#include "selfplay/strength/tally.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

bool tally_init(struct tally *tally, const struct sprt *test, int64_t pairs, struct err *err)
{
    *tally = (struct tally){.test = test, .pairs = pairs};
    tally->seen = calloc((size_t)pairs + 1, sizeof *tally->seen);
    return tally->seen || err_set(err, ERR_FAILED, "out of memory for %" PRId64 " pairs", pairs);
}

void tally_fini(struct tally *tally)
{
    free(tally->seen);
    tally->seen = NULL;
}

void tally_add(struct tally *tally, int64_t number, int first_game, int second_game)
{
    assert(number >= 0 && first_game >= 0 && first_game <= 2 && second_game >= 0 &&
           second_game <= 2);
    if (number >= tally->pairs || tally->seen[number]) {
        return;
    }
    tally->seen[number] = (uint8_t)(1 + 3 * first_game + second_game);
    while (tally->decision == SPRT_CONTINUE && tally->counted < tally->pairs &&
           tally->seen[tally->counted]) {
        int code = tally->seen[tally->counted++] - 1;
        pentanomial_add(&tally->scores, code / 3, code % 3);
        if (tally->test) {
            tally->decision =
                sprt_decide(tally->test, sprt_log_likelihood_ratio(tally->test, &tally->scores));
        }
    }
}
