/* The three rule sets as constants.
 *
 * A rule set is data: the generator, the evaluation and the search are compiled once for each
 * with the constants known (see variant.h), so that no rule is looked up while searching. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum colour { WHITE, BLACK };

static inline enum colour colour_other(enum colour colour)
{
    return colour == WHITE ? BLACK : WHITE;
}

enum {
    SQUARES_MAX = 50, /* dark squares of the largest board */
    MEN_MAX = 20,     /* men a side of the largest board at the start */
    TAKEN_MAX = 32,   /* pieces that one move can take: what stands on an edge cannot be jumped */
};

struct rules {
    const char *name;   /* "international": on the command line, in files, on the wire */
    const char *title;  /* "International draughts" */
    int rows;           /* and columns: 10 or 8 */
    int row_squares;    /* dark squares a row: rows / 2 */
    int squares;        /* dark squares: rows * row_squares */
    int men_each;       /* at the start */
    enum colour opener; /* who opens the game */
    bool men_capture_backwards;
    bool flying_kings;
    bool most_captures;      /* only those captures are legal that take the most pieces */
    bool crowning_ends_move; /* a man that reaches the far row is crowned and its move ends;
                                else only a move that ends there crowns */
    int quiet_plies_to_draw; /* half-moves in a row without capture or move of a man */
    int repetitions_to_draw; /* occurrences of one position with one side to move */
    int king_holds;          /* against so many pieces a king mostly draws; 0: against none */
    int pdn_game_type;       /* PDN 3.0 GameType; 0: the standard has none */
    const char *hub_name;    /* variant name on the Hub protocol */
};
