/* The rules of playing a game together, beside moves: help, ends, seats. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "daemon/game/decide_parts.h"

enum { AGREED_PLIES_MIN = 40 }; /* no draw is agreed by the computer before */

struct verdict verdict_refuse(enum verdict_kind kind, const char *reason, const char *format, ...)
{
    struct verdict verdict = {.kind = kind, .reason = reason};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(verdict.text, sizeof verdict.text, format, arguments);
    va_end(arguments);
    return verdict;
}

struct verdict verdict_event(enum event_kind kind, enum colour side, int64_t at)
{
    return (struct verdict){.kind = VERDICT_EVENT, .event = {.kind = kind, .side = side, .at = at}};
}

bool may_act(const struct hosted *hosted, struct asking asking, unsigned *sides,
             struct verdict *refusal)
{
    const char *reason;

    *sides = hosted_sides(hosted, asking.person);
    if (*sides == 0) {
        *refusal = verdict_refuse(VERDICT_STRANGER, "not-a-player", "you do not play this game");
    } else if (hosted_over(hosted)) {
        hosted_outcome(hosted, &reason);
        *refusal = verdict_refuse(VERDICT_OVER, "game-over", "the game is over: %s", reason);
    } else if (hosted_waiting(hosted)) {
        *refusal = verdict_refuse(VERDICT_WAITING, "waiting", "nobody has joined the game yet");
    } else {
        return true;
    }
    return false;
}

static enum colour side_of(const struct hosted *hosted, unsigned sides)
{
    return sides == 3 ? hosted_turn(hosted) : sides & 1 ? WHITE : BLACK;
}

/* --- help ------------------------------------------------------------------------------------ */

static bool may_be_helped(const struct hosted *hosted, struct asking asking, const char *what,
                          struct verdict *refusal)
{
    unsigned sides;

    if (!may_act(hosted, asking, &sides, refusal)) {
        return false;
    }
    if (hosted->setup.opponent != OPPONENT_COMPUTER) {
        *refusal = verdict_refuse(VERDICT_COMPUTER, "only-against-the-computer",
                                  "%s only in a game against the computer", what);
        return false;
    }
    return true;
}

struct verdict decide_undo(const struct hosted *hosted, struct asking asking)
{
    struct verdict verdict;
    int plies = hosted_turn(hosted) == hosted->setup.host ? 2 : 1;

    if (!may_be_helped(hosted, asking, "moves are taken back", &verdict)) {
        return verdict;
    }
    if (hosted->half_count > 0) {
        plies = 0;
    } else if (hosted->game.plies < plies) {
        return verdict_refuse(VERDICT_NOTHING, "nothing-to-undo", "you have made no move yet");
    }
    verdict = verdict_event(EVENT_UNDO, hosted->setup.host, asking.now);
    snprintf(verdict.event.text, sizeof verdict.event.text, "%d", plies);
    return verdict;
}

struct verdict decide_hint_wanted(const struct hosted *hosted, struct asking asking)
{
    struct verdict verdict;

    if (!may_be_helped(hosted, asking, "hints are given", &verdict)) {
        return verdict;
    }
    if (hosted_turn(hosted) != hosted->setup.host) {
        return verdict_refuse(VERDICT_TURN, "not-your-turn", "the computer is to move");
    }
    return hosted->hint[0] != '\0' ? (struct verdict){.kind = VERDICT_REPEATED}
                                   : verdict_event(EVENT_HINT, hosted->setup.host, asking.now);
}

struct verdict decide_hint(const struct hosted *hosted, struct asking asking,
                           const struct move *move)
{
    struct verdict verdict = decide_hint_wanted(hosted, asking);

    if (verdict.kind == VERDICT_EVENT) {
        move_write(hosted->setup.variant->rules, move, verdict.event.text);
    }
    return verdict;
}

/* --- ends ------------------------------------------------------------------------------------ */

struct verdict decide_resign(const struct hosted *hosted, struct asking asking)
{
    struct verdict refusal;
    unsigned sides;

    return may_act(hosted, asking, &sides, &refusal)
               ? verdict_event(EVENT_RESIGN, side_of(hosted, sides), asking.now)
               : refusal;
}

