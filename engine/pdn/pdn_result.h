/* Results as PDN writes them.
 *
 * The first number is the opener's: White's in international and flying draughts, Black's in
 * classic draughts, whose records have always had it so. */
#pragma once

#include <stdbool.h>

#include "engine/rules/game.h"

/* Any system that the standard knows, whatever the rule set; `*`, `?`, 0-0 and nothing are
 * OUTCOME_OPEN. False for a text that is none of them; *out is then OUTCOME_OPEN. */
bool pdn_result_read(const struct rules *rules, const char *text, enum outcome *out);

/* 2-0, 1-1, 0-2 in international draughts; 1-0, 1/2-1/2, 0-1 in the others; `*`. */
const char *pdn_result_write(const struct rules *rules, enum outcome outcome);
