/* Moves, whole or square by square. */
#include <stdio.h>
#include <string.h>

#include "daemon/game/decide_parts.h"
#include "engine/rules/notation.h"
#include "engine/rules/refusal.h"

/* Whether the ply asked for is one that this person has played already: then *played is it. */
static bool was_played(const struct hosted *hosted, struct asking asking, int ply,
                       struct move *played)
{
    if (ply < 0 || ply >= hosted->game.plies) {
        return false;
    }
    *played = hosted->game.moves[ply];
    return hosted_sides(hosted, asking.person) >> hosted->game.positions[ply].turn & 1;
}

/* Whether the person may make a move for this ply. */
static bool may_move(const struct hosted *hosted, struct asking asking, int ply,
                     struct verdict *refusal)
{
    unsigned sides;

    if (!may_act(hosted, asking, &sides, refusal)) {
        return false;
    }
    if (ply != hosted->game.plies) {
        *refusal = verdict_refuse(VERDICT_STALE, "stale", "the game is at ply %d, not %d",
                                  hosted->game.plies, ply);
    } else if (!(sides >> hosted_turn(hosted) & 1)) {
        *refusal = verdict_refuse(VERDICT_TURN, "not-your-turn", "%s is to move",
                                  colour_name(hosted_turn(hosted)));
    } else {
        return true;
    }
    return false;
}

static struct verdict move_event(const struct hosted *hosted, const struct move *move, int64_t at)
{
    struct verdict verdict = verdict_event(EVENT_MOVE, hosted_turn(hosted), at);

    move_write(hosted->setup.variant->rules, move, verdict.event.text);
    return verdict;
}

/* Whether a whole move can still be made of the capture begun. */
static bool goes_on(const struct hosted *hosted, const struct move *move)
{
    const struct rules *rules = hosted->setup.variant->rules;
    bool whole;

    return hosted->half_count == 0 ||
           (bit_to_square(rules, move->from) == hosted->half[0] &&
            path_begins(rules, game_now(&hosted->game), move, hosted->half + 1,
                        hosted->half_count - 1, &whole));
}

static struct verdict begun(const struct hosted *hosted)
{
    return verdict_refuse(VERDICT_ILLEGAL, refusal_name(REFUSAL_UNFINISHED),
                          "the capture begun on %d goes on from %d", hosted->half[0],
                          hosted->half[hosted->half_count - 1]);
}

struct verdict decide_move(const struct hosted *hosted, struct asking asking, int ply,
                           const char *text)
{
    const struct variant *variant = hosted->setup.variant;
    struct verdict refused;
    struct refusal refusal;
    struct move move, played;
    struct err err;

    if (was_played(hosted, asking, ply, &played) &&
        move_read(variant, &hosted->game.positions[ply], text, &move, &err) &&
        move_equal(&move, &played)) {
        return (struct verdict){.kind = VERDICT_REPEATED};
    }
    if (!may_move(hosted, asking, ply, &refused)) {
        return refused;
    }
    if (!move_read_or_explain(variant, game_now(&hosted->game), text, &move, &refusal)) {
        return verdict_refuse(VERDICT_ILLEGAL, refusal_name(refusal.kind), "%s", refusal.text);
    }
    return goes_on(hosted, &move) ? move_event(hosted, &move, asking.now) : begun(hosted);
}

/* What a path is the beginning of. */
struct prefix {
    uint8_t square[PATH_SQUARES + 1]; /* start, then squares landed on */
    int count;
};

enum fit { FIT_NONE, FIT_BEGINS, FIT_WHOLE };

/* How squares fit the legal moves of a position; *out is the move when they are all of one. */
static enum fit fit_path(const struct variant *variant, const struct position *position,
                         const struct prefix *prefix, struct move *out)
{
    struct move_list list;
    enum fit fit = FIT_NONE;

    variant->moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        bool whole;
        if (bit_to_square(variant->rules, list.move[i].from) == prefix->square[0] &&
            path_begins(variant->rules, position, &list.move[i], prefix->square + 1,
                        prefix->count - 1, &whole)) {
            fit = FIT_BEGINS;
            if (whole) {
                *out = list.move[i];
                return FIT_WHOLE;
            }
        }
    }
    return fit;
}

static bool read_prefix(const struct hosted *hosted, const int *squares, int count,
                        struct prefix *out, struct verdict *refusal)
{
    const int last = hosted->setup.variant->rules->squares;

    if (count < 1 || count > PATH_SQUARES + 1) {
        *refusal = verdict_refuse(VERDICT_ILLEGAL, refusal_name(REFUSAL_NO_MOVE),
                                  "a path is the piece's square and those it lands on");
        return false;
    }
    out->count = count;
    for (int i = 0; i < count; i++) {
        if (squares[i] < 1 || squares[i] > last) {
            *refusal = verdict_refuse(VERDICT_ILLEGAL, refusal_name(REFUSAL_NO_MOVE),
                                      "the board has no square %d", squares[i]);
            return false;
        }
        out->square[i] = (uint8_t)squares[i];
    }
    return true;
}

