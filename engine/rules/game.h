/* A game: the positions played through, and when it is over.
 *
 * The order of tests is the rules': a side to move without a legal move has lost, before any draw
 * is looked for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"
#include "engine/rules/variant.h"

enum outcome { OUTCOME_OPEN, OUTCOME_WHITE_WINS, OUTCOME_BLACK_WINS, OUTCOME_DRAW };

enum end_reason {
    END_NONE,       /* still going on */
    END_NO_PIECES,  /* the side to move has no piece */
    END_NO_MOVES,   /* the side to move has pieces but no legal move */
    END_REPETITION, /* same position with the same side to move for the third time */
    END_QUIET,      /* 25 moves by each side without capture or move of a man */
};

/* "no pieces", "no moves", "repetition", "25-move rule"; "open" for END_NONE. */
const char *end_reason_name(enum end_reason reason);

struct game {
    const struct variant *variant; /* not owned */
    struct position *positions;    /* [plies + 1]; positions[0] is the start; owned */
    uint64_t *keys;                /* [plies + 1], position_key of each; owned */
    struct move *moves;            /* [plies]; owned */
    int plies, capacity;
};

/* A game that starts from `start`. False only when memory is out. */
bool game_init(struct game *game, const struct variant *variant, const struct position *start);
void game_fini(struct game *game);

/* A copy that shares nothing. False only when memory is out; *copy then holds nothing. */
bool game_copy(struct game *copy, const struct game *game);

/* Plays a legal move. False only when memory is out; the game is then as before. */
bool game_play(struct game *game, const struct move *move);

/* Takes back the last ply; plies must not be 0. */
void game_take_back(struct game *game);

static inline const struct position *game_now(const struct game *game)
{
    return &game->positions[game->plies];
}

/* Whether and why the game is over in its present position. reason may be NULL. */
enum outcome game_outcome(const struct game *game, enum end_reason *reason);

/* How often the present position has occurred, itself included. */
int game_repetitions(const struct game *game);

/* Plays moves separated by spaces. ERR_USAGE names the move by its number in the text; the moves
 * before it stay played. */
bool game_play_text(struct game *game, const char *moves, struct err *err);
