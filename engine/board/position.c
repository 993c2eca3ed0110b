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

/* The finalizer of MurmurHash3 (Austin Appleby, public domain): each bit of the input reaches each
 * bit of the output. */
static uint64_t scramble(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    x ^= x >> 33;
    return x;
}

uint64_t position_key(const struct position *position)
{
    /* One word a colour: kings are told from men by an odd multiplier, the colours by the order in
     * which the words are scrambled. */
    uint64_t white = position->men[WHITE] + position->kings[WHITE] * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t black = position->men[BLACK] + position->kings[BLACK] * UINT64_C(0xd1b54a32d192ed03);

    return scramble(white + scramble(black + position->turn * UINT64_C(0x8cb92ba72f3d8dd7)));
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
