/* What the tests of the search share. */
#include "search_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "support.h"

enum { TABLE_BITS = 14 };

struct weights test_weights(const struct variant *variant)
{
    struct rng rng = rng_make(4, RNG_TEST, 0);
    struct weights weights;

    weights_builtin(variant->rules, &weights);
    for (int i = feature_range(variant->rules, FEATURE_TURN).first; i < FEATURES_MAX; i++) {
        weights.opening[i] = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i, 21) - 10);
        weights.ending[i] = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i + 1, 21) - 10);
    }
    return weights;
}

struct search *make_search(const struct variant *variant)
{
    struct weights weights = test_weights(variant);
    struct search *search = search_create(variant, &weights, TABLE_BITS, NULL);

    assert_non_null(search);
    return search;
}

struct search_result run_position(struct search *search, const struct variant *variant,
                                  const struct position *position,
                                  const struct search_limits *limits)
{
    struct game game;

    assert_true(game_init(&game, variant, position));
    search_clear(search);
    struct search_result result = search_run(search, &game, limits, NULL, NULL);
    game_fini(&game);
    return result;
}

struct search_result run_fen(const struct variant *variant, const char *fen, int quiet_plies,
                             struct search_limits limits)
{
    struct position position = position_of(variant, fen);
    struct search *search = make_search(variant);

    position.quiet_plies = (uint8_t)quiet_plies;
    struct search_result result = run_position(search, variant, &position, &limits);
    search_destroy(search);
    return result;
}
