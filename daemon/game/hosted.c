/* The sum of a game's events. */
#include "daemon/game/hosted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *opponent_name(enum opponent opponent)
{
    static const char *const NAMES[OPPONENT_KINDS] = {"computer", "local", "friend"};
    return NAMES[opponent];
}

const char *event_name(enum event_kind kind)
{
    static const char *const NAMES[EVENT_KINDS] = {
        [EVENT_STEP] = "step",     [EVENT_MOVE] = "move",       [EVENT_UNDO] = "undo",
        [EVENT_HINT] = "hint",     [EVENT_RESIGN] = "resign",   [EVENT_OFFER] = "offer",
        [EVENT_ACCEPT] = "accept", [EVENT_DECLINE] = "decline", [EVENT_WITHDRAW] = "withdraw",
        [EVENT_JOIN] = "join",     [EVENT_CLAIM] = "claim",     [EVENT_EXPIRE] = "expire",
    };
    return NAMES[kind];
}

bool hosted_init(struct hosted *hosted, const struct hosted_setup *setup)
{
    enum colour other = colour_other(setup->host);

    *hosted = (struct hosted){.setup = *setup, .offer_ply = {-1, -1}, .changed = setup->created};
    hosted->person[setup->host] = setup->host_person;
    hosted->person[other] = setup->opponent == OPPONENT_LOCAL ? setup->host_person : NOBODY;
    return game_init(&hosted->game, setup->variant, &setup->start);
}

void hosted_fini(struct hosted *hosted)
{
    game_fini(&hosted->game);
}

bool hosted_copy(struct hosted *copy, const struct hosted *hosted)
{
    *copy = *hosted;
    return game_copy(&copy->game, &hosted->game);
}

/* --- events ---------------------------------------------------------------------------------- */

static bool misfit(const struct hosted *hosted, const struct event *event, struct err *err)
{
    return err_set(err, ERR_FAILED, "event %d of the game, %s '%s', does not fit it",
                   hosted->events + 1, event_name(event->kind), event->text);
}

static void leave_position(struct hosted *hosted)
{
    hosted->half_count = 0;
    hosted->hint[0] = '\0';
}

static bool apply_move(struct hosted *hosted, const struct event *event, struct err *err)
{
    struct move move;

    if (!move_read(hosted->setup.variant, game_now(&hosted->game), event->text, &move, err)) {
        return misfit(hosted, event, err);
    }
    if (!game_play(&hosted->game, &move)) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    leave_position(hosted);
    if (hosted->offered && hosted->offerer != event->side) {
        hosted->offered = false; /* who moves on declines */
    }
    return true;
}

static bool apply_undo(struct hosted *hosted, const struct event *event, struct err *err)
{
    int plies = atoi(event->text);

    if (plies < 0 || plies > hosted->game.plies) {
        return misfit(hosted, event, err);
    }
    leave_position(hosted);
    hosted->undos += plies > 0;
    hosted->offered = hosted->offered && plies == 0;
    while (plies-- > 0) {
        game_take_back(&hosted->game);
    }
    for (int side = 0; side < 2; side++) {
        if (hosted->offer_ply[side] > hosted->game.plies) {
            hosted->offer_ply[side] = -1;
        }
    }
    return true;
}

static bool apply_step(struct hosted *hosted, const struct event *event, struct err *err)
{
    const char *at = event->text;
    int count = 0;

    while (*at != '\0' && count <= PATH_SQUARES) {
        char *end;
        long square = strtol(at, &end, 10);
        if (end == at || square < 1 || square > hosted->setup.variant->rules->squares) {
            return misfit(hosted, event, err);
        }
        hosted->half[count++] = (uint8_t)square;
        at = *end == ',' ? end + 1 : end;
    }
    hosted->half_count = count;
    return true;
}

static void give(struct hosted *hosted, enum given given, enum outcome outcome)
{
    hosted->given = given;
    hosted->given_outcome = outcome;
    hosted->offered = false;
    hosted->half_count = 0;
}

static enum outcome win_of(enum colour side)
{
    return side == WHITE ? OUTCOME_WHITE_WINS : OUTCOME_BLACK_WINS;
}

