/* Iterative deepening: the tree is searched to depth 1, 2, ... until a limit is met.
 *
 * All threads search the same iteration, each in its own tree, and profit from what the others
 * store in the table and learn about the order of moves. Whoever completes it first publishes it;
 * the others see that by halt->depth within some microseconds, leave theirs and join the next. */
#include "engine/search/search.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/search/busy.h"
#include "engine/search/halt.h"
#include "engine/search/table.h"
#include "engine/search/tree.h"

/* A search as short as this is over before a thread has started. */
enum { ALONE_DEPTH = 5 };

/* Half the width of a root's first window, from which depth on, and how fast it grows. */
enum { WINDOW = 15, WINDOW_DEPTH = 5, WINDOW_GROWTH = 3 };

/* A thread and its tree. */
struct worker {
    struct search *search;
    pthread_t thread; /* not of the first */
    struct tree tree;
};

struct search {
    const struct variant *variant;
    struct evaluator *evaluator; /* owned */
    struct table table;
    struct history history; /* kept from search to search */
    struct halt halt;
    struct busy busy;
    int threads;
    struct worker *worker; /* [threads]; the first is who calls search_run; owned */

    /* Of the running search; fixed before its threads start. */
    double started;
    int last_depth; /* to end with */

    /* Of the running search; under the mutex. */
    pthread_mutex_t mutex;
    struct line best;    /* of the last completed iteration */
    int depth, seldepth; /* of that */
};

bool search_use_threads(struct search *search, int threads, struct err *err)
{
    struct worker *worker = calloc((size_t)threads, sizeof *worker);

    assert(threads >= 1 && threads <= SEARCH_THREADS_MAX);
    if (worker == NULL) {
        return err_set(err, ERR_FAILED, "no memory for a search with %d threads", threads);
    }
    for (int i = 0; i < threads; i++) {
        struct tree *tree = &worker[i].tree;
        worker[i].search = search;
        tree->variant = search->variant;
        tree->evaluator = search->evaluator;
        tree->table = &search->table;
        tree->history = &search->history;
        tree->busy = threads > 1 ? &search->busy : NULL;
        tree->meter.halt = &search->halt;
        tree->meter.first = i == 0;
    }
    free(search->worker);
    search->worker = worker;
    search->threads = threads;
    return true;
}

struct search *search_create(const struct variant *variant, const struct weights *weights,
                             int table_bits, struct err *err)
{
    struct search *search = calloc(1, sizeof *search);

    if (search == NULL || !table_init(&search->table, table_bits)) {
        free(search);
        err_set(err, ERR_FAILED, "no memory for a search with a table of 2^%d entries", table_bits);
        return NULL;
    }
    search->variant = variant;
    search->evaluator = evaluator_create(variant->rules, variant->pattern_sets[0], weights);
    halt_init(&search->halt);
    int failed = pthread_mutex_init(&search->mutex, NULL);
    assert(failed == 0);
    (void)failed;
    if (search->evaluator == NULL) {
        err_set(err, ERR_FAILED, "no memory for the weights of a search");
    }
    if (search->evaluator == NULL || !search_use_threads(search, 1, err)) {
        search_destroy(search);
        return NULL;
    }
    return search;
}

void search_destroy(struct search *search)
{
    if (search != NULL) {
        pthread_mutex_destroy(&search->mutex);
        table_fini(&search->table);
        free(search->evaluator);
        free(search->worker);
        free(search);
    }
}

void search_clear(struct search *search)
{
    table_clear(&search->table);
    search->history = (struct history){0};
}

void search_stop(struct search *search)
{
    atomic_store_explicit(&search->halt.stop, true, memory_order_relaxed);
}

void search_limit_time(struct search *search, double soft, double deadline)
{
    atomic_store_explicit(&search->halt.soft, soft, memory_order_relaxed);
    atomic_store_explicit(&search->halt.deadline, deadline, memory_order_relaxed);
}

void search_allow(struct search *search)
{
    atomic_store_explicit(&search->halt.stop, false, memory_order_relaxed);
    search_limit_time(search, 0, 0);
}

void search_watch(struct search *search, bool (*go_on)(void *context), void *context)
{
    search->halt.go_on = go_on;
    search->halt.context = context;
}

static void lock(struct search *search)
{
    int failed = pthread_mutex_lock(&search->mutex);
    assert(failed == 0);
    (void)failed;
}

static void unlock(struct search *search)
{
    int failed = pthread_mutex_unlock(&search->mutex);
    assert(failed == 0);
    (void)failed;
}

/* Whether deeper iterations would change nothing: the end is within the depth searched. */
static bool is_settled(int depth, int score, int last_score)
{
    return score == last_score && abs(score) > SCORE_OPEN_MAX && SCORE_WON - abs(score) <= depth;
}

