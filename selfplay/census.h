/* What the finished games of a stage come to beside their results: how many are the same game
 * again, how many were adjudicated, and how often adjudication would have been wrong, which the
 * control games tell. Pure: the same for the same games, however they were played. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/game/record.h"
#include "selfplay/selfplay_game.h"

struct census_figures {
    int64_t games;
    int64_t repeated; /* games that are, from the end of their opening on, one that came before */
    int64_t adjudicated[ADJUDICATION_DRAWN + 1]; /* by enum adjudication; [0]: ended by the rules */
    int64_t control;                             /* games played to their end in spite of all */
    int64_t judged[ADJUDICATION_DRAWN + 1];      /* of these: so many would have been ended ... */
    int64_t wrong[ADJUDICATION_DRAWN + 1];       /* ... and so many of those with another result */
    int64_t control_plies, spared_plies; /* of control games behind their openings; of these, those
                                            that adjudication would have spared */
};

struct census {
    const struct selfplay_settings *settings; /* not owned, like source */
    const struct selfplay_source *source;
    struct census_figures figures;
    uint64_t *line; /* [count], a hash of each game's positions and moves; owned */
    size_t count, capacity;
};

struct census census_begin(const struct selfplay_settings *settings,
                           const struct selfplay_source *source);

/* Takes in a game. False: memory is out. */
bool census_add(struct census *census, const struct record *record, struct err *err);

/* The figures of all games taken in; gives the memory back. */
struct census_figures census_end(struct census *census);
