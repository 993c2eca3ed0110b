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
    OPTION_FAMILY, /* sections whose names the user chooses; see below */
};

enum { OPTION_VALUE = 512, OPTION_NAME = 32 };

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

/* A family of sections, "player_*": the user writes [player_NAME], for NAME whatever he likes, once
 * for each player. Its row has the type OPTION_FAMILY, no key and as `section` the common beginning
 * and a `*`; its value is an array of `max` structs of `min` bytes, each of which begins with its
 * NAME, char[OPTION_NAME], "" where there is none. They come in the order in which the user first
 * spoke of them. The rows behind it that have the same `section` are the keys of each such section,
 * with offsets from the beginning of its struct. NAME is of letters, digits, `_` and `-`. */

/* Sets every value to its default; families are empty. Asserts that each default is valid. */
void options_defaults(const struct option *table, size_t count, void *settings);

/* Sets one value from "section.key=value"; a section of a family is begun with its defaults when it
 * is not there. ERR_USAGE: unknown key (the nearest known one is named), one section too many for
 * its family, value out of range (the range is named), not a number, trailing text, a text that a
 * configuration file could not give back (control characters, blanks at its ends, a comment). */
bool options_assign(const struct option *table, size_t count, void *settings,
                    const char *assignment, struct err *err);

/* The place of the value "section.key" in `settings`; a section of a family is begun when it is not
 * there. NULL: unknown, or there is no room; options_assign says why. */
void *options_place(const struct option *table, size_t count, void *settings, const char *section,
                    const char *key);

/* Reads an ini file over the present values. Every fault names file and line. Lines over 199
 * bytes and indented lines (which libinih would cut or glue) and keys given twice are refused. On
 * failure the settings may be partly read. */
bool options_read(const struct option *table, size_t count, void *settings, const char *path,
                  struct err *err);

/* Writes the settings as an ini file that options_read takes back, each key under its help line. */
void options_dump(const struct option *table, size_t count, const void *settings, FILE *out);

/* Writes the table for --help: key, range or choices, default, help. */
void options_help(const struct option *table, size_t count, FILE *out);
