/* One table of settings per program: the configuration file, `-s section.key=value`, `--help` and
 * `--dump-config` are all made from it, so they cannot disagree.
 *
 * A program describes its settings as an array of `struct option` that point into its own settings
 * struct by offset. Precedence: default < file (-c) < -s. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "engine/base/err.h"

enum option_type {
    OPTION_INT,    /* int64_t, in [min, max] */
    OPTION_REAL,   /* double, in [min, max] */
    OPTION_BOOL,   /* bool: yes/no, true/false, on/off, 1/0 */
    OPTION_TEXT,   /* char[OPTION_VALUE] */
    OPTION_CHOICE, /* int64_t index into `choices` */
};

enum { OPTION_VALUE = 512 };

/* The longest line of a configuration file, in bytes; libinih cuts what is longer. A text must fit
 * into such a line together with its key. */
enum { OPTION_LINE = 199 };

struct option {
    const char *section, *key; /* "run", "seed" */
    enum option_type type;
    size_t offset;       /* of the value in the settings struct */
    const char *initial; /* default, as text */
    double min, max;     /* OPTION_INT, OPTION_REAL */
    const char *choices; /* OPTION_CHOICE: "draw resign none", separated by one space */
    const char *help;    /* one line; units named */
};

/* Sets every value to its default. Asserts that each default is valid. */
void options_defaults(const struct option *table, size_t count, void *settings);

/* Sets one value from "section.key=value". ERR_USAGE: unknown key (the nearest known one is
 * named), value out of range (the range is named), not a number, trailing text, a text that a
 * configuration file could not give back (control characters, blanks at its ends, a comment). */
bool options_assign(const struct option *table, size_t count, void *settings,
                    const char *assignment, struct err *err);

/* Reads an ini file over the present values. Every fault names file and line. Lines over 199
 * bytes and indented lines (which libinih would cut or glue) and keys given twice are refused. On
 * failure the settings may be partly read. */
bool options_read(const struct option *table, size_t count, void *settings, const char *path,
                  struct err *err);

/* Writes the settings as an ini file that options_read takes back, each key under its help line. */
void options_dump(const struct option *table, size_t count, const void *settings, FILE *out);

/* Writes the table for --help: key, range or choices, default, help. */
void options_help(const struct option *table, size_t count, FILE *out);
