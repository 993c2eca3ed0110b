/* Games that end before the rules end them: resigned when both sides' searches have long agreed who
 * wins, drawn when they have long agreed that nobody does.
 *
 * What is decided follows from the scores of a game's plies alone, all of them integers. So it can
 * be asked of a finished record too: what would have been decided of a control game, which is
 * played to its end whatever the scores say, and was it right? */
#pragma once

#include <stdbool.h>

#include "engine/rules/game.h"

/* Scores in hundredths of a man, lengths in plies (half-moves). */
struct adjudication_rules {
    int resign_score, resign_plies; /* so many plies in a row say that one side is ahead by at least
                                       that score; a score of 0: nobody resigns */
    int draw_score, draw_plies;     /* so many in a row stay within that score; 0 plies: no draws */
    int draw_from;                  /* plies of the game, opening included, that come first */
};

/* The numbers are those of the record's format. */
enum adjudication { ADJUDICATION_NONE, ADJUDICATION_RESIGNED, ADJUDICATION_DRAWN };

/* "resigned", "agreed draw"; "none". None of them is the name of an end_reason or a fault. */
const char *adjudication_name(enum adjudication adjudication);

/* The reverse; ADJUDICATION_NONE for any other text. */
enum adjudication adjudication_named(const char *name);

/* Whether any game can be ended by them. */
bool adjudication_is_on(const struct adjudication_rules *rules);

/* What the plies of a game so far have said. */
struct adjudicator {
    const struct adjudication_rules *rules; /* not owned; NULL: nothing is ever decided */
    enum colour winner;                     /* whom the last `winning` plies see ahead */
    int winning, level;                     /* plies in a row */
};

/* Takes in a ply's score, from the view of `mover` who played it as ply number `ply` of the game
 * (from 0). Says what is decided after it; *outcome is written only when something is. */
enum adjudication adjudicator_add(struct adjudicator *adjudicator, int ply, enum colour mover,
                                  int score, enum outcome *outcome);

/* Takes in a ply whose player has told no score: what was said in a row ends here. */
void adjudicator_forget(struct adjudicator *adjudicator);
