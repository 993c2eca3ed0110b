/* The naive generator. */
#include "naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 10 };

/* Pieces: w W b B as men and kings, '.' an empty dark square, ' ' anything else. */
struct board {
    const struct rules *rules;
    char at[SIDE][SIDE];
    char mover; /* 'w' or 'b' */
    char (*moves)[NAIVE_TEXT];
    int taken_count[NAIVE_MOVES];
    int count;
};

static int square_of(const struct board *board, int row, int column)
{
    return row * board->rules->rows / 2 + column / 2 + 1;
}

static bool inside(const struct board *board, int row, int column)
{
    return row >= 0 && column >= 0 && row < board->rules->rows && column < board->rules->rows;
}

static bool is_king(char piece)
{
    return piece == 'W' || piece == 'B';
}

static char colour_of(char piece)
{
    return piece == 'W' ? 'w' : piece == 'B' ? 'b' : piece;
}

static bool is_enemy(const struct board *board, char piece)
{
    char colour = colour_of(piece);
    return (colour == 'w' || colour == 'b') && colour != board->mover;
}

static int forward(const struct board *board)
{
    return board->mover == 'w' ? -1 : 1;
}

static int far_row_of(const struct board *board)
{
    return board->mover == 'w' ? 0 : board->rules->rows - 1;
}

static void set_up(struct board *board, const struct rules *rules, const struct position *position)
{
    board->rules = rules;
    board->mover = position->turn == WHITE ? 'w' : 'b';
    board->count = 0;
    memset(board->at, ' ', sizeof board->at);
    for (int row = 0; row < rules->rows; row++) {
        for (int column = 0; column < rules->rows; column++) {
            if ((row + column) % 2 == 0) {
                continue;
            }
            bitboard where = bit(square_to_bit(rules, square_of(board, row, column)));
            board->at[row][column] = position->men[WHITE] & where     ? 'w'
                                     : position->men[BLACK] & where   ? 'b'
                                     : position->kings[WHITE] & where ? 'W'
                                     : position->kings[BLACK] & where ? 'B'
                                                                      : '.';
        }
    }
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void add(struct board *board, int from, int to, const int *taken, int count)
{
    int sorted[64];
    char text[NAIVE_TEXT];
    int used = snprintf(text, sizeof text, "%d%c%d", from, count ? 'x' : '-', to);

    for (int i = 0; i < count; i++) {
        sorted[i] = taken[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_number);
    for (int i = 0; i < count; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "x%d", sorted[i]);
    }
    for (int i = 0; i < board->count; i++) {
        if (strcmp(board->moves[i], text) == 0) {
            return;
        }
    }
    if (board->count < NAIVE_MOVES) {
        memcpy(board->moves[board->count], text, sizeof text);
        board->taken_count[board->count++] = count;
    }
}

/* Goes on capturing with the piece that stands, lifted from the board, on (row, column). */
static void capture(struct board *board, char piece, int from, int row, int column, int *taken,
                    int count)
{
    bool more = false;
    bool crowned = !is_king(piece) && board->rules->crowning_ends_move &&
                   row == far_row_of(board) && count > 0;

    for (int dr = -1; dr <= 1 && !crowned; dr += 2) {
        for (int dc = -1; dc <= 1; dc += 2) {
            bool flies = is_king(piece) && board->rules->flying_kings;
            if (!is_king(piece) && !board->rules->men_capture_backwards && dr != forward(board)) {
                continue;
            }
            int r = row + dr, c = column + dc;
            while (flies && inside(board, r, c) && board->at[r][c] == '.') {
                r += dr;
                c += dc;
            }
            if (!inside(board, r, c) || !is_enemy(board, board->at[r][c])) {
                continue;
            }
            int victim = square_of(board, r, c);
            bool again = false;
            for (int i = 0; i < count; i++) {
                again = again || taken[i] == victim;
            }
            if (again) {
                continue;
            }
            taken[count] = victim;
            r += dr;
            c += dc;
            while (inside(board, r, c) && board->at[r][c] == '.') {
                more = true;
                capture(board, piece, from, r, c, taken, count + 1);
                r += dr;
                c += dc;
                if (!flies) {
                    break;
                }
            }
        }
    }
    if (!more && count > 0) {
        add(board, from, square_of(board, row, column), taken, count);
    }
}

static void walk(struct board *board, char piece, int row, int column)
{
    for (int dr = -1; dr <= 1; dr += 2) {
        for (int dc = -1; dc <= 1; dc += 2) {
            if (!is_king(piece) && dr != forward(board)) {
                continue;
            }
            int r = row + dr, c = column + dc;
            while (inside(board, r, c) && board->at[r][c] == '.') {
                add(board, square_of(board, row, column), square_of(board, r, c), NULL, 0);
                if (!is_king(piece) || !board->rules->flying_kings) {
                    break;
                }
                r += dr;
                c += dc;
            }
        }
    }
}

static void each_piece(struct board *board, bool captures)
{
    int taken[64];

    for (int row = 0; row < board->rules->rows; row++) {
        for (int column = 0; column < board->rules->rows; column++) {
            char piece = board->at[row][column];
            if (colour_of(piece) != board->mover) {
                continue;
            }
            if (captures) {
                board->at[row][column] = '.';
                capture(board, piece, square_of(board, row, column), row, column, taken, 0);
                board->at[row][column] = piece;
            } else {
                walk(board, piece, row, column);
            }
        }
    }
}

static void keep_most(struct board *board)
{
    int most = 0, kept = 0;

    for (int i = 0; i < board->count; i++) {
        most = board->taken_count[i] > most ? board->taken_count[i] : most;
    }
    for (int i = 0; i < board->count; i++) {
        if (board->taken_count[i] == most) {
            memmove(board->moves[kept++], board->moves[i], NAIVE_TEXT);
        }
    }
    board->count = kept;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

int naive_moves(const struct rules *rules, const struct position *position,
                char moves[NAIVE_MOVES][NAIVE_TEXT])
{
    struct board board = {.moves = moves};

    set_up(&board, rules, position);
    each_piece(&board, true);
    if (board.count == 0) {
        each_piece(&board, false);
    } else if (rules->most_captures) {
        keep_most(&board);
    }
    qsort(moves, (size_t)board.count, NAIVE_TEXT, by_text);
    return board.count;
}
