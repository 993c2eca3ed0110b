/* One game's words, found in a PDN file before anything is known about its board. */
#pragma once

#include "engine/base/err.h"
#include "engine/pdn/pdn_lex.h"

struct pdn_text {
    struct pdn_token *token; /* [count]: first the header, then the moves; owned */
    int count, capacity;
    int tags; /* the header's part: PDN_TAG, PDN_BAD_TAG */

    /* What ended it: PDN_RESULT (also a word that the Result tag has), PDN_END, or the first tag
     * of the next game when no result stands between. */
    struct pdn_token end;
};

/* Reads the next game's words over those of the last one (at first a zeroed struct). *more is
 * false when no game is left. False only when memory is out. */
bool pdn_text_next(struct pdn_text *text, struct pdn_lexer *lexer, bool *more, struct err *err);
void pdn_text_fini(struct pdn_text *text);

/* The first tag of that name, NULL when there is none. */
const struct pdn_token *pdn_text_tag(const struct pdn_text *text, const char *name);

/* A value with its escapes undone, cut when it does not fit. */
void pdn_value(struct pdn_span value, char *out, size_t size);
