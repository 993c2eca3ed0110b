/* A position: what stands where, who is to move, and how long nothing irreversible has happened.
 *
 * Positions are values. A move makes a new position; nothing is ever undone. */
#pragma once

#include "engine/board/bitboard.h"
#include "engine/board/rules.h"

struct position {
    bitboard men[2]; /* by enum colour; all four sets are disjoint and hold no ghost */
    bitboard kings[2];
    uint8_t turn;        /* enum colour of the side to move */
    uint8_t quiet_plies; /* half-moves since the last capture or move of a man; stops at 255 */
};

/* Two captures are the same move when start, end and the set of taken pieces are the same. */
struct move {
    bitboard taken;   /* empty: a quiet move */
    uint8_t from, to; /* bit indices */
};

enum {
    /* More than any position has been found to offer (docs/decisions/move-list.md); a generator
     * that meets more keeps the first ones. */
    MOVES_MAX = 512,
};

struct move_list {
    int count;
    struct move move[MOVES_MAX];
};

static inline bitboard pieces_of(const struct position *position, enum colour colour)
{
    return position->men[colour] | position->kings[colour];
}

static inline bitboard pieces_all(const struct position *position)
{
    return pieces_of(position, WHITE) | pieces_of(position, BLACK);
}

static inline bool move_equal(const struct move *a, const struct move *b)
{
    return a->from == b->from && a->to == b->to && a->taken == b->taken;
}

/* Same placement and side to move: what repetition compares. */
static inline bool position_equal(const struct position *a, const struct position *b)
{
    return a->men[WHITE] == b->men[WHITE] && a->men[BLACK] == b->men[BLACK] &&
           a->kings[WHITE] == b->kings[WHITE] && a->kings[BLACK] == b->kings[BLACK] &&
           a->turn == b->turn;
}

/* The position in which a game of this rule set starts. */
struct position position_start(const struct rules *rules);

/* A 64-bit key of placement and side to move (not of quiet_plies), the same on every machine. Kings
 * are told from men by an odd multiplier, the colours and turns by what is laid over them (digits
 * of pi); both halves of the product of the two words make the key, as in Wang Yi's "wyhash". */
static inline uint64_t position_key(const struct position *position)
{
    uint64_t white = position->men[WHITE] + position->kings[WHITE] * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t black = position->men[BLACK] + position->kings[BLACK] * UINT64_C(0xd1b54a32d192ed03);
    uint64_t turn = position->turn * UINT64_C(0x8cb92ba72f3d8dd7);

    return bits_folded(white ^ UINT64_C(0x243f6a8885a308d3),
                       black ^ turn ^ UINT64_C(0x13198a2e03707344));
}

/* The position with colours exchanged and the board turned by 180 degrees: the same game seen by
 * the other side. */
struct position position_mirror(const struct rules *rules, const struct position *position);

/* Plays a legal move into *next. The piece that ends on its far row is crowned if it is a man. Each
 * member is stored once, whole: what reads it next need not wait. */
static inline void position_play(const struct rules *rules, const struct position *position,
                                 const struct move *move, struct position *next)
{
    enum colour us = (enum colour)position->turn, them = colour_other(us);
    bitboard from = bit(move->from), to = bit(move->to);
    bool man = (position->men[us] & from) != 0;
    bitboard to_man = man ? to & ~far_row(rules, us) : 0;
    int quiet_plies = position->quiet_plies + (position->quiet_plies < UINT8_MAX);

    next->men[us] = (position->men[us] & ~from) | to_man;
    next->kings[us] = (position->kings[us] & ~from) | (to & ~to_man);
    next->men[them] = position->men[them] & ~move->taken;
    next->kings[them] = position->kings[them] & ~move->taken;
    next->turn = (uint8_t)them;
    next->quiet_plies = man || move->taken ? 0 : (uint8_t)quiet_plies;
}

/* The position behind a legal move. */
static inline struct position
position_after(const struct rules *rules, const struct position *position, const struct move *move)
{
    struct position next;
    position_play(rules, position, move, &next);
    return next;
}
