/* Which rule set a game of a PDN file is played by. */
#pragma once

#include "engine/pdn/pdn_text.h"
#include "engine/rules/variant.h"

/* From `[Rules "flying"]`, else the GameType tag, else `given` (may be NULL), else the rule set by
 * which most of the moves can be played. NULL when the GameType is none of ours: *tag is then
 * that tag. */
const struct variant *pdn_variant(const struct pdn_text *text, const struct variant *given,
                                  const struct pdn_token **tag);

/* The position that the FEN tag sets up, the rule set's opening without one. ERR_USAGE. */
bool pdn_start(const struct pdn_text *text, const struct rules *rules, struct position *out,
               struct err *err);

/* A position as /FEN "..."/ has it. */
bool pdn_position(struct pdn_span fen, const struct rules *rules, struct position *out,
                  struct err *err);
