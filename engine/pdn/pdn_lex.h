/* The words of a PDN text (docs/pdn.md): tags, moves, results, parentheses, positions set up.
 *
 * What says nothing about the moves is passed over: white space, `{comments}`, `%` lines, move
 * numbers, ellipses, strengths, `$` annotations. Any bytes may come in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/board/position.h"

/* A part of the text read; not ended by a NUL. */
struct pdn_span {
    const char *text;
    size_t length;
};

/* The squares of a move as written: start, perhaps squares between, end; or the machine form. */
enum { PDN_SQUARES = TAKEN_MAX + 2 };
struct pdn_squares {
    bool capture;
    int count;                   /* at least 2 */
    uint8_t square[PDN_SQUARES]; /* 0..99; whether the board has them is not looked at */
};

enum pdn_kind {
    PDN_END,     /* of the text */
    PDN_TAG,     /* [Name "value"] */
    PDN_BAD_TAG, /* begins like a tag; `what` says what is wrong */
    PDN_MOVE,
    PDN_RESULT, /* `*`, 1-0, 1/2-1/2, 0-1, 2-0, 1-1, 0-2 or 0-0 */
    PDN_OPEN,   /* ( */
    PDN_CLOSE,  /* ) */
    PDN_SETUP,  /* /FEN "value"/ */
    PDN_BAD,    /* anything else; `what` says what is wrong */
};

struct pdn_token {
    enum pdn_kind kind;
    int line;                   /* where it begins, from 1 */
    struct pdn_span text;       /* as written; the name of a tag */
    struct pdn_span value;      /* between the quotes, escapes not undone: PDN_TAG, PDN_SETUP */
    struct pdn_squares squares; /* PDN_MOVE */
    const char *what;           /* PDN_BAD, PDN_BAD_TAG; constant */
};

/* A value: a copy of it can look ahead. */
struct pdn_lexer {
    const char *start, *at, *end;
    int line;
};

/* The text must outlive lexer and tokens. A byte order mark is passed over. */
struct pdn_lexer pdn_lexer_start(const char *text, size_t size);

/* The next token; PDN_END again and again at the end. */
struct pdn_token pdn_next(struct pdn_lexer *lexer);

bool pdn_span_is(struct pdn_span span, const char *text);