static bool apply_kind(struct hosted *hosted, const struct event *event, struct err *err)
{
    switch (event->kind) {
    case EVENT_STEP:
        return apply_step(hosted, event, err);
    case EVENT_MOVE:
        return apply_move(hosted, event, err);
    case EVENT_UNDO:
        return apply_undo(hosted, event, err);
    case EVENT_HINT:
        snprintf(hosted->hint, sizeof hosted->hint, "%s", event->text);
        hosted->hints++;
        return true;
    case EVENT_RESIGN:
        give(hosted, GIVEN_RESIGNED, win_of(colour_other(event->side)));
        return true;
    case EVENT_OFFER:
        hosted->offered = true;
        hosted->offerer = event->side;
        hosted->offer_ply[event->side] = hosted->game.plies;
        return true;
    case EVENT_ACCEPT:
        give(hosted, GIVEN_AGREED, OUTCOME_DRAW);
        return true;
    case EVENT_DECLINE:
    case EVENT_WITHDRAW:
        hosted->offered = false;
        return true;
    case EVENT_JOIN:
        hosted->person[event->side] = strtoll(event->text, NULL, 10);
        return true;
    case EVENT_CLAIM:
        give(hosted, GIVEN_CLAIMED, win_of(event->side));
        return true;
    case EVENT_EXPIRE:
        give(hosted, GIVEN_EXPIRED, OUTCOME_OPEN);
        return true;
    }
    return err_set(err, ERR_FAILED, "event of the unknown kind %d", (int)event->kind);
}

bool hosted_apply(struct hosted *hosted, const struct event *event, struct err *err)
{
    if (!apply_kind(hosted, event, err)) {
        return false;
    }
    hosted->events++;
    hosted->changed = event->at;
    return true;
}

/* --- what they make of the game -------------------------------------------------------------- */

enum outcome hosted_outcome(const struct hosted *hosted, const char **reason)
{
    static const char *const GIVEN[] = {
        [GIVEN_RESIGNED] = "resigned",
        [GIVEN_AGREED] = "agreed",
        [GIVEN_CLAIMED] = "opponent gone",
        [GIVEN_EXPIRED] = "expired",
    };
    enum end_reason why;

    if (hosted->given != GIVEN_NONE) {
        *reason = GIVEN[hosted->given];
        return hosted->given_outcome;
    }
    enum outcome outcome = game_outcome(&hosted->game, &why);
    *reason = end_reason_name(why);
    return outcome;
}

bool hosted_over(const struct hosted *hosted)
{
    return hosted->given != GIVEN_NONE || game_outcome(&hosted->game, NULL) != OUTCOME_OPEN;
}

bool hosted_waiting(const struct hosted *hosted)
{
    return hosted->setup.opponent == OPPONENT_FRIEND &&
           (hosted->person[WHITE] == NOBODY || hosted->person[BLACK] == NOBODY);
}

bool hosted_judging(const struct hosted *hosted)
{
    return hosted->setup.opponent == OPPONENT_COMPUTER && hosted->offered && !hosted_over(hosted);
}

bool hosted_thinking(const struct hosted *hosted)
{
    return hosted->setup.opponent == OPPONENT_COMPUTER && !hosted->offered &&
           hosted_turn(hosted) != hosted->setup.host && !hosted_over(hosted);
}

unsigned hosted_sides(const struct hosted *hosted, int64_t person)
{
    unsigned sides = 0;

    for (int side = 0; side < 2; side++) {
        sides |= person != NOBODY && hosted->person[side] == person ? 1u << side : 0;
    }
    return sides;
}

const char *hosted_spoiled(const struct hosted *hosted)
{
    return hosted->undos > 0      ? "undo"
           : hosted->hints > 0    ? "hint"
           : hosted->setup.set_up ? "set-up position"
                                  : NULL;
}

bool hosted_clean_win(const struct hosted *hosted)
{
    const char *reason;

    return hosted->setup.opponent == OPPONENT_COMPUTER && hosted_spoiled(hosted) == NULL &&
           hosted_outcome(hosted, &reason) == win_of(hosted->setup.host);
}

struct hosted_setup hosted_rematch(const struct hosted *hosted, uint64_t seed, int64_t now)
{
    struct hosted_setup next = hosted->setup;

    next.host = colour_other(next.host);
    next.seed = seed;
    next.created = now;
    return next;
}
