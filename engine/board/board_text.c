/* The board drawn with characters: a frame, a line a row, four characters a square. */
#include "engine/board/board_text.h"

#include <stdio.h>
#include <string.h>

static const char PLAIN[] = "\033[0m";

struct drawing {
    const struct rules *rules;
    struct board_style style;
    char *out;
    size_t used;
};

static void put(struct drawing *drawing, const char *text)
{
    size_t length = strlen(text), room = BOARD_TEXT - 1 - drawing->used;
    if (length > room) {
        length = room;
    }
    memcpy(drawing->out + drawing->used, text, length);
    drawing->used += length;
    drawing->out[drawing->used] = '\0';
}

/* A text in a colour, if colours are wanted. */
static void put_coloured(struct drawing *drawing, const char *colour, const char *text)
{
    put(drawing, drawing->style.colour ? colour : "");
    put(drawing, text);
    put(drawing, drawing->style.colour ? PLAIN : "");
}

static void put_square(struct drawing *drawing, const struct position *position, int square)
{
    static const char WHITES[] = "\033[1m", BLACKS[] = "\033[1;31m", FAINT[] = "\033[2m";
    bitboard at = bit(square_to_bit(drawing->rules, square));
    char number[8];

    if (position->men[WHITE] & at) {
        put_coloured(drawing, WHITES, " w ");
    } else if (position->kings[WHITE] & at) {
        put_coloured(drawing, WHITES, "[W]");
    } else if (position->men[BLACK] & at) {
        put_coloured(drawing, BLACKS, " b ");
    } else if (position->kings[BLACK] & at) {
        put_coloured(drawing, BLACKS, "[B]");
    } else {
        snprintf(number, sizeof number, "%2d ", square);
        put_coloured(drawing, FAINT, number);
    }
}

static void put_frame(struct drawing *drawing)
{
    put(drawing, "  +");
    for (int column = 0; column < drawing->rules->rows; column++) {
        put(drawing, "----");
    }
    put(drawing, "-+\n");
}

/* The row that is the `line`-th from the top as it is drawn. */
static void put_row(struct drawing *drawing, const struct position *position, int line)
{
    const struct rules *rules = drawing->rules;
    bool turned = drawing->style.turned;
    int row = turned ? rules->rows - 1 - line : line;
    int first = row * rules->row_squares + 1, last = first + rules->row_squares - 1;
    int square = turned ? last : first;
    char beside[32];

    put(drawing, "  |");
    for (int i = 0; i < rules->rows; i++) {
        int column = turned ? rules->rows - 1 - i : i;
        put(drawing, " ");
        if (square >= first && square <= last && square_column(rules, square) == column) {
            put_square(drawing, position, square);
            square += turned ? -1 : 1;
        } else {
            put(drawing, "   ");
        }
    }
    snprintf(beside, sizeof beside, " |  %d-%d\n", turned ? last : first, turned ? first : last);
    put(drawing, beside);
}

void board_text(const struct rules *rules, const struct position *position,
                struct board_style style, char out[BOARD_TEXT])
{
    struct drawing drawing = {.rules = rules, .style = style, .out = out};

    out[0] = '\0';
    put_frame(&drawing);
    for (int line = 0; line < rules->rows; line++) {
        put_row(&drawing, position, line);
    }
    put_frame(&drawing);
}
