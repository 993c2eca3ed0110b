/* Paths of a capture, by walking it again with the pieces to be taken known. */
#include "engine/board/path.h"

struct walk {
    const struct rules *rules;
    bitboard empty;  /* the square left behind included */
    bitboard wanted; /* the pieces that the move takes */
    bitboard end;
    bool king;
    const uint8_t *through;
    int through_count;
    const uint8_t *landed; /* the squares that the path has to start with */
    int landed_count;
    struct path *paths;
    int limit, found;
    struct path path; /* the one under way */
};

static void walk_from(struct walk *walk, bitboard at, bitboard taken, int length, int passed);

/* Goes on from a square landed on. */
static void land_on(struct walk *walk, bitboard land, bitboard taken, int length, int passed,
                    int square)
{
    bool next = passed < walk->through_count && walk->through[passed] == square;

    walk->path.square[length] = (uint8_t)square;
    walk_from(walk, land, taken, length + 1, passed + next);
    walk->path.square[length] = 0;
}

/* Takes the next wanted piece in one direction, landing wherever the piece may. */
static void walk_towards(struct walk *walk, bitboard at, bitboard taken, int length, int passed,
                         int direction)
{
    bool flying = walk->king && walk->rules->flying_kings;
    bitboard over = bits_step(walk->rules, at, direction);

    while (flying && (over & walk->empty)) {
        over = bits_step(walk->rules, over, direction);
    }
    if (!(over & walk->wanted & ~taken)) {
        return;
    }

    bitboard land = bits_step(walk->rules, over, direction) & walk->empty;
    while (land && walk->found < walk->limit) {
        int square = bit_to_square(walk->rules, bit_lowest(land));
        if (length >= walk->landed_count || walk->landed[length] == square) {
            land_on(walk, land, taken | over, length, passed, square);
        }
        land = flying ? bits_step(walk->rules, land, direction) & walk->empty : 0;
    }
}

static void walk_from(struct walk *walk, bitboard at, bitboard taken, int length, int passed)
{
    if (taken == walk->wanted) {
        if (at == walk->end && passed == walk->through_count) {
            walk->paths[walk->found++] = walk->path;
        }
        return;
    }
    if (walk->through_count - passed > bit_count(walk->wanted & ~taken)) {
        return;
    }
    for (int direction = 0; direction < DIRECTIONS && walk->found < walk->limit; direction++) {
        walk_towards(walk, at, taken, length, passed, direction);
    }
}

static struct walk walk_of(const struct rules *rules, const struct position *position,
                           const struct move *move, struct path *paths, int limit)
{
    enum colour us = (enum colour)position->turn;

    return (struct walk){
        .rules = rules,
        .empty = (board_bits(rules) & ~pieces_all(position)) | bit(move->from),
        .wanted = move->taken,
        .end = bit(move->to),
        .king = (position->kings[us] & bit(move->from)) != 0,
        .paths = paths,
        .limit = limit,
    };
}

int path_find(const struct rules *rules, const struct position *position, const struct move *move,
              const uint8_t *through, int count, struct path *paths, int limit)
{
    struct walk walk = walk_of(rules, position, move, paths, limit);

    walk.through = through;
    walk.through_count = count;
    if (limit == 0) {
        return 0;
    }
    if (!move->taken) {
        walk.path.square[0] = (uint8_t)bit_to_square(rules, move->to);
        bool fits = count == 0 || (count == 1 && through[0] == walk.path.square[0]);
        paths[0] = walk.path;
        return fits;
    }
    walk_from(&walk, bit(move->from), 0, 0, 0);
    return walk.found;
}

bool path_begins(const struct rules *rules, const struct position *position,
                 const struct move *move, const uint8_t *landed, int count, bool *whole)
{
    struct path path;
    struct walk walk = walk_of(rules, position, move, &path, 1);

    *whole = false;
    if (!move->taken) {
        *whole = count == 1 && landed[0] == bit_to_square(rules, move->to);
        return count == 0 || *whole;
    }
    if (count > bit_count(move->taken)) {
        return false;
    }
    walk.landed = landed;
    walk.landed_count = count;
    walk_from(&walk, bit(move->from), 0, 0, 0);
    *whole = walk.found > 0 && count == bit_count(move->taken);
    return walk.found > 0;
}
