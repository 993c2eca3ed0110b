/* Why a move is a good one, in a line that a beginner understands. Told from the position and the
 * move alone: a search says that a move is good, not why. */
#pragma once

#include "engine/rules/variant.h"

enum idea {
    IDEA_ONLY,    /* no other is legal */
    IDEA_ENDS,    /* the opponent has no move behind it */
    IDEA_TAKES,   /* it captures */
    IDEA_CROWNS,  /* a man becomes a king */
    IDEA_SHOT,    /* it gives something up and takes more back */
    IDEA_GUARDS,  /* the opponent could capture if it were not made, and cannot behind it */
    IDEA_THREATS, /* it threatens to capture */
    IDEA_QUIET,   /* none of these: it is better by judgement */
    IDEAS,
};

enum { IDEA_TEXT = 96 };

/* The first of these that fits a legal move. */
enum idea idea_of(const struct variant *variant, const struct position *position,
                  const struct move *move);

/* For programs: "only-move", "takes", … */
const char *idea_name(enum idea idea);

/* For people: "It takes 2 pieces." */
void idea_write(enum idea idea, const struct move *move, char out[IDEA_TEXT]);
