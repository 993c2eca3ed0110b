/* The spelling of PDN's words. */
#include "engine/pdn/pdn_words.h"

#include <string.h>

bool pdn_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool space(char c)
{
    /* Byte 26 ends files of DOS. */
    return blank(c) || (c >= '\n' && c <= '\r') || c == 26;
}

static const char *skip(bool (*is)(char), const char *at, const char *end)
{
    while (at < end && is(*at)) {
        at++;
    }
    return at;
}

const char *pdn_skip_space(const char *at, const char *end)
{
    return skip(space, at, end);
}

const char *pdn_line_end(const char *at, const char *end)
{
    while (at < end && *at != '\n' && *at != '\r') {
        at++;
    }
    return at;
}

const char *pdn_word_end(const char *at, const char *end)
{
    for (at++; at < end && !space(*at) && !strchr("{}()[]*/", *at); at++) {
    }
    return at;
}

static const char *expect(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);

    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

static bool strength(char c)
{
    return c == '!' || c == '?';
}

static bool inside_command(char c)
{
    return c != ']' && c != '\n' && c != '\r';
}

static bool dot(char c)
{
    return c == '.';
}

const char *pdn_skip_remark(const char *at, const char *end)
{
    const char *next;

    if (at == end) {
        return at;
    }
    if (space(*at)) {
        return pdn_skip_space(at, end);
    }
    if (strength(*at)) {
        return skip(strength, at, end);
    }
    if (*at == '$') {
        next = skip(pdn_digit, at + 1, end);
        return next > at + 1 ? next : at;
    }
    if (*at == '(') {
        next = skip(strength, at + 1, end);
        return next > at + 1 && next < end && *next == ')' ? next + 1 : at;
    }
    if (*at == '[' && at + 1 < end && at[1] == '%') {
        next = skip(inside_command, at, end);
        return next < end && *next == ']' ? next + 1 : at;
    }
    next = skip(pdn_digit, at, end);
    return next < end && *next == '.' ? skip(dot, next, end) : at;
}

/* `"value"` on one line; \" and \\ stand for " and \. */
static const char *read_string(const char *at, const char *end, struct pdn_span *value)
{
    if (at == end || *at != '"') {
        return NULL;
    }
    value->text = ++at;
    while (at < end && *at != '"' && *at != '\n' && *at != '\r') {
        bool escape = *at == '\\' && at + 1 < end && (at[1] == '"' || at[1] == '\\');
        at += escape ? 2 : 1;
    }
    value->length = (size_t)(at - value->text);
    return at < end && *at == '"' ? at + 1 : NULL;
}

const char *pdn_read_tag(const char *at, const char *end, struct pdn_span *name,
                         struct pdn_span *value)
{
    if (at == end || *at != '[') {
        return NULL;
    }
    at = skip(blank, at + 1, end);
    name->text = at;
    while (at < end && (letter(*at) || (at > name->text && (pdn_digit(*at) || *at == '_')))) {
        at++;
    }
    name->length = (size_t)(at - name->text);
    if (name->length == 0 || !(at = read_string(skip(blank, at, end), end, value))) {
        return NULL;
    }
    at = skip(blank, at, end);
    return at < end && *at == ']' ? at + 1 : NULL;
}

bool pdn_tag_line(const char *at, const char *end)
{
    struct pdn_span name, value;

    at = pdn_read_tag(at, end, &name, &value);
    return at && skip(blank, at, end) == pdn_line_end(at, end);
}

const char *pdn_read_setup(const char *at, const char *end, struct pdn_span *value)
{
    at = at < end && *at == '/' ? expect(skip(blank, at + 1, end), end, "FEN") : NULL;
    at = at ? read_string(skip(blank, at, end), end, value) : NULL;
    return at ? expect(skip(blank, at, end), end, "/") : NULL;
}

const char *pdn_read_result(const char *at, const char *end)
{
    static const char *const RESULTS[] = {"1-0", "1/2-1/2", "0-1", "2-0", "1-1", "0-2", "0-0"};

    for (size_t i = 0; i < sizeof RESULTS / sizeof RESULTS[0]; i++) {
        const char *behind = expect(at, end, RESULTS[i]);
        if (behind && (behind == end || space(*behind) || strchr("{}()[*%", *behind))) {
            return behind;
        }
    }
    return NULL;
}

/* A square of one or two digits. */
static const char *read_square(const char *at, const char *end, uint8_t *out)
{
    const char *behind = skip(pdn_digit, at, end);

    if (behind == at || behind > at + 2) {
        return NULL;
    }
    *out = (uint8_t)(behind == at + 1 ? at[0] - '0' : 10 * (at[0] - '0') + (at[1] - '0'));
    return behind;
}

/* A separator with a digit behind it; behind it the text goes on with that digit. */
static const char *read_separator(const char *at, const char *end, bool *capture)
{
    at = skip(blank, at, end);
    if (at == end || (*at != '-' && *at != 'x' && *at != ':')) {
        return NULL;
    }
    *capture = *at != '-';
    at = skip(blank, at + 1, end);
    return at < end && pdn_digit(*at) ? at : NULL;
}

const char *pdn_read_squares(const char *at, const char *end, struct pdn_squares *out)
{
    *out = (struct pdn_squares){0};
    for (bool capture = false;;) {
        if (out->count == PDN_SQUARES || !(at = read_square(at, end, &out->square[out->count]))) {
            return NULL;
        }
        out->count++;
        const char *next = read_separator(at, end, &capture);
        if (!next) {
            return out->count > 1 && (at == end || !letter(*at)) ? at : NULL;
        }
        if (out->count == 1) {
            out->capture = capture;
        } else if (!capture || !out->capture) {
            return NULL;
        }
        at = next;
    }
}
