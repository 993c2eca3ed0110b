/* Iterative deepening: the tree is searched to depth 1, 2, ... until a limit is met. */
#include "engine/search.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/halt.h"
#include "engine/table.h"
#include "engine/tree.h"

struct search {
    struct weights weights;
    struct table table;
    struct halt halt;
    struct tree tree;
    struct search_result result; /* of the running search */
};

struct search *search_create(const struct variant *variant, const struct weights *weights,
                             int table_bits, struct err *err)
{
    struct search *search = calloc(1, sizeof *search);

    if (search == NULL || !table_init(&search->table, table_bits)) {
        free(search);
        err_set(err, ERR_FAILED, "no memory for a search with a table of 2^%d entries", table_bits);
        return NULL;
    }
    search->weights = *weights;
    halt_init(&search->halt);
    search->tree.variant = variant;
    search->tree.weights = &search->weights;
    search->tree.table = &search->table;
    search->tree.meter.halt = &search->halt;
    return search;
}

void search_destroy(struct search *search)
{
    if (search != NULL) {
        table_fini(&search->table);
        free(search);
    }
}

void search_clear(struct search *search)
{
    table_clear(&search->table);
    search->tree.history = (struct history){0};
}

void search_stop(struct search *search)
{
    atomic_store_explicit(&search->halt.stop, true, memory_order_relaxed);
}

void search_allow(struct search *search)
{
    atomic_store_explicit(&search->halt.stop, false, memory_order_relaxed);
}

static void start(struct search *search, const struct game *game,
                  const struct search_limits *limits, double started)
{
    search->result = (struct search_result){.has_move = true};
    search->halt.nodes = limits->nodes;
    search->halt.deadline = limits->seconds > 0 ? started + limits->seconds : 0;
    search->tree.noise = limits->noise;
    search->tree.noise_seed = limits->noise_seed;
    tree_start(&search->tree, game);
    table_grow_old(&search->table);
}

/* What the tree has found so far. */
static void take_result(struct search *search, double started)
{
    const struct tree *tree = &search->tree;
    struct search_result *result = &search->result;

    result->best = tree->best.move[0];
    result->score = tree->best.score;
    result->pv_length = tree->best.length;
    memcpy(result->pv, tree->best.move, (size_t)tree->best.length * sizeof result->pv[0]);
    result->nodes = tree->meter.nodes;
    result->seconds = clock_seconds() - started;
}

/* Whether deeper iterations would change nothing: the end is within the depth searched. */
static bool is_settled(const struct search_result *result, int last_score)
{
    int score = result->score;

    return score == last_score && abs(score) > SCORE_MATED_MAX &&
           SCORE_WON - abs(score) <= result->depth;
}

struct search_result search_run(struct search *search, const struct game *game,
                                const struct search_limits *limits, search_report *report,
                                void *context)
{
    struct tree *tree = &search->tree;
    struct search_result *result = &search->result;
    int legal = game->variant->count_moves(game_now(game));
    int last = limits->depth > 0 && limits->depth < SEARCH_PLIES ? limits->depth : SEARCH_PLIES - 1;
    double started = clock_seconds();

    if (legal == 0) {
        return (struct search_result){.score = -SCORE_WON};
    }
    start(search, game, limits, started);
    for (int depth = 1; depth <= last; depth++) {
        int last_score = result->score;
        tree_search(tree, depth, -SCORE_INFINITE, SCORE_INFINITE);
        take_result(search, started);
        if (tree->meter.cut) {
            break;
        }
        tree->meter.armed = true;
        result->depth = depth;
        result->seldepth = tree->seldepth;
        if (report != NULL) {
            report(context, result);
        }
        if (legal == 1 || is_settled(result, last_score)) {
            break;
        }
    }
    return *result;
}
