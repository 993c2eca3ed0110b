/* The table of settings: from text into the settings struct by type and offset. The configuration
 * file is read in options_file.c, one assignment a line; the way back is options_show.c. */
#include "engine/base/options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/nearest.h"
#include "engine/base/number.h"
#include "engine/base/options_parts.h"

enum { NAME = 64, SHOWN = 80 };

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

static bool set_choice(int64_t *out, const struct option *option, const char *text,
                       const char *name, struct err *err)
{
    size_t length = 0;
    const char *word = NULL;
    for (int64_t i = 0; (word = option_choice(option->choices, i, &length)) != NULL; i++) {
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

/* `name` is what faults call the option. */
static bool set_value(const struct option *option, void *value, const char *text, const char *name,
                      struct err *err)
{
    switch (option->type) {
    case OPTION_INT: {
        long long whole = 0;
        if (!number_integer(text, name, option_bound(option->min), option_bound(option->max),
                            &whole, err)) {
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
    case OPTION_FAMILY:
        break;
    }
    assert(!"option type");
    return false;
}

static void set_default(const struct option *option, void *value)
{
    bool valid = set_value(option, value, option->initial, option->key, NULL);
    assert(valid);
    (void)valid;
}

/* --- families ----------------------------------------------------------------------------------*/

static bool is_name(const char *name)
{
    static const char ALLOWED[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-";
    return strspn(name, ALLOWED) == strlen(name) && strlen(name) < OPTION_NAME;
}

/* Struct number `index` of the family; NULL behind the last. */
static char *member_at(const struct option *family, void *settings, int64_t index)
{
    return index < (int64_t)family->max
               ? (char *)settings + family->offset + (size_t)index * (size_t)family->min
               : NULL;
}

/* The struct of that name, begun when it is not there; NULL when there is no room. `end` is behind
 * the table. */
static char *member_named(const struct option *family, const struct option *end, void *settings,
                          const char *name)
{
    char *member = NULL;
    for (int64_t i = 0; (member = member_at(family, settings, i)) != NULL; i++) {
        if (strcmp(member, name) == 0) {
            return member;
        }
        if (member[0] == '\0') {
            break;
        }
    }
    if (member == NULL || !is_name(name)) {
        return NULL;
    }
    snprintf(member, OPTION_NAME, "%s", name);
    for (const struct option *key = family + 1; key < end && option_is_of(family, key); key++) {
        set_default(key, member + key->offset);
    }
    return member;
}

/* --- the table ---------------------------------------------------------------------------------*/

void options_defaults(const struct option *table, size_t count, void *settings)
{
    const struct option *family = NULL;
    for (size_t i = 0; i < count; i++) {
        if (table[i].type == OPTION_FAMILY) {
            family = &table[i];
            memset(member_at(family, settings, 0), 0, (size_t)family->max * (size_t)family->min);
        } else if (!option_is_of(family, &table[i])) {
            set_default(&table[i], (char *)settings + table[i].offset);
        }
    }
}

/* The row of a key, and in *owner its family or NULL; NULL when it is unknown. */
static const struct option *find(const struct option *table, size_t count, const char *section,
                                 const char *key, const struct option **owner)
{
    const struct option *family = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct option *option = &table[i];
        if (option->type == OPTION_FAMILY) {
            family = option;
            continue;
        }
        *owner = option_is_of(family, option) ? family : NULL;
        bool right = *owner != NULL ? option_name_in(family, section) != NULL
                                    : strcmp(option->section, section) == 0;
        if (right && strcmp(option->key, key) == 0) {
            return option;
        }
    }
    return NULL;
}

void *options_place(const struct option *table, size_t count, void *settings, const char *section,
                    const char *key)
{
    const struct option *family = NULL;
    const struct option *option = find(table, count, section, key, &family);
    char *base = settings;
    if (option != NULL && family != NULL) {
        base = member_named(family, table + count, settings, option_name_in(family, section));
    }
    return option != NULL && base != NULL ? base + option->offset : NULL;
}

static void full_name(const char *section, const char *key, char out[NAME])
{
    snprintf(out, NAME, "%s.%s", section, key);
}

static bool unknown(const struct option *table, size_t count, const char *section, const char *name,
                    struct err *err)
{
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < count; i++) {
        char known[NAME];
        bool fits =
            strchr(table[i].section, '*') != NULL && option_name_in(&table[i], section) != NULL;
        full_name(fits ? section : table[i].section, table[i].key, known);
        if (table[i].type != OPTION_FAMILY) {
            nearest_offer(&nearest, known);
        }
    }
    const char *found = nearest_found(&nearest);
    if (found == NULL) {
        return err_set(err, ERR_USAGE, "unknown key '%s', --help lists those known", name);
    }
    return err_set(err, ERR_USAGE, "unknown key '%s', did you mean '%s'?", name, found);
}

/* Why a family has no place for a section. */
static bool no_room(const struct option *family, const char *section, struct err *err)
{
    if (!is_name(option_name_in(family, section))) {
        return err_set(err, ERR_USAGE,
                       "section '%s': behind '%.*s' stands a name of letters, digits, '_' and '-', "
                       "%d at most",
                       section, (int)strlen(family->section) - 1, family->section, OPTION_NAME - 1);
    }
    return err_set(err, ERR_USAGE, "section '%s': there are %d sections '%s' already, the most",
                   section, (int)family->max, family->section);
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
    char name[NAME], section[NAME];
    snprintf(name, sizeof name, "%.*s", length < NAME ? (int)length : NAME, assignment);
    size_t dot = strcspn(name, ".");
    snprintf(section, sizeof section, "%.*s", (int)dot, name);
    const char *key = name + dot + (name[dot] == '.');
    const struct option *family = NULL;
    const struct option *option = find(table, count, section, key, &family);
    if (option == NULL) {
        return unknown(table, count, section, name, err);
    }
    void *value = options_place(table, count, settings, section, key);
    if (value == NULL) {
        assert(family != NULL); /* all other keys have their place */
        return no_room(family, section, err);
    }
    return set_value(option, value, equals + 1, name, err);
}
