/* Counting the pairs of a match. */
#include "selfplay/match/match_results.h"

#include <stdlib.h>
#include <string.h>

#include "selfplay/strength/tally.h"

/* Counts a pair that belongs to the results. */
static void count_pair(struct match_results *results, const struct catalogue_pair *pair)
{
    for (int game = 0; game < 2; game++) {
        enum fault fault = pair->fault[game];
        results->plies += pair->plies[game];
        if (fault != FAULT_NONE) {
            results->faults[pair->score[game] == 0 ? 0 : 1][fault]++;
        } else if (pair->adjudication[game] != ADJUDICATION_NONE) {
            results->adjudicated[pair->adjudication[game]]++;
        } else {
            results->ends[pair->reason[game]]++;
        }
    }
}

static int compare_openings(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The pairs below the limit whose opening an earlier one has. */
static bool count_repeated(const struct catalogue_pair *pairs, size_t count, int64_t limit,
                           int64_t *repeated, struct err *err)
{
    const char **opening = malloc((count + 1) * sizeof *opening);
    size_t used = 0;

    if (!opening) {
        return err_set(err, ERR_FAILED, "out of memory for %zu openings", count);
    }
    while (used < count && pairs[used].pair < limit) {
        opening[used] = pairs[used].opening;
        used++;
    }
    qsort(opening, used, sizeof *opening, compare_openings);
    for (size_t i = 1; i < used; i++) {
        *repeated += strcmp(opening[i - 1], opening[i]) == 0;
    }
    free(opening);
    return true;
}

bool match_count(const struct catalogue_pair *pairs, size_t count, int64_t limit,
                 const struct sprt *test, struct match_results *results, struct err *err)
{
    struct tally tally = {0};

    *results = (struct match_results){.limit = limit};
    if (test && !tally_init(&tally, test, limit, err)) {
        return false;
    }
    for (size_t i = 0; i < count && pairs[i].pair < limit; i++) {
        const int *score = pairs[i].score;
        if (!test) {
            pentanomial_add(&results->scores, score[0], score[1]);
            count_pair(results, &pairs[i]);
        } else if (pairs[i].pair == tally.counted && tally.decision == SPRT_CONTINUE) {
            tally_add(&tally, pairs[i].pair, score[0], score[1]);
            count_pair(results, &pairs[i]);
        }
    }
    if (test) {
        results->scores = tally.scores;
        results->decision = tally.decision;
        results->limit = tally.counted;
    }
    tally_fini(&tally);
    return count_repeated(pairs, count, results->limit, &results->repeated, err);
}
