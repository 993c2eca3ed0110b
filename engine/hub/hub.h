/* Hub version 2, the protocol between a draughts engine and a program that drives it: what each
 * line means and what is answered at once. Reading, writing and searching are the caller's.
 *
 *     -> hub                            <- id ..., param ..., wait
 *     -> set-param name=variant value=classic
 *     -> init                           <- ready
 *     -> pos pos=W... moves="32-28"
 *     -> level nodes=100000
 *     -> go think                       <- info ..., done move=32-28 ponder=17-22
 *
 * Nothing that arrives can end it but `quit`: unknown commands and arguments are passed over, as
 * the protocol asks; what is wrong is answered by `error message="..."` and otherwise without
 * effect. A `pos` that is refused leaves no position, so that `go` cannot search an old one. Every
 * `go` that is taken is answered by one `done`; in a position without a legal move that is an
 * error and a `done` without a move. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/hub/hub_text.h"
#include "engine/rules/game.h"
#include "engine/rules/variant.h"
#include "engine/search/search.h"

/* What the caller has to do after a line, beside writing the answer. */
enum hub_action {
    HUB_NOTHING,
    HUB_INITIALISE,  /* load weights and make a searcher, then call hub_initialised */
    HUB_FORGET,      /* clear the searcher's table */
    HUB_SEARCH,      /* search hub->game within hub_limits; set hub->searching */
    HUB_STOP,        /* end the search soon */
    HUB_START_CLOCK, /* the move pondered on was played: hub_limits holds for the search from now on
                      */
    HUB_QUIT,
};

struct hub {
    const struct variant *wanted; /* parameters, as set-param left them */
    int wanted_table_bits, wanted_threads;
    const struct variant *variant; /* in force since init; NULL before */
    struct game game;              /* of `variant`; owned */
    bool has_position;
    struct hub_level level;
    bool analysing; /* the last go was `go analyze` */
    bool pondering; /* the last go was `go ponder` and no ponder-hit came */
    bool searching; /* kept by the caller: a search has begun and its `done` is not yet written */
};

enum { HUB_TABLE_BITS = 20 };

/* A session that offers `variant` first. Needs hub_fini. */
void hub_init(struct hub *hub, const struct variant *variant);
void hub_fini(struct hub *hub);

/* Takes one line (which is changed) and fills the answer: zero or more lines, each with its end. */
enum hub_action hub_take(struct hub *hub, char *text, char answer[HUB_ANSWER]);

/* A line was lost. It may have been a `pos`, so there is no position any more, unless a search
 * runs, when `pos` may not come. */
void hub_lose_line(struct hub *hub);

/* Puts hub->wanted in force with its opening position. False only when memory is out; the session
 * is then as before init. */
bool hub_initialised(struct hub *hub, struct err *err);

/* Limits of the search that HUB_SEARCH asks for: while pondering, none of time. */
struct search_limits hub_limits(const struct hub *hub);
