/* Games from PDN files (docs/pdn.md).
 *
 * Every game is replayed: the main line is kept, variations are only checked, comments are passed
 * over. A fault costs at most the rest of its line: the main line of its game, or its variation. */
#pragma once

#include "engine/pdn/pdn_text.h"
#include "engine/rules/game.h"

struct pdn_game {
    int number, line;            /* from 1: in the text, and the line where it begins */
    const struct pdn_text *text; /* its tags (pdn_text_tag); not owned */
    struct game game;            /* the moves up to the first fault; a position set up after moves
                                    begins it anew; its variant is NULL, and a fault was told, when
                                    the game is of none of the rule sets */
    enum outcome outcome;        /* OUTCOME_OPEN also when the result is of no known system */
    int moves;                   /* of the main line, those before a position set up included */
    int faults;
};

/* Where games and faults go, in the order of the text. */
struct pdn_sink {
    void *context;
    /* `what` is one line of text, without control characters. */
    void (*fault)(void *context, int line, int game, const char *what);

    /* The game is the reader's and ends with the call. False stops the reading. */
    bool (*game)(void *context, const struct pdn_game *game, struct err *err);
};

/* Reads all games. `given` is the rule set of those whose tags name none; NULL: it is found out
 * from their moves. False when the sink stops it or memory is out. */
bool pdn_read(const char *text, size_t size, const struct variant *given,
              const struct pdn_sink *sink, struct err *err);
