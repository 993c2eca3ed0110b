/* Random finished games and scratch directories. */
#include "games_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/rng.h"

enum { OPENING = 6, PLIES_MAX = 4096 };

struct record random_record(const struct variant *variant, int64_t number)
{
    struct position start = position_start(variant->rules);
    struct game game;
    struct rng rng = rng_make(11, RNG_TEST, (uint64_t)number);
    struct record_ply notes[PLIES_MAX] = {0};
    assert_true(game_init(&game, variant, &start));
    while (game_outcome(&game, NULL) == OUTCOME_OPEN) {
        struct move_list list;
        variant->moves(game_now(&game), &list);
        uint64_t draw = (uint64_t)game.plies;
        assert_in_range(draw, 0, PLIES_MAX - 1);
        notes[draw].score = (int16_t)(rng_below(&rng, 2 * draw, 2001) - 1000);
        uint32_t choice = rng_below(&rng, 2 * draw + 1, (uint32_t)list.count);
        assert_true(game_play(&game, &list.move[choice]));
    }
    struct record record;
    assert_true(record_make(&game, number, OPENING, notes, &record, NULL));
    game_fini(&game);
    return record;
}

uint8_t *encoded(const struct variant *variant, const struct record *record, size_t *size)
{
    *size = record_size(record);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    record_encode(record, variant->rules, bytes);
    return bytes;
}

int scratch_setup(void **state, const char *name)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);

    assert_non_null(scratch);
    make_scratch(scratch->directory);
    snprintf(scratch->path, sizeof scratch->path, "%s/%s", scratch->directory, name);
    *state = scratch;
    return 0;
}

int scratch_teardown(void **state)
{
    struct scratch *scratch = *state;

    remove_scratch(scratch->directory);
    free(scratch);
    return 0;
}
