/* Sets of squares in 64 bits.
 *
 * A bitboard has one bit a dark square, row by row, and one ghost bit behind every second row:
 * square s (counted from 0) is bit s + s / (2w), w squares to a row. With the ghosts, each
 * diagonal step is one shift, w or w + 1 bits, from every row, and a step off the side of the
 * board lands on a ghost (or falls off), which one mask removes:
 *
 *     10x10 (w = 5)      0   1   2   3   4
 *                      5   6   7   8   9     (10)
 *                       11  12  13  14  15
 *                     16  17  18  19  20     (21) ...
 *
 * Square numbers for people count from 1. */
#pragma once

#include <stdint.h>

#include "engine/board/rules.h"

typedef uint64_t bitboard;

static inline bitboard bit(int index)
{
    return (bitboard)1 << index;
}

static inline int bit_count(bitboard set)
{
    return __builtin_popcountll(set);
}

/* Index of the lowest bit; set must not be empty. */
static inline int bit_lowest(bitboard set)
{
    return __builtin_ctzll(set);
}

/* Removes the lowest bit of *set and returns its index; *set must not be empty. */
static inline int bit_pop(bitboard *set)
{
    int index = bit_lowest(*set);
    *set &= *set - 1;
    return index;
}

/* Both halves of a 128-bit product, laid over each other. */
static inline uint64_t bits_folded(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Bit index of square 1..rules->squares. */
static inline int square_to_bit(const struct rules *rules, int square)
{
    return square - 1 + (square - 1) / (2 * rules->row_squares);
}

/* Square 1..rules->squares of a bit index that is no ghost. */
static inline int bit_to_square(const struct rules *rules, int index)
{
    return index + 1 - index / (2 * rules->row_squares + 1);
}

/* Row (0 at the top) and column (0 at the left) of square 1..rules->squares. */
static inline int square_row(const struct rules *rules, int square)
{
    return (square - 1) / rules->row_squares;
}

static inline int square_column(const struct rules *rules, int square)
{
    return 2 * ((square - 1) % rules->row_squares) + (square_row(rules, square) % 2 == 0);
}

/* All squares of a row. */
static inline bitboard row_bits(const struct rules *rules, int row)
{
    return (bit(rules->row_squares) - 1) << (row * rules->row_squares + row / 2);
}

/* All squares of the board. */
static inline bitboard board_bits(const struct rules *rules)
{
    bitboard all = 0;
    for (int row = 0; row < rules->rows; row++) {
        all |= row_bits(rules, row);
    }
    return all;
}

/* The set turned by 180 degrees: bit i goes to the last square's bit minus i. */
static inline bitboard bits_turned(const struct rules *rules, bitboard set)
{
    const bitboard odd = 0x5555555555555555, pairs = 0x3333333333333333, low = 0x0f0f0f0f0f0f0f0f;

    set = (set >> 1 & odd) | (set & odd) << 1;
    set = (set >> 2 & pairs) | (set & pairs) << 2;
    set = (set >> 4 & low) | (set & low) << 4;
    return __builtin_bswap64(set) >> (63 - square_to_bit(rules, rules->squares));
}

/* The row on which men of `colour` are crowned: the top for White, the bottom for Black. */
static inline bitboard far_row(const struct rules *rules, enum colour colour)
{
    return row_bits(rules, colour == WHITE ? 0 : rules->rows - 1);
}

/* The four diagonals, in an order in which 3 - d is the opposite of d. */
enum direction { UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT, DIRECTIONS };

/* One step in a direction for every square of a set; steps off the board land on ghosts or fall
 * off. */
static inline bitboard bits_step(const struct rules *rules, bitboard set, int direction)
{
    switch (direction) {
    case UP_LEFT:
        return set >> (rules->row_squares + 1);
    case UP_RIGHT:
        return set >> rules->row_squares;
    case DOWN_LEFT:
        return set << rules->row_squares;
    default:
        return set << (rules->row_squares + 1);
    }
}

/* Ghost-free form for files: bit s - 1 is square s. And back. */
uint64_t bitboard_pack(const struct rules *rules, bitboard set);
bitboard bitboard_unpack(const struct rules *rules, uint64_t packed);