/* Why no legal move begins with these squares. */
static struct verdict misfit(const struct hosted *hosted, const struct prefix *prefix)
{
    const struct variant *variant = hosted->setup.variant;
    const int from = prefix->square[0], to = prefix->square[prefix->count - 1];
    struct move_list list;

    variant->moves(game_now(&hosted->game), &list);
    for (int i = 0; i < list.count; i++) {
        if (bit_to_square(variant->rules, list.move[i].from) == from &&
            bit_to_square(variant->rules, list.move[i].to) == to) {
            return verdict_refuse(VERDICT_ILLEGAL, refusal_name(REFUSAL_ELSEWHERE),
                                  "no way from %d to %d lands on these squares", from, to);
        }
    }
    struct refusal refusal = refusal_find(variant, game_now(&hosted->game), &list, from, to);
    return verdict_refuse(VERDICT_ILLEGAL, refusal_name(refusal.kind), "%s", refusal.text);
}

static struct verdict step_event(const struct hosted *hosted, const struct prefix *prefix,
                                 int64_t at)
{
    struct verdict verdict = verdict_event(EVENT_STEP, hosted_turn(hosted), at);
    size_t used = 0;

    for (int i = 0; i < prefix->count; i++) {
        used += (size_t)snprintf(verdict.event.text + used, EVENT_TEXT - used, "%s%d",
                                 i > 0 ? "," : "", prefix->square[i]);
    }
    return verdict;
}

struct verdict decide_path(const struct hosted *hosted, struct asking asking, int ply,
                           const int *squares, int count)
{
    const struct variant *variant = hosted->setup.variant;
    struct verdict refused;
    struct prefix prefix;
    struct move move, played;

    if (!read_prefix(hosted, squares, count, &prefix, &refused)) {
        return refused;
    }
    if (was_played(hosted, asking, ply, &played) &&
        fit_path(variant, &hosted->game.positions[ply], &prefix, &move) == FIT_WHOLE &&
        move_equal(&move, &played)) {
        return (struct verdict){.kind = VERDICT_REPEATED};
    }
    if (!may_move(hosted, asking, ply, &refused)) {
        return refused;
    }
    size_t kept = (size_t)(hosted->half_count < prefix.count ? hosted->half_count : prefix.count);
    if (memcmp(prefix.square, hosted->half, kept) != 0) {
        return begun(hosted);
    }
    enum fit fit = fit_path(variant, game_now(&hosted->game), &prefix, &move);
    if (fit == FIT_NONE) {
        return hosted->half_count > 0 ? begun(hosted) : misfit(hosted, &prefix);
    }
    if (fit == FIT_WHOLE) {
        return move_event(hosted, &move, asking.now);
    }
    if (prefix.count == 1) {
        return verdict_refuse(VERDICT_ILLEGAL, refusal_name(REFUSAL_NO_MOVE),
                              "a path needs a square to land on behind %d", prefix.square[0]);
    }
    return prefix.count <= hosted->half_count ? (struct verdict){.kind = VERDICT_REPEATED}
                                              : step_event(hosted, &prefix, asking.now);
}

/* The pieces taken on the way from one square to the next along a line. */
static bitboard between(const struct rules *rules, const struct position *position, int from,
                        int to)
{
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        bitboard at = bit(square_to_bit(rules, from)), passed = 0;
        while (at != 0 && at != bit(square_to_bit(rules, to))) {
            at = bits_step(rules, at, direction);
            passed |= at;
        }
        if (at != 0) {
            return passed & pieces_of(position, colour_other((enum colour)position->turn));
        }
    }
    return 0;
}

bitboard decide_next(const struct hosted *hosted, bitboard *taken)
{
    const struct rules *rules = hosted->setup.variant->rules;
    const struct position *position = game_now(&hosted->game);
    struct prefix prefix = {.count = hosted->half_count + 1};
    struct move whole;
    bitboard next = 0;

    *taken = 0;
    if (hosted->half_count == 0) {
        return 0;
    }
    memcpy(prefix.square, hosted->half, (size_t)hosted->half_count);
    for (int i = 1; i < hosted->half_count; i++) {
        *taken |= between(rules, position, hosted->half[i - 1], hosted->half[i]);
    }
    for (int square = 1; square <= rules->squares; square++) {
        prefix.square[hosted->half_count] = (uint8_t)square;
        if (fit_path(hosted->setup.variant, position, &prefix, &whole) != FIT_NONE) {
            next |= bit(square_to_bit(rules, square));
        }
    }
    return next;
}

struct verdict decide_reply(const struct hosted *hosted, const struct move *move, int64_t now)
{
    return move_event(hosted, move, now);
}
