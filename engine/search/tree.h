/* The tree that one thread searches: principal-variation alpha-beta with a transposition table,
 * quiescence over captures.
 *
 * Threads that search the same position each have a tree of their own; they share the table, the
 * history and struct halt. With one thread the result is a pure function of the game, the weights,
 * the depth and window, and what earlier calls left in table and history. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/rules/game.h"
#include "engine/search/halt.h"
#include "engine/search/order.h"
#include "engine/search/score.h"
#include "engine/search/table.h"
#include "engine/search/walk.h"

enum { TREE_PAST = 256 }; /* earlier positions that may be repeated: quiet_plies has 8 bits */

/* What the search of one ply needs. */
struct frame {
    struct move_list list;
    struct order order;
    struct place put_off[PUT_OFF_MAX]; /* see struct walk */
    int pv_length;
    struct move pv[SEARCH_PLIES];
};

/* The best line from the root so far. */
struct line {
    int score, length; /* length 0: no iteration has found a move */
    struct move move[SEARCH_PLIES];
};

/* Large: for the heap. Zero bytes are a valid tree but for the first six members. */
struct tree {
    const struct variant *variant; /* not owned, as the next three */
    const struct evaluator *evaluator;
    struct table *table;
    struct history *history;
    struct busy *busy; /* not owned; NULL: one thread searches alone */
    struct meter meter;

    int noise; /* see struct search_limits */
    uint64_t noise_seed;

    struct line best; /* of the root; kept from iteration to iteration */
    int seldepth;     /* deepest ply entered in this iteration */

    const struct position *root; /* not owned */
    int past;                    /* path[past + ply]: key of the line's position at ply */
    uint64_t path[TREE_PAST + SEARCH_PLIES];
    struct frame frames[SEARCH_PLIES];
};

/* Turns to the game's present position, which must have a legal move; the game stays as it is while
 * the tree searches. The meter starts at zero. */
void tree_start(struct tree *tree, const struct game *game);

/* Searches the root to a depth within a window and returns its score, fail-soft: at or below alpha
 * it is an upper bound, and tree->best is as before; else tree->best is filled in. Once
 * tree->meter.cut is set the score means nothing, but tree->best is as good as after the
 * iteration before, or better; before the first it may be empty. */
int tree_search(struct tree *tree, int depth, int alpha, int beta);
