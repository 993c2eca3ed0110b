/* The table of settings: from text into the settings struct by type and offset, and back. The
 * configuration file is read in options_file.c, one assignment a line. */
#include "engine/base/options.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <string.h>

#include "engine/base/nearest.h"
#include "engine/base/number.h"

enum { NAME = 64, SHOWN = 80, NUMBER = 32 };

static void full_name(const struct option *option, char out[NAME])
{
    snprintf(out, NAME, "%s.%s", option->section, option->key);
}

static void *place(const struct option *option, void *settings)
{
    return (char *)settings + option->offset;
}

static const void *place_read(const struct option *option, const void *settings)
{
    return (const char *)settings + option->offset;
}

/* The bounds of an OPTION_INT stand in the table as doubles, which reach beyond int64_t. */
static long long whole_bound(double bound)
{
    if (bound >= 0x1p63) {
        return LLONG_MAX;
    }
    if (bound <= -0x1p63) {
        return LLONG_MIN;
    }
    return (long long)bound;
}

static bool set_bool(bool *out, const char *text, const char *name, struct err *err)
{
    static const char *const YES[] = {"yes", "true", "on", "1"};
    static const char *const NO[] = {"no", "false", "off", "0"};
    for (size_t i = 0; i < sizeof YES / sizeof YES[0]; i++) {
        bool yes = strcmp(text, YES[i]) == 0;
        if (yes || strcmp(text, NO[i]) == 0) {
            *out = yes;
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "%s: '%.*s' is neither yes nor no", name, SHOWN, text);
}

/* The word number `index` of a list separated by single spaces, its length in *length; NULL behind
 * the last. */
static const char *choice_at(const char *choices, int64_t index, size_t *length)
{
    const char *word = choices;
    for (; index > 0 && word != NULL; index--) {
        word = strchr(word, ' ');
        word = word == NULL ? NULL : word + 1;
    }
    if (word != NULL) {
        *length = strcspn(word, " ");
    }
    return word;
}

static bool set_choice(int64_t *out, const struct option *option, const char *text,
                       const char *name, struct err *err)
{
    size_t length = 0;
    const char *word = NULL;
    for (int64_t i = 0; (word = choice_at(option->choices, i, &length)) != NULL; i++) {
        if (strlen(text) == length && strncmp(text, word, length) == 0) {
            *out = i;
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "%s: '%.*s' is not one of: %s", name, SHOWN, text,
                   option->choices);
}

/* What the configuration file would not give back as it is: blanks at the ends are trimmed, ';'
 * behind a blank opens a comment, a line has an end. */
static bool survives_file(const char *text)
{
    bool after_blank = true; /* the value follows "key = " */
    for (const char *at = text; *at != '\0'; at++) {
        bool comment = after_blank && *at == ';';
        if (comment || (unsigned char)*at < ' ') {
            return false;
        }
        after_blank = *at == ' ';
    }
    return text[0] == '\0' || (text[0] != ' ' && !after_blank);
}

static bool set_text(char out[OPTION_VALUE], const struct option *option, const char *text,
                     const char *name, struct err *err)
{
    size_t room = OPTION_LINE - strlen(option->key) - strlen(" = ");
    if (strlen(text) > room) {
        return err_set(err, ERR_USAGE, "%s: the value has %zu bytes, at most %zu fit", name,
                       strlen(text), room);
    }
    if (!survives_file(text)) {
        return err_set(err, ERR_USAGE,
                       "%s: '%.*s' must have no control character, no blank at its ends and no "
                       "';' at its start or behind a blank",
                       name, SHOWN, text);
    }
    memcpy(out, text, strlen(text) + 1);
    return true;
}

static bool set_value(const struct option *option, void *settings, const char *text,
                      struct err *err)
{
    char name[NAME];
    full_name(option, name);
    void *value = place(option, settings);
    switch (option->type) {
    case OPTION_INT: {
        long long whole = 0;
        if (!number_integer(text, name, whole_bound(option->min), whole_bound(option->max), &whole,
                            err)) {
            return false;
        }
        *(int64_t *)value = whole;
        return true;
    }
    case OPTION_REAL:
        return number_real(text, name, option->min, option->max, value, err);
    case OPTION_BOOL:
        return set_bool(value, text, name, err);
    case OPTION_TEXT:
        return set_text(value, option, text, name, err);
    case OPTION_CHOICE:
        return set_choice(value, option, text, name, err);
    }
    assert(!"option type");
    return false;
}

void options_defaults(const struct option *table, size_t count, void *settings)
{
    for (size_t i = 0; i < count; i++) {
        bool valid = set_value(&table[i], settings, table[i].initial, NULL);
        assert(valid);
        (void)valid;
    }
}

static bool unknown(const struct option *table, size_t count, const char *name, struct err *err)
{
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < count; i++) {
        char known[NAME];
        full_name(&table[i], known);
        nearest_offer(&nearest, known);
    }
    const char *found = nearest_found(&nearest);
    if (found == NULL) {
        return err_set(err, ERR_USAGE, "unknown key '%s', --help lists those known", name);
    }
    return err_set(err, ERR_USAGE, "unknown key '%s', did you mean '%s'?", name, found);
}

bool options_assign(const struct option *table, size_t count, void *settings,
                    const char *assignment, struct err *err)
{
    const char *equals = strchr(assignment, '=');
    if (equals == NULL) {
        return err_set(err, ERR_USAGE, "'%.*s' has no '=', a setting is section.key=value", SHOWN,
                       assignment);
    }
    size_t length = (size_t)(equals - assignment);
    char name[NAME];
    snprintf(name, sizeof name, "%.*s", length < NAME ? (int)length : NAME, assignment);
    for (size_t i = 0; i < count; i++) {
        char known[NAME];
        full_name(&table[i], known);
        if (strcmp(name, known) == 0) {
            return set_value(&table[i], settings, equals + 1, err);
        }
    }
    return unknown(table, count, name, err);
}

/* A short text of 6 to 17 digits that reads back as the same number. */
static void print_real(double value, FILE *out)
{
    char text[NUMBER];
    double back = 0;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        struct err ignored;
        if (number_real(text, "", -DBL_MAX, DBL_MAX, &back, &ignored) && back == value) {
            break;
        }
    }
    fputs(text, out);
}

