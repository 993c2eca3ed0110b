/* PDN text into tokens. Nothing here knows a board or a game. */
#include "engine/pdn/pdn_lex.h"

#include <string.h>

#include "engine/pdn/pdn_words.h"

static bool more(const struct pdn_lexer *lexer)
{
    return lexer->at < lexer->end;
}

/* Goes on to `to`, counting the lines passed: LF, CR LF and CR end one. */
static void advance(struct pdn_lexer *lexer, const char *to)
{
    for (; lexer->at < to; lexer->at++) {
        bool crlf = lexer->at[0] == '\r' && lexer->at + 1 < lexer->end && lexer->at[1] == '\n';
        lexer->line += lexer->at[0] == '\n' || (lexer->at[0] == '\r' && !crlf);
    }
}

struct pdn_lexer pdn_lexer_start(const char *text, size_t size)
{
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    return (struct pdn_lexer){
        .start = text + mark, .at = text + mark, .end = text + size, .line = 1};
}

bool pdn_span_is(struct pdn_span span, const char *text)
{
    return span.length == strlen(text) && memcmp(span.text, text, span.length) == 0;
}

/* The token from the lexer's place to `to`, which is then the lexer's place. */
static struct pdn_token take(struct pdn_lexer *lexer, enum pdn_kind kind, const char *to)
{
    struct pdn_token token = {
        .kind = kind,
        .line = lexer->line,
        .text = {lexer->at, (size_t)(to - lexer->at)},
    };

    advance(lexer, to);
    return token;
}

static struct pdn_token take_bad(struct pdn_lexer *lexer, const char *to, const char *what)
{
    struct pdn_token token = take(lexer, PDN_BAD, to);

    token.what = what;
    return token;
}

/* Passes over a comment. One that is not closed before a line that can only be a tag is taken to
 * end there, so that the games behind are not lost with it. */
static bool pass_comment(struct pdn_lexer *lexer, struct pdn_token *bad)
{
    const char *at = lexer->at;

    for (bool tag = false; at < lexer->end && *at != '}' && !tag; at++) {
        tag = (*at == '\n' || *at == '\r') && pdn_tag_line(at + 1, lexer->end);
    }
    if (at < lexer->end && *at == '}') {
        advance(lexer, at + 1);
        return true;
    }
    *bad = take_bad(lexer, at, "the comment is not closed by }");
    return false;
}

static bool at_line_start(const struct pdn_lexer *lexer)
{
    return lexer->at == lexer->start || lexer->at[-1] == '\n' || lexer->at[-1] == '\r';
}

/* A star glued to a move with another move behind is an old sign for a forced move. */
static bool forced_mark(const struct pdn_lexer *lexer)
{
    if (*lexer->at != '*' || lexer->at == lexer->start || !pdn_digit(lexer->at[-1])) {
        return false;
    }
    const char *next = pdn_skip_space(lexer->at + 1, lexer->end);
    return next < lexer->end && pdn_digit(*next);
}

/* Passes over what says nothing about the moves. False with a token for a comment not closed. */
static bool pass_remarks(struct pdn_lexer *lexer, struct pdn_token *bad)
{
    while (more(lexer)) {
        const char *next = pdn_skip_remark(lexer->at, lexer->end);
        if (next > lexer->at) {
            advance(lexer, next);
        } else if (*lexer->at == '%' && at_line_start(lexer)) {
            advance(lexer, pdn_line_end(lexer->at, lexer->end));
        } else if (forced_mark(lexer)) {
            lexer->at++;
        } else if (*lexer->at != '{') {
            break;
        } else if (!pass_comment(lexer, bad)) {
            return false;
        }
    }
    return true;
}

static struct pdn_token next_tag(struct pdn_lexer *lexer)
{
    struct pdn_span name, value;
    const char *end = pdn_read_tag(lexer->at, lexer->end, &name, &value);

    if (!end) {
        bool header = at_line_start(lexer);
        struct pdn_token bad =
            take(lexer, header ? PDN_BAD_TAG : PDN_BAD, pdn_line_end(lexer->at, lexer->end));
        bad.what = "not a tag; a tag is [Name \"value\"] on one line";
        return bad;
    }
    struct pdn_token token = take(lexer, PDN_TAG, end);
    token.text = name;
    token.value = value;
    return token;
}

static struct pdn_token next_setup(struct pdn_lexer *lexer)
{
    struct pdn_span value;
    const char *end = pdn_read_setup(lexer->at, lexer->end, &value);

    if (!end) {
        return take_bad(lexer, pdn_line_end(lexer->at, lexer->end),
                        "not a position; a position is set up by /FEN \"...\"/ on one line");
    }
    struct pdn_token token = take(lexer, PDN_SETUP, end);
    token.value = value;
    return token;
}

/* A word that begins with a digit and is no move number. */
static struct pdn_token next_move(struct pdn_lexer *lexer)
{
    struct pdn_squares squares;
    const char *end = pdn_read_result(lexer->at, lexer->end);

    if (end) {
        return take(lexer, PDN_RESULT, end);
    }
    end = pdn_read_squares(lexer->at, lexer->end, &squares);
    if (!end) {
        return take_bad(lexer, pdn_word_end(lexer->at, lexer->end),
                        "neither a move like 32-28 or 26x37 nor a move number like 12.");
    }
    struct pdn_token token = take(lexer, PDN_MOVE, end);
    token.squares = squares;
    return token;
}

struct pdn_token pdn_next(struct pdn_lexer *lexer)
{
    struct pdn_token bad;

    if (!pass_remarks(lexer, &bad)) {
        return bad;
    }
    if (!more(lexer)) {
        return take(lexer, PDN_END, lexer->at);
    }
    switch (*lexer->at) {
    case '[':
        return next_tag(lexer);
    case '(':
        return take(lexer, PDN_OPEN, lexer->at + 1);
    case ')':
        return take(lexer, PDN_CLOSE, lexer->at + 1);
    case '*':
        return take(lexer, PDN_RESULT, lexer->at + 1);
    case '/':
        return next_setup(lexer);
    case '}':
        return take_bad(lexer, lexer->at + 1,
                        "} closes no comment: comments do not nest, the first } ends one");
    default:
        return pdn_digit(*lexer->at) ? next_move(lexer)
                                     : take_bad(lexer, pdn_word_end(lexer->at, lexer->end),
                                                "neither a move nor anything else that PDN has");
    }
}