static struct verdict decide_offer(const struct hosted *hosted, enum colour side, int64_t now)
{
    if (hosted->offered) {
        return hosted->offerer == side
                   ? (struct verdict){.kind = VERDICT_REPEATED}
                   : verdict_refuse(VERDICT_STANDS, "offer-stands",
                                    "the other side has offered a draw: accept it");
    }
    if (hosted->offer_ply[side] >= 0 && hosted->game.plies < hosted->offer_ply[side] + 2) {
        return verdict_refuse(VERDICT_STANDS, "offered-already",
                              "a draw is offered once for each move of yours");
    }
    return verdict_event(EVENT_OFFER, side, now);
}

struct verdict decide_draw(const struct hosted *hosted, struct asking asking, enum event_kind kind)
{
    struct verdict refusal;
    unsigned sides;

    if (!may_act(hosted, asking, &sides, &refusal)) {
        return refusal;
    }
    enum colour side = side_of(hosted, sides);
    if (kind == EVENT_OFFER) {
        return decide_offer(hosted, side, asking.now);
    }
    if (sides == 3) {
        side = kind == EVENT_WITHDRAW ? hosted->offerer : colour_other(hosted->offerer);
    }
    bool own = hosted->offered && hosted->offerer == side;
    if (!hosted->offered || own != (kind == EVENT_WITHDRAW)) {
        return verdict_refuse(VERDICT_NOTHING, "no-offer", "there is no draw offer of %s",
                              kind == EVENT_WITHDRAW ? "yours" : "the other side");
    }
    return verdict_event(kind, side, asking.now);
}

struct verdict decide_answer(const struct hosted *hosted, int score, int64_t now)
{
    enum colour computer = colour_other(hosted->setup.host);
    int own = hosted_turn(hosted) == computer ? score : -score;
    bool agreed = hosted->game.plies >= AGREED_PLIES_MIN && own <= 0;

    return verdict_event(agreed ? EVENT_ACCEPT : EVENT_DECLINE, computer, now);
}

struct verdict decide_join(const struct hosted *hosted, struct asking asking)
{
    enum colour free = colour_other(hosted->setup.host);

    if (hosted_sides(hosted, asking.person) != 0) {
        return (struct verdict){.kind = VERDICT_REPEATED};
    }
    if (!hosted_waiting(hosted)) {
        return verdict_refuse(VERDICT_TAKEN, "seats-taken",
                              "both sides of this game have a player");
    }
    if (hosted_over(hosted)) {
        return verdict_refuse(VERDICT_OVER, "game-over", "the game is over");
    }
    struct verdict verdict = verdict_event(EVENT_JOIN, free, asking.now);
    snprintf(verdict.event.text, sizeof verdict.event.text, "%" PRId64, asking.person);
    return verdict;
}

struct verdict decide_claim(const struct hosted *hosted, struct asking asking, int64_t heard,
                            int64_t patience)
{
    struct verdict refusal;
    unsigned sides;

    if (!may_act(hosted, asking, &sides, &refusal)) {
        return refusal;
    }
    if (hosted->setup.opponent != OPPONENT_FRIEND) {
        return verdict_refuse(VERDICT_NOTHING, "no-opponent",
                              "only a friend who is gone is claimed from");
    }
    if (sides >> hosted_turn(hosted) & 1) {
        return verdict_refuse(VERDICT_TURN, "your-turn", "it is your own turn");
    }
    if (asking.now - heard < patience) {
        return verdict_refuse(VERDICT_EARLY, "too-early",
                              "the opponent was here %" PRId64
                              " s ago; a game is claimed after %" PRId64 " s",
                              asking.now - heard, patience);
    }
    return verdict_event(EVENT_CLAIM, side_of(hosted, sides), asking.now);
}

struct verdict decide_expire(const struct hosted *hosted, int64_t now, int64_t patience)
{
    if (hosted_over(hosted) || now - hosted->changed < patience) {
        return verdict_refuse(VERDICT_EARLY, "too-early", "the game goes on");
    }
    return verdict_event(EVENT_EXPIRE, hosted_turn(hosted), now);
}
