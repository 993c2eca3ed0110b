/* The naive generator. */
#include "naive.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 10 };

/* Pieces: w W b B as men and kings, '.' an empty dark square, ' ' anything else. */
struct board {
    const struct rules *rules;
    char at[SIDE][SIDE];
    char mover; /* 'w' or 'b' */
    struct naive_move *moves;
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

static void add(struct board *board, int from, int to, const int *taken, int count)
{
    struct naive_move move = {.from = from, .to = to, .taken_count = count};

    for (int i = 0; i < count; i++) {
        move.taken |= UINT64_C(1) << (taken[i] - 1);
    }
    for (int i = 0; i < board->count; i++) {
        const struct naive_move *other = &board->moves[i];
        if (other->from == from && other->to == to && other->taken == move.taken) {
            return;
        }
    }
    if (board->count < NAIVE_MOVES) {
        board->moves[board->count++] = move;
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
        most = board->moves[i].taken_count > most ? board->moves[i].taken_count : most;
    }
    for (int i = 0; i < board->count; i++) {
        if (board->moves[i].taken_count == most) {
            board->moves[kept++] = board->moves[i];
        }
    }
    board->count = kept;
}

int naive_moves(const struct rules *rules, const struct position *position,
                struct naive_move moves[NAIVE_MOVES])
{
    struct board board = {.moves = moves};

    set_up(&board, rules, position);
    each_piece(&board, true);
    if (board.count == 0) {
        each_piece(&board, false);
    } else if (rules->most_captures) {
        keep_most(&board);
    }
    return board.count;
}

static int by_squares(const void *a, const void *b)
{
    const struct naive_move *one = a, *other = b;

    if (one->from != other->from) {
        return one->from - other->from;
    }
    if (one->to != other->to) {
        return one->to - other->to;
    }
    return (one->taken > other->taken) - (one->taken < other->taken);
}

static struct naive_move in_squares(const struct rules *rules, const struct move *move)
{
    return (struct naive_move){
        .from = bit_to_square(rules, move->from),
        .to = bit_to_square(rules, move->to),
        .taken = bitboard_pack(rules, move->taken),
        .taken_count = bit_count(move->taken),
    };
}

bool naive_agrees(const struct variant *variant, const struct position *position,
                  const struct move_list *list)
{
    static _Thread_local struct naive_move expected[NAIVE_MOVES];
    struct naive_move listed[MOVES_MAX];
    int count = naive_moves(variant->rules, position, expected);

    if (list->count != count || variant->count_moves(position) != count) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        listed[i] = in_squares(variant->rules, &list->move[i]);
    }
    qsort(listed, (size_t)count, sizeof *listed, by_squares);
    qsort(expected, (size_t)count, sizeof *expected, by_squares);
    for (int i = 0; i < count; i++) {
        if (by_squares(&listed[i], &expected[i]) != 0) {
            return false;
        }
    }
    bool captures = count > 0 && expected[0].taken_count > 0;
    return variant->can_capture(position, (enum colour)position->turn) == captures;
}
