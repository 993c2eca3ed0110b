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
    search->tree.meter.first = true;
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

void search_watch(struct search *search, bool (*go_on)(void *context), void *context)
{
    search->halt.go_on = go_on;
    search->halt.context = context;
}

static void start(struct search *search, const struct game *game,
                  const struct search_limits *limits)
{
    halt_start(&search->halt, limits->nodes, limits->seconds);
    search->tree.noise = limits->noise;
    search->tree.noise_seed = limits->noise_seed;
    tree_start(&search->tree, game);
    table_grow_old(&search->table);
}

/* What the tree has found so far. */
static void take_result(struct search *search, double started)
{
    const struct line *best = &search->tree.best;
    struct search_result *result = &search->result;

    result->nodes = search->tree.meter.nodes;
    result->seconds = clock_seconds() - started;
    if (best->length > 0) {
        result->best = best->move[0];
        result->score = best->score;
        result->pv_length = best->length;
        memcpy(result->pv, best->move, (size_t)best->length * sizeof result->pv[0]);
    }
}

/* What there is to say before the search: the first of the legal moves. Returns their number. */
static int take_first_move(struct search *search, const struct game *game)
{
    struct move_list *list = &search->tree.frames[0].list;
    struct search_result *result = &search->result;

    game->variant->moves(game_now(game), list);
    *result = (struct search_result){.has_move = list->count > 0, .score = -SCORE_WON};
    if (list->count > 0) {
        result->best = result->pv[0] = list->move[0];
        result->score = 0;
        result->pv_length = 1;
    }
    return list->count;
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
    int last = limits->depth > 0 && limits->depth < SEARCH_PLIES ? limits->depth : SEARCH_PLIES - 1;
    double started = clock_seconds();
    int legal = take_first_move(search, game);

    start(search, game, limits);
    for (int depth = 1; depth <= last && legal > 0; depth++) {
        int last_score = result->score;
        tree_search(tree, depth, -SCORE_INFINITE, SCORE_INFINITE);
        take_result(search, started);
        if (tree->meter.cut) {
            break;
        }
        meter_complete(&tree->meter);
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
