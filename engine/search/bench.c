/* The positions of the bench, from games that the engine played against itself. */
#include "engine/search/bench.h"

#include <assert.h>

#include "engine/base/clock.h"
#include "engine/rules/fen.h"
#include "engine/search/search.h"

enum { BENCH_POSITIONS = 12 };

/* By variant_index: openings, middle games, endings with kings. */
static const char *const POSITIONS[VARIANT_COUNT][BENCH_POSITIONS] = {
    {
        "W:W16,25,31,32,33,35,36,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,11,12,"
        "13,14,15,18,19,20,22,24",
        "W:W26,28,33,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,"
        "13,14,16,17,18,19,20,34",
        "B:W14,27,31,32,33,36,37,38,41,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,11,12,13,16,"
        "26,35",
        "B:W22,28,31,37,41,43,44,46,47,48,49,50:B1,2,3,6,7,9,10,11,13,16,17,30,34",
        "W:W16,21,26,32,37,38,41,44,45,47,49:B2,3,4,7,8,10,13,22,25,30",
        "W:W26,27,32,35,38,40,44,46,49,50:B2,3,7,8,11,16,23,24,25,30",
        "W:W15,35,41,48,49,50:B2,4,7,13,24,32",
        "W:W16,29,37,40,44,47:B1,4,13,14,18,27",
        "B:W18,32,39,46:B1,10,13,16,26,K50",
        "W:W19,28,K29,35,44:BK3,11,21,26",
        "B:W16,K32:BK18,25,35",
        "W:W28:BK9,15,18,21",
    },
    {
        "W:W18,21,23,26,27,28,29,30,31,32:B1,2,3,4,5,6,9,10,11,16",
        "W:W14,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,11,12,13,16",
        "W:W12,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,6,7,8,9,10,11,23",
        "W:W17,19,21,22,23,26,29,30,31:B1,2,5,6,9,10,11,12,14",
        "W:W18,20,23,24,28,30:B3,11,12,13,16,21,22",
        "W:W17,21,24,27,28,29,30,31,32:B1,2,3,4,7,9,10,11,12",
        "W:W7,11,21,29,30:B2,4,14,17,K32",
        "B:WK6,25,28:B11,13,14,K18,19,K32",
        "W:WK1,K6,K8,K15:B5,12,K24,K25",
        "W:WK9,18,21,26:BK29",
        "B:WK5,20:BK9,12,15,K30,K31",
        "B:WK3,14,23:B12,21,27",
    },
    {
        "B:W9,19,21,23,25,28,29,30,31,32:B1,2,3,4,5,6,10,11,12,20",
        "B:W18,19,21,23,24,25,26,27,29,30,31:B1,2,3,4,6,7,8,9,11,12,13",
        "B:W18,19,20,25,26,27,28,29,30,31,32:B1,2,3,4,5,7,8,9,10,11,12,21",
        "W:W6,13,19,24,30,32:B1,4,10,12,16,21",
        "W:W17,21,23,24,25,29,30,31,32:B1,2,4,5,6,9,10,12,19",
        "B:W18,21,22,24,29,31,32:B3,4,5,6,7,11,15",
        "W:WK18,29:B2,12,13,K16,21,K24",
        "W:W21,23,28,30,32:B7,8,10,12,14",
        "W:WK12,18,19,23,K31:BK28",
        "W:WK8:B12,21,K24",
        "B:WK1,K27,29:BK11,K30",
        "W:WK19,21,28:B9,12",
    },
};

static bool bench_position(const struct variant *variant, const char *fen, struct search *search,
                           int depth, struct bench_result *out, struct err *err)
{
    struct position position;
    struct game game;

    if (!fen_read(variant->rules, fen, &position, err)) {
        assert(!"every position of the bench can be read");
        return false;
    }
    if (!game_init(&game, variant, &position)) {
        return err_set(err, ERR_FAILED, "no memory for a game");
    }
    struct search_limits limits = {.depth = depth};
    search_clear(search);
    out->nodes += search_run(search, &game, &limits, NULL, NULL).nodes;
    out->positions++;
    game_fini(&game);
    return true;
}

bool bench_run(const struct variant *variant, int depth, struct bench_result *out, struct err *err)
{
    struct weights weights;

    weights_builtin(variant->rules, &weights);
    struct search *search = search_create(variant, &weights, BENCH_TABLE_BITS, err);
    if (search == NULL) {
        return false;
    }
    double started = clock_seconds();
    bool done = true;
    *out = (struct bench_result){0};
    for (int i = 0; i < BENCH_POSITIONS && done; i++) {
        done =
            bench_position(variant, POSITIONS[variant_index(variant)][i], search, depth, out, err);
    }
    out->seconds = clock_seconds() - started;
    search_destroy(search);
    return done;
}
