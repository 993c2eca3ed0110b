/* Scores counted until they have said the same thing for long enough. */
#include "selfplay/game/adjudication.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *adjudication_name(enum adjudication adjudication)
{
    switch (adjudication) {
    case ADJUDICATION_RESIGNED:
        return "resigned";
    case ADJUDICATION_DRAWN:
        return "agreed draw";
    case ADJUDICATION_NONE:
        break;
    }
    return "none";
}

enum adjudication adjudication_named(const char *name)
{
    for (int i = ADJUDICATION_RESIGNED; i <= ADJUDICATION_DRAWN; i++) {
        if (strcmp(name, adjudication_name((enum adjudication)i)) == 0) {
            return (enum adjudication)i;
        }
    }
    return ADJUDICATION_NONE;
}

bool adjudication_is_on(const struct adjudication_rules *rules)
{
    return rules->resign_score > 0 || rules->draw_plies > 0;
}

enum adjudication adjudicator_add(struct adjudicator *adjudicator, int ply, enum colour mover,
                                  int score, enum outcome *outcome)
{
    const struct adjudication_rules *rules = adjudicator->rules;
    if (rules == NULL) {
        return ADJUDICATION_NONE;
    }
    enum colour ahead = score > 0 ? mover : colour_other(mover);
    bool clear = rules->resign_score > 0 && abs(score) >= rules->resign_score;
    bool again = clear && adjudicator->winning > 0 && ahead == adjudicator->winner;
    adjudicator->winning = again ? adjudicator->winning + 1 : clear;
    adjudicator->winner = ahead;
    bool even = ply >= rules->draw_from && abs(score) <= rules->draw_score;
    adjudicator->level = even ? adjudicator->level + 1 : 0;
    if (clear && adjudicator->winning >= rules->resign_plies) {
        *outcome = ahead == WHITE ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS;
        return ADJUDICATION_RESIGNED;
    }
    if (rules->draw_plies > 0 && adjudicator->level >= rules->draw_plies) {
        *outcome = OUTCOME_DRAW;
        return ADJUDICATION_DRAWN;
    }
    return ADJUDICATION_NONE;
}

void adjudicator_forget(struct adjudicator *adjudicator)
{
    adjudicator->winning = adjudicator->level = 0;
}
