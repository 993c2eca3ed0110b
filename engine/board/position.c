/* Positions: the start, keys, mirror images, and the ghost-free form of a bitboard. */
#include "engine/board/position.h"

struct position position_start(const struct rules *rules)
{
    struct position start = {.turn = (uint8_t)rules->opener};
    int rows_each = rules->men_each / rules->row_squares;

    for (int row = 0; row < rows_each; row++) {
        start.men[BLACK] |= row_bits(rules, row);
        start.men[WHITE] |= row_bits(rules, rules->rows - 1 - row);
    }
    return start;
}

static bitboard turn_board(const struct rules *rules, bitboard set)
{
    bitboard turned = 0;

    while (set) {
        int square = bit_to_square(rules, bit_pop(&set));
        turned |= bit(square_to_bit(rules, rules->squares + 1 - square));
    }
    return turned;
}

struct position position_mirror(const struct rules *rules, const struct position *position)
{
    struct position mirror = {
        .turn = (uint8_t)colour_other((enum colour)position->turn),
        .quiet_plies = position->quiet_plies,
    };

    for (int colour = WHITE; colour <= BLACK; colour++) {
        int other = colour_other((enum colour)colour);
        mirror.men[other] = turn_board(rules, position->men[colour]);
        mirror.kings[other] = turn_board(rules, position->kings[colour]);
    }
    return mirror;
}

uint64_t bitboard_pack(const struct rules *rules, bitboard set)
{
    uint64_t packed = 0;

    while (set) {
        packed |= bit(bit_to_square(rules, bit_pop(&set)) - 1);
    }
    return packed;
}

bitboard bitboard_unpack(const struct rules *rules, uint64_t packed)
{
    bitboard set = 0;

    packed &= bit(rules->squares) - 1;
    while (packed) {
        set |= bit(square_to_bit(rules, bit_pop(&packed) + 1));
    }
    return set;
}
