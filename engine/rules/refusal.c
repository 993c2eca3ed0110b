/* The reasons, in the order in which a person would want to hear them. */
#include "engine/rules/refusal.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 6 }; /* moves or squares named in one text */

const char *refusal_name(enum refusal_kind kind)
{
    static const char *const NAMES[REFUSAL_KINDS] = {
        [REFUSAL_NO_MOVE] = "no-move",
        [REFUSAL_OVER] = "game-over",
        [REFUSAL_EMPTY] = "no-piece",
        [REFUSAL_TURN] = "not-your-piece",
        [REFUSAL_CAPTURE] = "must-capture",
        [REFUSAL_MOST] = "must-take-most",
        [REFUSAL_UNFINISHED] = "must-go-on",
        [REFUSAL_STUCK] = "piece-is-stuck",
        [REFUSAL_ELSEWHERE] = "cannot-go-there",
        [REFUSAL_AMBIGUOUS] = "ambiguous",
        [REFUSAL_WRITTEN] = "wrongly-written",
    };
    return NAMES[kind];
}

__attribute__((format(printf, 2, 3))) static struct refusal refuse(enum refusal_kind kind,
                                                                   const char *format, ...)
{
    struct refusal refusal = {.kind = kind};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(refusal.text, sizeof refusal.text, format, arguments);
    va_end(arguments);
    return refusal;
}

/* --- lists of moves and squares -------------------------------------------------------------- */

/* The moves that start on `from` and end on `to`; 0: any. */
static void choose(const struct rules *rules, const struct move_list *list, int from, int to,
                   struct move_list *out)
{
    out->count = 0;
    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->move[i];
        if ((!from || bit_to_square(rules, move->from) == from) &&
            (!to || bit_to_square(rules, move->to) == to)) {
            out->move[out->count++] = *move;
        }
    }
}

/* "27-22, 27-21" */
static void name_moves(const struct rules *rules, const struct move_list *list, char *out,
                       size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < list->count && i <= NAMED_MAX && used < size; i++) {
        char text[MOVE_TEXT] = "...";
        if (i < NAMED_MAX) {
            move_write(rules, &list->move[i], text);
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", text);
    }
}

/* "27, 31 and 32" */
static void name_squares(const struct rules *rules, bitboard set, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (int named = 0; set && used < size; named++) {
        int square = bit_to_square(rules, bit_pop(&set));
        used += (size_t)snprintf(out + used, size - used, "%s%d",
                                 named == 0 ? ""
                                 : set      ? ", "
                                            : " and ",
                                 square);
    }
}

/* --- captures that might have been ----------------------------------------------------------- */

/* A walk through all captures of one piece, legal or not. */
struct walk {
    const struct rules *rules;
    bitboard empty, theirs;
    bool king;
    int directions[DIRECTIONS], direction_count;
    bitboard end;
    int most, steps; /* pieces taken on the way to `end`, at most; steps still allowed */
};

enum { WALK_STEPS = 100000 };

static void walk_from(struct walk *walk, bitboard at, bitboard taken);

/* Jumps the next piece in one direction, if it can be. */
static void walk_towards(struct walk *walk, bitboard at, bitboard taken, int direction)
{
    bool flying = walk->king && walk->rules->flying_kings;
    bitboard over = bits_step(walk->rules, at, direction);

    while (flying && (over & walk->empty)) {
        over = bits_step(walk->rules, over, direction);
    }
    if (!(over & walk->theirs & ~taken)) {
        return;
    }
    bitboard land = bits_step(walk->rules, over, direction) & walk->empty;
    while (land) {
        walk_from(walk, land, taken | over);
        land = flying ? bits_step(walk->rules, land, direction) & walk->empty : 0;
    }
}

static void walk_from(struct walk *walk, bitboard at, bitboard taken)
{
    if (at == walk->end && bit_count(taken) > walk->most) {
        walk->most = bit_count(taken);
    }
    for (int i = 0; i < walk->direction_count && walk->steps > 0; i++) {
        walk->steps--;
        walk_towards(walk, at, taken, walk->directions[i]);
    }
}

/* The most pieces that the piece on `from` could take on its way to a stop on `to`, were it free to
 * end there; 0: none. */
static int stop_value(const struct rules *rules, const struct position *position, int from, int to)
{
    enum colour us = (enum colour)position->turn;
    bitboard start = bit(square_to_bit(rules, from));
    struct walk walk = {
        .rules = rules,
        .empty = (board_bits(rules) & ~pieces_all(position)) | start,
        .theirs = pieces_of(position, colour_other(us)),
        .king = (position->kings[us] & start) != 0,
        .end = bit(square_to_bit(rules, to)),
        .steps = WALK_STEPS,
    };

    for (int direction = 0; direction < DIRECTIONS; direction++) {
        bool forwards = (direction == UP_LEFT || direction == UP_RIGHT) == (us == WHITE);
        if (walk.king || forwards || rules->men_capture_backwards) {
            walk.directions[walk.direction_count++] = direction;
        }
    }
    walk_from(&walk, start, 0);
    return walk.most;
}

/* --- the reasons ----------------------------------------------------------------------------- */

static const char *kind_of(const struct position *position, bitboard piece)
{
    return (position->kings[WHITE] | position->kings[BLACK]) & piece ? "king" : "man";
}