static void print_value(const struct option *option, const void *settings, FILE *out)
{
    const void *value = place_read(option, settings);
    switch (option->type) {
    case OPTION_INT:
        fprintf(out, "%lld", (long long)*(const int64_t *)value);
        break;
    case OPTION_REAL:
        print_real(*(const double *)value, out);
        break;
    case OPTION_BOOL:
        fputs(*(const bool *)value ? "yes" : "no", out);
        break;
    case OPTION_TEXT:
        fputs(value, out);
        break;
    case OPTION_CHOICE: {
        size_t length = 0;
        const char *word = choice_at(option->choices, *(const int64_t *)value, &length);
        assert(word != NULL);
        fprintf(out, "%.*s", (int)length, word);
        break;
    }
    }
}

void options_dump(const struct option *table, size_t count, const void *settings, FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(section, table[i].section) != 0) {
            section = table[i].section;
            fprintf(out, "%s[%s]\n", i == 0 ? "" : "\n", section);
        }
        fprintf(out, "; %s\n%s = ", table[i].help, table[i].key);
        print_value(&table[i], settings, out);
        fputc('\n', out);
    }
}

static void help_values(const struct option *option, FILE *out)
{
    switch (option->type) {
    case OPTION_INT:
        fprintf(out, "%lld..%lld", whole_bound(option->min), whole_bound(option->max));
        break;
    case OPTION_REAL:
        fprintf(out, "%g..%g", option->min, option->max);
        break;
    case OPTION_BOOL:
        fputs("yes|no", out);
        break;
    case OPTION_TEXT:
        fputs("text", out);
        break;
    case OPTION_CHOICE:
        for (const char *at = option->choices; *at != '\0'; at++) {
            fputc(*at == ' ' ? '|' : *at, out);
        }
        break;
    }
}

void options_help(const struct option *table, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        char name[NAME];
        full_name(&table[i], name);
        fprintf(out, "  %s=", name);
        help_values(&table[i], out);
        fprintf(out, " (default: %s)\n      %s\n",
                table[i].initial[0] == '\0' ? "none" : table[i].initial, table[i].help);
    }
}
