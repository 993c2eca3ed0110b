/* The board drawn with characters, for a terminal. */
#pragma once

#include <stdbool.h>

#include "engine/board/position.h"

enum { BOARD_TEXT = 4096 };

struct board_style {
    bool turned; /* Black at the bottom */
    bool colour; /* ANSI escape sequences; without them nothing that is told is lost */
};

/* Draws the position: `w` and `b` are men of White and Black, `[W]` and `[B]` kings, an empty dark
 * square shows its number; beside each row stand the numbers of its squares, from left to right.
 * Lines end in '\n'. */
void board_text(const struct rules *rules, const struct position *position,
                struct board_style style, char out[BOARD_TEXT]);
