/* A whole fit on one rank, without MPI and HDF5, and every bit of what it came to: the same text on
 * every processor, with every compiler and C library.
 *
 * Random games of each rule set, their search scores the static ones, are made into a dataset as
 * the tune stage does it, and fitted with patterns of both sets of windows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/game/hash.h"
#include "tests/bits/random_rows.h"
#include "tuner/fit/fit.h"

enum { GAMES = 120 };

static const struct team ALONE = {0};

static void or_end(bool ok, const struct err *err)
{
    if (!ok) {
        fprintf(stderr, "fit_bits: %s\n", err->text);
        exit(EXIT_FAILURE);
    }
}

static void fill(struct dataset *dataset, const struct variant *variant,
                 const struct weights *weights)
{
    const struct dataset_filter filter = {
        .holdout = 10, .per_game = 50, .merge = true, .share = 0.4, .sampling = 65536};
    const struct shard_info info = {.seed = 3, .opening_plies = 4};
    const struct dataset_source source = {.info = &info, .weights = weights};
    static struct shard_row rows[RANDOM_ROWS_MAX];
    struct err err = {0};
    dataset_init(dataset, variant, &filter);
    for (int game = 0; game < GAMES; game++) {
        int count = random_rows(variant, weights, game, rows);
        or_end(dataset_add(dataset, &source, rows, (size_t)count, &err), &err);
    }
    or_end(dataset_finish(dataset, &ALONE, &err), &err);
}

static void print(const struct variant *variant, const struct pattern_set *windows,
                  const struct fit_result *result)
{
    uint64_t curve =
        hash_bytes(HASH_START, result->curve, (size_t)result->points * sizeof *result->curve);
    double numbers[] = {result->scale,          result->scale_before,   result->man,
                        result->loss_before[0], result->loss_before[1], result->loss_after[0],
                        result->loss_after[1]};
    printf("%s %s: %" PRId64 " positions, %d patterns, %d passes, K %.4f, weights %016" PRIx64
           ", numbers %016" PRIx64 ", curve %016" PRIx64 "\n",
           variant->rules->name, windows->name, result->totals.positions[DATASET_TRAIN],
           result->patterns, result->passes, result->scale,
           weights_id(variant->rules, &result->weights),
           hash_bytes(HASH_START, numbers, sizeof numbers), curve);
}

static void fit(const struct variant *variant)
{
    static struct fit_result result;
    struct weights start;
    struct dataset dataset;
    weights_builtin(variant->rules, &start);
    fill(&dataset, variant, &start);
    for (int k = 0; k < PATTERN_SETS; k++) {
        const struct fit_settings settings = {.windows = variant->pattern_sets[k],
                                              .prior = 0.5,
                                              .pattern_prior = 1,
                                              .pattern_rare = 10,
                                              .pattern_least = 1,
                                              .tolerance = 1e-8,
                                              .passes_max = 60};
        bool interrupted;
        struct err err = {0};
        or_end(
            fit_run(&dataset, &start, &settings, &ALONE, NULL, NULL, &result, &interrupted, &err),
            &err);
        print(variant, settings.windows, &result);
        weights_fini(&result.weights);
    }
    dataset_fini(&dataset);
}

int main(void)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        fit(variant_at(v));
    }
    return EXIT_SUCCESS;
}
