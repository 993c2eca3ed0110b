/* The search: iterative deepening, alpha-beta with a transposition table, quiescence over
 * captures.
 *
 * With one thread and a limit of depth or nodes a search is a pure function of the game, the
 * weights, the limits and the size of its (cleared) table. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"
#include "engine/search/score.h"

enum { SEARCH_THREADS_MAX = 256 };

struct search_limits {
    int depth;           /* 0: none (SEARCH_PLIES - 1) */
    uint64_t nodes;      /* 0: none; otherwise exceeded by depth 1 alone, by several threads by
                            little */
    double seconds;      /* 0: none */
    double soft_seconds; /* no iteration is begun so late; 0: none */
    bool analyse; /* a single legal move is searched like any other, and not answered at once */
    int noise;    /* a level's blur: each static score is shifted by a fixed pseudo-random
                     amount in [-noise, noise] hundredths of a man, a pure function of the
                     position and noise_seed; 0: none */
    uint64_t noise_seed;
};

struct search_result {
    bool has_move; /* false: the side to move has no legal move; score is -SCORE_WON */
    struct move best;
    int score;           /* hundredths of a man, side to move's view */
    int depth, seldepth; /* of the last completed iteration; 0: none was */
    uint64_t nodes;
    double seconds;
    int pv_length;
    struct move pv[SEARCH_PLIES];
};

/* Called after each completed iteration, in the thread that called search_run; with other threads
 * one may be left out. */
typedef void search_report(void *context, const struct search_result *so_far);

struct search; /* a searcher and its table; used by one thread at a time */

/* A searcher with a table of 2^table_bits entries of 16 bytes, cleared. The weights are copied,
 * made ready (engine/eval/evaluator.h). NULL with ERR_FAILED when memory is out. */
struct search *search_create(const struct variant *variant, const struct weights *weights,
                             int table_bits, struct err *err);
void search_destroy(struct search *search);

/* Has it search with this many threads, at least 1 and at most SEARCH_THREADS_MAX; it begins with
 * one. False: memory is out, and all is as before. With more than one, what a search finds depends
 * on how the threads run. */
bool search_use_threads(struct search *search, int threads, struct err *err);

/* Forgets everything learnt: the next search is as the first. */
void search_clear(struct search *search);

/* Has every search from now on ask go_on(context) whether to go on, some ten times a millisecond,
 * in the thread that called search_run; the answer false ends that search as search_stop does.
 * NULL: nobody is asked. */
void search_watch(struct search *search, bool (*go_on)(void *context), void *context);

/* Searches the game's present position; repetitions and the 25-move rule count the game's past.
 * Depth 1 is completed whatever the limit of nodes, and, if it takes no longer than a millisecond,
 * whatever else is asked; a single legal move is answered with that. report may be NULL. */
struct search_result search_run(struct search *search, const struct game *game,
                                const struct search_limits *limits, search_report *report,
                                void *context);

/* Asks the running search to end at once, and so every later one until search_allow: a stop that
 * comes just before a search begins is not lost. From any thread or a signal handler. */
void search_stop(struct search *search);

/* Limits the running search in time, and every later one until search_allow: `deadline` ends it,
 * after `soft` no iteration is begun. Moments of clock_seconds; 0: none. From any thread. */
void search_limit_time(struct search *search, double soft, double deadline);

/* Takes search_stop and search_limit_time back. To be called where none meant for the next search
 * can have come yet: before another thread is told of that search. */
void search_allow(struct search *search);
