/* The spelling of PDN's words: each function looks at the text from `at` up to `end` (not read)
 * and returns where the word ends, NULL when it does not stand there. */
#pragma once

#include "engine/pdn/pdn_lex.h"

bool pdn_digit(char c);

/* Behind white space; behind one remark that needs no look around (white space, move number,
 * dots, strength, `$` annotation, a clock's `[%...]`), `at` itself when there is none; the end of
 * the line, of a word (of at least one byte). */
const char *pdn_skip_space(const char *at, const char *end);
const char *pdn_skip_remark(const char *at, const char *end);
const char *pdn_line_end(const char *at, const char *end);
const char *pdn_word_end(const char *at, const char *end);

/* `[Name "value"]` on one line, \" in the value read over; and whether a line holds just that. */
const char *pdn_read_tag(const char *at, const char *end, struct pdn_span *name,
                         struct pdn_span *value);
bool pdn_tag_line(const char *at, const char *end);

/* `/FEN "value"/` on one line. */
const char *pdn_read_setup(const char *at, const char *end, struct pdn_span *value);

/* A result of any system the standard knows, no part of a longer word: not the 1-1 of 1-18. */
const char *pdn_read_result(const char *at, const char *end);

/* Squares joined by one kind of separator, `-` (two squares) or `x` or `:`; blanks may stand
 * around a separator. */
const char *pdn_read_squares(const char *at, const char *end, struct pdn_squares *out);