/* Makes a completed iteration known, unless another thread was first. The mutex is held. */
static void publish(struct search *search, const struct tree *tree)
{
    int depth = tree->meter.depth, next = depth + 1;

    if (depth <= search->depth) {
        return;
    }
    if (depth == search->last_depth || is_settled(depth, tree->best.score, search->best.score) ||
        halt_is_late(&search->halt)) {
        next = 0;
    }
    search->depth = depth;
    search->seldepth = tree->seldepth;
    search->best = tree->best;
    /* It fails when a limit has been met meanwhile. */
    atomic_compare_exchange_strong(&search->halt.depth, &depth, next);
}

/* Searches the root to the depth of the iteration under way: first in a narrow window around the
 * score of the iteration before, which is widened where the score falls outside. */
static void search_root(struct tree *tree)
{
    int depth = tree->meter.depth, guess = tree->best.score, margin = WINDOW;
    int alpha = guess - margin, beta = guess + margin;

    if (depth < WINDOW_DEPTH || abs(guess) > SCORE_OPEN_MAX) {
        alpha = -SCORE_INFINITE;
        beta = SCORE_INFINITE;
    }
    int score = tree_search(tree, depth, alpha, beta);
    while (!tree->meter.cut && (score <= alpha || score >= beta)) {
        margin *= WINDOW_GROWTH;
        if (score <= alpha) {
            alpha = score - margin > -SCORE_OPEN_MAX ? score - margin : -SCORE_INFINITE;
        } else {
            beta = score + margin < SCORE_OPEN_MAX ? score + margin : SCORE_INFINITE;
        }
        score = tree_search(tree, depth, alpha, beta);
    }
}

/* Takes part in the iteration under way. False: the search is at its end. */
static bool iterate(struct search *search, struct tree *tree)
{
    lock(search);
    bool joined = meter_join(&tree->meter);
    if (joined) {
        tree->best = search->best;
    }
    unlock(search);
    if (!joined) {
        return false;
    }
    search_root(tree);
    if (!tree->meter.cut) {
        lock(search);
        publish(search, tree);
        unlock(search);
    }
    return true;
}

static void *help(void *context)
{
    struct worker *worker = context;

    while (iterate(worker->search, &worker->tree)) {
    }
    meter_tell(&worker->tree.meter);
    return NULL;
}

/* Starts the other threads, as many as the system gives. Returns the number of all. */
static int start_helpers(struct search *search)
{
    int running = 1;

    while (running < search->threads) {
        struct worker *worker = &search->worker[running];
        if (pthread_create(&worker->thread, NULL, help, worker) != 0) {
            break;
        }
        running++;
    }
    return running;
}

static void join_helpers(struct search *search, int running)
{
    for (int i = 1; i < running; i++) {
        int failed = pthread_join(search->worker[i].thread, NULL);
        assert(failed == 0);
        (void)failed;
    }
}

static void start(struct search *search, const struct game *game,
                  const struct search_limits *limits, const struct move_list *legal)
{
    search->started = clock_seconds();
    search->last_depth =
        limits->depth > 0 && limits->depth < SEARCH_PLIES ? limits->depth : SEARCH_PLIES - 1;
    if (legal->count == 1 && !limits->analyse) {
        search->last_depth = 1;
    }
    search->best = (struct line){.length = 1, .move = {legal->move[0]}};
    search->depth = search->seldepth = 0;
    for (int i = 0; i < search->threads; i++) {
        struct tree *tree = &search->worker[i].tree;
        tree->noise = limits->noise;
        tree->noise_seed = limits->noise_seed;
        tree_start(tree, game);
    }
    table_grow_old(&search->table);
    halt_start(&search->halt, limits->nodes, limits->seconds, limits->soft_seconds);
}

/* What has been found so far: in completed iterations, or better in the one that was cut. */
static void take_result(struct search *search, struct search_result *result)
{
    struct tree *tree = &search->worker[0].tree;

    lock(search);
    const struct line *best = tree->meter.depth > search->depth ? &tree->best : &search->best;
    *result = (struct search_result){.has_move = true,
                                     .best = best->move[0],
                                     .score = best->score,
                                     .pv_length = best->length,
                                     .depth = search->depth,
                                     .seldepth = search->seldepth,
                                     .nodes = meter_tell(&tree->meter),
                                     .seconds = clock_seconds() - search->started};
    memcpy(result->pv, best->move, (size_t)best->length * sizeof result->pv[0]);
    unlock(search);
}

struct search_result search_run(struct search *search, const struct game *game,
                                const struct search_limits *limits, search_report *report,
                                void *context)
{
    struct tree *tree = &search->worker[0].tree;
    struct move_list *legal = &tree->frames[0].list;
    struct search_result result = {.score = -SCORE_WON};
    int running = 1;

    search->variant->moves(game_now(game), legal);
    if (legal->count == 0) {
        return result;
    }
    start(search, game, limits, legal);
    for (bool more = true; more;) {
        int reported = result.depth;
        more = iterate(search, tree);
        take_result(search, &result);
        if (report != NULL && result.depth > reported) {
            report(context, &result);
        }
        if (more && running == 1 && result.depth == ALONE_DEPTH) {
            running = start_helpers(search);
        }
    }
    join_helpers(search, running);
    take_result(search, &result);
    return result;
}
