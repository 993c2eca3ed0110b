/* Results in and out. */
#include "engine/pdn/pdn_result.h"

#include <stddef.h>
#include <string.h>

enum { FOR_OPENER, FOR_OTHER, DRAWN, OPEN };

static enum outcome outcome_of(const struct rules *rules, int kind)
{
    enum outcome opener = rules->opener == WHITE ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS;
    enum outcome other = rules->opener == WHITE ? OUTCOME_BLACK_WINS : OUTCOME_WHITE_WINS;

    return kind == FOR_OPENER  ? opener
           : kind == FOR_OTHER ? other
           : kind == DRAWN     ? OUTCOME_DRAW
                               : OUTCOME_OPEN;
}

static const struct {
    const char *text;
    int kind;
    bool international, others; /* where it is written */
} RESULTS[] = {
    {"2-0", FOR_OPENER, true, false}, {"0-2", FOR_OTHER, true, false},
    {"1-1", DRAWN, true, false},      {"1-0", FOR_OPENER, false, true},
    {"0-1", FOR_OTHER, false, true},  {"1/2-1/2", DRAWN, false, true},
    {"*", OPEN, true, true},          {"0-0", OPEN, false, false},
    {"?", OPEN, false, false},        {"", OPEN, false, false},
};

enum { RESULT_COUNT = sizeof RESULTS / sizeof RESULTS[0] };

bool pdn_result_read(const struct rules *rules, const char *text, enum outcome *out)
{
    *out = OUTCOME_OPEN;
    for (size_t i = 0; i < RESULT_COUNT; i++) {
        if (strcmp(RESULTS[i].text, text) == 0) {
            *out = outcome_of(rules, RESULTS[i].kind);
            return true;
        }
    }
    return false;
}

const char *pdn_result_write(const struct rules *rules, enum outcome outcome)
{
    bool international = rules->pdn_game_type == variant_international.rules->pdn_game_type;

    for (size_t i = 0; i < RESULT_COUNT; i++) {
        bool written = international ? RESULTS[i].international : RESULTS[i].others;
        if (written && outcome_of(rules, RESULTS[i].kind) == outcome) {
            return RESULTS[i].text;
        }
    }
    return "*";
}
