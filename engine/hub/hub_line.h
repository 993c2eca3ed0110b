/* One line of the Hub protocol: `command name=value name="quoted value" flag`.
 *
 * Blanks may stand around the equals sign; a value with a blank or an equals sign in it, or an
 * empty one, is quoted. There is no way to write a quote inside quotes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"

enum {
    HUB_LINE = 1 << 16, /* longest line with its end, in bytes: a game of thousands of moves */
    HUB_ARGUMENTS = 16, /* more on a line are an error */
};

struct hub_argument {
    const char *name, *value; /* value is "" for a flag */
};

struct hub_line {
    const char *command; /* "" for a blank line */
    int count;
    struct hub_argument argument[HUB_ARGUMENTS];
};

/* Takes a line apart in place: out points into text, which is changed. ERR_USAGE: a quote that is
 * not closed, an equals sign without a name before or a value behind it, too many arguments. */
bool hub_line_parse(char *text, struct hub_line *out, struct err *err);

/* The value of the first argument of that name, or NULL when there is none. */
const char *hub_line_value(const struct hub_line *line, const char *name);
