/* Where one game ends and the next begins. */
#include "engine/pdn/pdn_text.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

void pdn_text_fini(struct pdn_text *text)
{
    free(text->token);
    *text = (struct pdn_text){0};
}

static bool push(struct pdn_text *text, const struct pdn_token *token, struct err *err)
{
    if (text->count == text->capacity) {
        int capacity = text->capacity ? 2 * text->capacity : FIRST_CAPACITY;
        struct pdn_token *moved = realloc(text->token, (size_t)capacity * sizeof *moved);
        if (!moved) {
            return err_set(err, ERR_FAILED, "out of memory in a game of %d words", text->count);
        }
        text->token = moved;
        text->capacity = capacity;
    }
    text->token[text->count++] = *token;
    return true;
}

const struct pdn_token *pdn_text_tag(const struct pdn_text *text, const char *name)
{
    for (int i = 0; i < text->tags; i++) {
        if (text->token[i].kind == PDN_TAG && pdn_span_is(text->token[i].text, name)) {
            return &text->token[i];
        }
    }
    return NULL;
}

void pdn_value(struct pdn_span value, char *out, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < value.length && used + 1 < size; i++) {
        bool escape = value.text[i] == '\\' && i + 1 < value.length &&
                      (value.text[i + 1] == '"' || value.text[i + 1] == '\\');
        i += escape;
        out[used++] = value.text[i];
    }
    out[used] = '\0';
}

static bool is_tag(const struct pdn_token *token)
{
    return token->kind == PDN_TAG || token->kind == PDN_BAD_TAG;
}

/* Whether the next word begins another game or there is none. */
static bool at_game_end(const struct pdn_lexer *lexer)
{
    struct pdn_lexer ahead = *lexer;
    struct pdn_token next = pdn_next(&ahead);

    return is_tag(&next) || next.kind == PDN_END;
}

/* A result ends the game, but one in a variation only when nothing else can follow. Results of
 * unusual systems look like moves; one ends the game when it is the tag's and nothing follows. */
static bool ends_game(const struct pdn_token *token, const struct pdn_span *result, int depth,
                      const struct pdn_lexer *lexer)
{
    if (token->kind == PDN_RESULT) {
        return depth == 0 || at_game_end(lexer);
    }
    return token->kind == PDN_MOVE && depth == 0 && result->length == token->text.length &&
           memcmp(result->text, token->text.text, result->length) == 0 && at_game_end(lexer);
}

bool pdn_text_next(struct pdn_text *text, struct pdn_lexer *lexer, bool *more, struct err *err)
{
    struct pdn_span result = {"", 0};
    int depth = 0;

    text->count = text->tags = 0;
    for (;;) {
        struct pdn_lexer before = *lexer;
        struct pdn_token token = pdn_next(lexer);
        bool tag = is_tag(&token);
        if (token.kind == PDN_RESULT && text->count == 0) {
            continue; /* a second result, or a star behind one */
        }
        text->end = token;
        *more = text->count > 0;
        if (token.kind == PDN_END || ends_game(&token, &result, depth, lexer)) {
            return true;
        }
        if (tag && text->count > text->tags) {
            *lexer = before;
            return true;
        }
        if (token.kind == PDN_RESULT) {
            continue;
        }
        if (!push(text, &token, err)) {
            return false;
        }
        if (token.kind == PDN_TAG && result.length == 0 && pdn_span_is(token.text, "Result")) {
            result = token.value;
        }
        text->tags += tag;
        depth += (token.kind == PDN_OPEN) - (token.kind == PDN_CLOSE && depth > 0);
    }
}
