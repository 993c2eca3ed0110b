/* A rule set with the code compiled for it.
 *
 * Each rule set is one short translation unit (variant_NAME.c) that defines its constant RULES and
 * includes the generator, the feature list and the patterns as text. The functions are reached
 * through the pointers below; a call through a pointer costs a few percent, a rule looked up at run
 * time a third. All functions are pure and may be called from any thread. */
#pragma once

#include <stddef.h>

#include "engine/base/err.h"
#include "engine/board/position.h"
#include "engine/eval/evaluator.h"
#include "engine/eval/feature.h"

struct variant {
    const struct rules *rules;

    /* All legal moves of the side to move, each once, in a fixed order. */
    void (*moves)(const struct position *position, struct move_list *list);

    /* Their number, without making the list where that is possible. */
    int (*count_moves)(const struct position *position);

    /* Number of leaves of the tree of legal moves, depth >= 0. */
    uint64_t (*perft)(const struct position *position, int depth);

    /* Whether `colour` could capture if it were to move. */
    bool (*can_capture)(const struct position *position, enum colour colour);

    /* The position's features (see feature.h). */
    void (*features)(const struct position *position, struct feature_list *list);

    /* The sets of windows that its weights may have patterns of (see pattern.h). */
    const struct pattern_set *pattern_sets[PATTERN_SETS];

    /* The static score from the side to move's view, in hundredths of a man: the features' dot
     * product with the weights. */
    int (*evaluate)(const struct position *position, const struct weights *weights);

    /* The same score from weights made ready for the search. */
    int (*evaluate_folded)(const struct position *position, const struct evaluator *evaluator);

    /* Whether the search cuts a node off after a shallower one of it (ProbCut): where matches have
     * shown that it gains. */
    bool probes;
};

enum { VARIANT_COUNT = 3 };

extern const struct variant variant_international, variant_classic, variant_flying;

/* All rule sets, in this order: international, classic, flying. index in [0, VARIANT_COUNT). */
const struct variant *variant_at(int index);

/* By rules.name. NULL with ERR_USAGE that names the three when there is none. */
const struct variant *variant_by_name(const char *name, struct err *err);

/* The set of windows of that name; NULL: there is none. */
const struct pattern_set *variant_pattern_set(const struct variant *variant, const char *name);

/* 0..2, the place of variant in variant_at. */
int variant_index(const struct variant *variant);

/* Quiet for the tuner's purposes: neither side could capture if it were to move. */
static inline bool position_is_quiet(const struct variant *variant, const struct position *position)
{
    return !variant->can_capture(position, WHITE) && !variant->can_capture(position, BLACK);
}

/* Number of leaves of the tree of legal moves, depth >= 0. */
static inline uint64_t perft(const struct variant *variant, const struct position *position,
                             int depth)
{
    return variant->perft(position, depth);
}
