/* The Hub protocol (version 2) from the side of the program that drives an engine, without reading
 * or writing anything: what a line of the engine's means, and the lines to send.
 *
 *     -> hub                                  <- id ..., param ..., wait
 *     -> set-param name=variant value=classic
 *     -> init                                 <- ready
 *     -> new-game
 *     -> pos pos=W... moves="32-28 ..."
 *     -> level nodes=1000
 *     -> go think                             <- info ..., done move=32-28
 *
 * engine/hub/hub.h is the other side. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/hub/hub_line.h"
#include "engine/rules/game.h"
#include "selfplay/external/fault.h"

enum { HUB_TEXT = 256 };

/* What a line of the engine's means. */
enum dialogue_event {
    DIALOGUE_NOTHING, /* a line to pass over; what it told is kept */
    DIALOGUE_WAIT,    /* it has said what it is */
    DIALOGUE_READY,
    DIALOGUE_DONE,    /* the move is in dialogue.move */
    DIALOGUE_STRANGE, /* no line of the protocol */
};

/* What an engine has told so far. */
struct hub_dialogue {
    char name[HUB_TEXT], version[HUB_TEXT];
    bool has_variant;        /* it declared a parameter "variant" */
    char variants[HUB_TEXT]; /* its values; "" when it gave none */
    char error[HUB_TEXT];    /* the last error it reported; "" for none */

    /* Since the last hub_dialogue_ask. */
    char move[HUB_TEXT]; /* "" when it gave none */
    int score;           /* mover's view, hundredths of a man, within +-SCORE_WON; 0: not told */
    int depth;           /* 0 .. 255; 0: not told */
    uint64_t nodes;      /* 0: not told */
};

/* Takes one line, which is changed. */
enum dialogue_event hub_dialogue_take(struct hub_dialogue *dialogue, char *text);

/* Forgets the last move and what came with it. */
void hub_dialogue_ask(struct hub_dialogue *dialogue);

/* Whether the engine plays the variant of that name, as far as it says: one that declares no
 * variants is taken at the user's word. */
bool hub_dialogue_plays(const struct hub_dialogue *dialogue, const char *variant);

/* The limits of a move; 0: none of that kind. */
struct hub_limits_sent {
    uint64_t nodes;
    int depth;
    double seconds;
};

/* The lines `pos`, `level` and `go think` for the game's present position: its start and all its
 * moves. NULL when memory is out; the caller frees it. */
char *hub_dialogue_question(const struct game *game, const struct hub_limits_sent *limits);

/* The lines that set parameters, from "name=value name=value ..." (values with blanks quoted), or
 * NULL with ERR_USAGE when it is no such text, ERR_FAILED when memory is out. The caller frees
 * it. */
char *hub_dialogue_parameters(const char *text, struct err *err);

/* What the text of a move comes to in a position: FAULT_NONE and *move, FAULT_NO_MOVE,
 * FAULT_ILLEGAL or FAULT_NONSENSE. */
enum fault hub_dialogue_move(const struct game *game, const char *text, struct move *move);