/* Captures are compulsory, and the piece takes nothing on its way. */
static struct refusal must_capture(const struct rules *rules, const struct move_list *list)
{
    char moves[NAMED_MAX * MOVE_TEXT], squares[4 * SQUARES_MAX];
    bitboard from = 0;

    for (int i = 0; i < list->count; i++) {
        from |= bit(list->move[i].from);
    }
    name_moves(rules, list, moves, sizeof moves);
    name_squares(rules, from, squares, sizeof squares);
    return refuse(REFUSAL_CAPTURE, "a capture is compulsory, the piece%s on %s can: %.300s",
                  bit_count(from) > 1 ? "s" : "", squares, moves);
}

/* The piece could stop on `to` after taking `taken` pieces, were that allowed. */
static struct refusal wrong_capture(const struct rules *rules, const struct move_list *list,
                                    const struct move_list *own, int from, int to, int taken)
{
    char moves[NAMED_MAX * MOVE_TEXT];
    int most = bit_count(list->move[0].taken);

    name_moves(rules, own->count > 0 ? own : list, moves, sizeof moves);
    if (rules->most_captures && taken < most) {
        return refuse(REFUSAL_MOST, "%dx%d takes %d, the most that can be taken is %d: %.300s",
                      from, to, taken, most, moves);
    }
    return refuse(REFUSAL_UNFINISHED, "the capture goes on from %d: %.300s", to, moves);
}

/* Nothing stands in the way of moving this piece but that it cannot go there. */
static struct refusal elsewhere(const struct rules *rules, const struct position *position,
                                const struct move_list *own, int from, int to)
{
    const char *kind = kind_of(position, bit(square_to_bit(rules, from)));
    char moves[NAMED_MAX * MOVE_TEXT];

    if (own->count == 0) {
        return refuse(REFUSAL_STUCK, "the %s on %d has no legal move", kind, from);
    }
    name_moves(rules, own, moves, sizeof moves);
    return refuse(REFUSAL_ELSEWHERE, "the %s on %d cannot go to %d, it has %.300s", kind, from, to,
                  moves);
}

struct refusal refusal_find(const struct variant *variant, const struct position *position,
                            const struct move_list *list, int from, int to)
{
    const struct rules *rules = variant->rules;
    enum colour us = (enum colour)position->turn;
    bitboard start = bit(square_to_bit(rules, from));
    struct move_list own;

    if (list->count == 0) {
        return refuse(REFUSAL_OVER, "%s has no legal move, the game is over", colour_name(us));
    }
    if (!(pieces_all(position) & start)) {
        return refuse(REFUSAL_EMPTY, "no piece stands on %d", from);
    }
    if (!(pieces_of(position, us) & start)) {
        return refuse(REFUSAL_TURN, "the %s on %d is %s's, %s is to move", kind_of(position, start),
                      from, colour_name(colour_other(us)), colour_name(us));
    }
    choose(rules, list, from, 0, &own);
    if (!list->move[0].taken) {
        return elsewhere(rules, position, &own, from, to);
    }
    int taken = stop_value(rules, position, from, to);
    return taken > 0 ? wrong_capture(rules, list, &own, from, to, taken)
                     : must_capture(rules, list);
}

/* --- texts ----------------------------------------------------------------------------------- */

/* First and last square of a text made of squares with one kind of separator. */
static bool ends_of(const struct rules *rules, const char *text, int *from, int *to,
                    char *separator)
{
    int count = 0;

    for (const char *at = text;; at++) {
        char *end;
        if (!isdigit((unsigned char)*at)) {
            return false;
        }
        long square = strtol(at, &end, 10);
        if (square < 1 || square > rules->squares) {
            return false;
        }
        *(count++ == 0 ? from : to) = (int)square;
        at = end;
        if (*at == '\0') {
            return count > 1;
        }
        if ((*at != '-' && *at != 'x') || (count > 1 && *at != *separator)) {
            return false;
        }
        *separator = *at;
    }
}

/* A move or several that start and end as written are legal. */
static struct refusal misread(const struct rules *rules, const struct move_list *fitting,
                              const char *separators, const struct err *err)
{
    bool capture = fitting->move[0].taken != 0;
    char move[MOVE_TEXT];

    move_write(rules, &fitting->move[0], move);
    if (capture != (separators[0] == 'x')) {
        return refuse(REFUSAL_WRITTEN,
                      capture ? "that is a capture: it is written %s"
                              : "that takes nothing: it is written %s",
                      move);
    }
    return refuse(fitting->count > 1 ? REFUSAL_AMBIGUOUS : REFUSAL_ELSEWHERE, "%s", err->text);
}

bool move_read_or_explain(const struct variant *variant, const struct position *position,
                          const char *text, struct move *out, struct refusal *refusal)
{
    const struct rules *rules = variant->rules;
    struct err err = {0};
    struct move_list list, fitting;
    int from = 0, to = 0;
    char separator[2] = "";

    if (move_read(variant, position, text, out, &err)) {
        return true;
    }
    if (!ends_of(rules, text, &from, &to, separator)) {
        *refusal = refuse(REFUSAL_NO_MOVE, "%s", err.text);
        return false;
    }
    variant->moves(position, &list);
    choose(rules, &list, from, to, &fitting);
    *refusal = fitting.count > 0 ? misread(rules, &fitting, separator, &err)
                                 : refusal_find(variant, position, &list, from, to);
    return false;
}
