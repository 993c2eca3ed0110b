/* The values of the Hub protocol as text: positions and limits in, search results out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/hub/hub_line.h"
#include "engine/rules/variant.h"
#include "engine/search/search.h"

enum { HUB_ANSWER = 1 << 14 }; /* an answer's size at most, in bytes: a line of 128 captures fits */

/* Reads a position: the side to move (`W` or `B`), then one character a square in order, `w` and
 * `b` men, `W` and `B` kings, `e` empty. ERR_USAGE: wrong length, unknown character (with its
 * square), a man on its far row. */
bool hub_position_read(const struct rules *rules, const char *text, struct position *out,
                       struct err *err);

/* The reverse; out has room for SQUARES_MAX + 2 bytes. */
void hub_position_write(const struct rules *rules, const struct position *position, char *out);

/* What the `level` command set. A member left out is zero. */
struct hub_level {
    int depth;        /* plies */
    uint64_t nodes;   /* an extension of this program */
    double move_time; /* seconds for this move */
    bool infinite;
    bool clock;       /* the next three are set */
    int moves;        /* up to the next time control; 0: all of the game */
    double time, inc; /* seconds: left on the clock, added before each move */
};

/* Reads the arguments of `level`; those unknown are passed over. ERR_USAGE: a value that is not a
 * number or out of range, none known. */
bool hub_level_read(const struct hub_line *line, struct hub_level *out, struct err *err);

/* Seconds to spend on a move, with a clock on the average; 0: no limit of time. */
double hub_level_seconds(const struct hub_level *level);

/* Seconds to spend on a move at most; with a clock some more than on the average, but never all
 * that is left. 0: no limit of time. */
double hub_level_seconds_most(const struct hub_level *level);

/* Each writes one whole line, its end included. */
void hub_info_write(const struct rules *rules, const struct search_result *result,
                    char out[HUB_ANSWER]);
void hub_done_write(const struct rules *rules, const struct search_result *result,
                    char out[HUB_ANSWER]);

/* The line `error message="..."`, its end included; what cannot stand inside quotes is replaced. */
void hub_error_write(const char *message, char out[HUB_ANSWER]);
