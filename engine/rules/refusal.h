/* Why a move that somebody typed or clicked is not played: said for a person, with what would be
 * right, and as a kind for programs. */
#pragma once

#include "engine/base/err.h"
#include "engine/rules/notation.h"
#include "engine/rules/variant.h"

enum refusal_kind {
    REFUSAL_NO_MOVE,    /* the text is no move, or names a square the board has not */
    REFUSAL_OVER,       /* the side to move has no legal move: the game is over */
    REFUSAL_EMPTY,      /* no piece on the first square */
    REFUSAL_TURN,       /* the piece there is the other side's */
    REFUSAL_CAPTURE,    /* a capture is compulsory, and this is none */
    REFUSAL_MOST,       /* a capture, of fewer pieces than must be taken */
    REFUSAL_UNFINISHED, /* a capture that has to go on from there */
    REFUSAL_STUCK,      /* the piece has no legal move */
    REFUSAL_ELSEWHERE,  /* the piece cannot go there */
    REFUSAL_AMBIGUOUS,  /* two legal moves or more have this start and end */
    REFUSAL_WRITTEN,    /* the move is legal, but written with the wrong one of - and x */
    REFUSAL_KINDS,
};

/* For programs: "no-move", "game-over", "no-piece", "not-your-piece", "must-capture",
 * "must-take-most", "must-go-on", "piece-is-stuck", "cannot-go-there", "ambiguous",
 * "wrongly-written". */
const char *refusal_name(enum refusal_kind kind);

struct refusal {
    enum refusal_kind kind;
    char text[ERR_TEXT]; /* one line: what is wrong and what can be played instead */
};

/* Why a piece may not go from one square to another, both 1..rules->squares, when `list` holds no
 * move with this start and end. `list` is all legal moves of the position. */
struct refusal refusal_find(const struct variant *variant, const struct position *position,
                            const struct move_list *list, int from, int to);

/* As move_read; a move that is not legal is explained. */
bool move_read_or_explain(const struct variant *variant, const struct position *position,
                          const char *text, struct move *out, struct refusal *refusal);
