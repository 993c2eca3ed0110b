/* The settings as a configuration file, and the table as help. */
#include <assert.h>
#include <float.h>
#include <string.h>

#include "engine/base/number.h"
#include "engine/base/options_parts.h"

enum { NUMBER = 32 };

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

static void print_value(const struct option *option, const void *value, FILE *out)
{
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
        const char *word = option_choice(option->choices, *(const int64_t *)value, &length);
        assert(word != NULL);
        fprintf(out, "%.*s", (int)length, word);
        break;
    }
    case OPTION_FAMILY:
        break;
    }
}

static void dump_key(const struct option *option, const void *base, FILE *out)
{
    fprintf(out, "; %s\n%s = ", option->help, option->key);
    print_value(option, (const char *)base + option->offset, out);
    fputc('\n', out);
}

/* The sections that there are of a family. */
static void dump_family(const struct option *family, const struct option *end, const void *settings,
                        FILE *out)
{
    const char *member = (const char *)settings + family->offset;
    for (int64_t i = 0; i < (int64_t)family->max && member[0] != '\0'; i++) {
        fprintf(out, "\n[%.*s%s]\n", (int)strlen(family->section) - 1, family->section, member);
        for (const struct option *key = family + 1; key < end && option_is_of(family, key); key++) {
            dump_key(key, member, out);
        }
        member += (size_t)family->min;
    }
}

void options_dump(const struct option *table, size_t count, const void *settings, FILE *out)
{
    const char *section = "";
    const struct option *family = NULL;
    for (size_t i = 0; i < count; i++) {
        if (table[i].type == OPTION_FAMILY) {
            family = &table[i];
            dump_family(family, table + count, settings, out);
            section = "";
        } else if (!option_is_of(family, &table[i])) {
            if (strcmp(section, table[i].section) != 0) {
                section = table[i].section;
                fprintf(out, "%s[%s]\n", i == 0 ? "" : "\n", section);
            }
            dump_key(&table[i], settings, out);
        }
    }
}

static void help_values(const struct option *option, FILE *out)
{
    switch (option->type) {
    case OPTION_INT:
        fprintf(out, "%lld..%lld", option_bound(option->min), option_bound(option->max));
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
    case OPTION_FAMILY:
        break;
    }
}

void options_help(const struct option *table, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const char *star = strchr(table[i].section, '*');
        int length = (int)strcspn(table[i].section, "*");
        fprintf(out, "  %.*s%s", length, table[i].section, star != NULL ? "NAME" : "");
        if (table[i].type == OPTION_FAMILY) {
            fprintf(out, " (up to %d sections)\n      %s\n", (int)table[i].max, table[i].help);
            continue;
        }
        fprintf(out, ".%s=", table[i].key);
        help_values(&table[i], out);
        fprintf(out, " (default: %s)\n      %s\n",
                table[i].initial[0] == '\0' ? "none" : table[i].initial, table[i].help);
    }
}
