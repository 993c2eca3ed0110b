/* Looking one move ahead, and for an exchange three. */
#include "daemon/game/idea.h"

#include <stdio.h>

static int count_moves(const struct variant *variant, const struct position *position,
                       struct move_list *list)
{
    list->count = 0;
    variant->moves(position, list);
    return list->count;
}

/* The most pieces that the side to move can take; 0: it cannot capture. */
static int most_taken(const struct variant *variant, const struct position *position)
{
    struct move_list list;
    int most = 0;

    count_moves(variant, position, &list);
    for (int i = 0; i < list.count; i++) {
        int taken = bit_count(list.move[i].taken);
        most = taken > most ? taken : most;
    }
    return most;
}

/* The same position with the other side to move. */
static struct position passed(const struct position *position)
{
    struct position other = *position;

    other.turn = (uint8_t)colour_other((enum colour)position->turn);
    return other;
}

/* Whether each capture that the opponent is left with is answered by one of more pieces. */
static bool is_shot(const struct variant *variant, const struct position *after)
{
    struct move_list list;

    count_moves(variant, after, &list);
    for (int i = 0; i < list.count; i++) {
        struct position then = position_after(variant->rules, after, &list.move[i]);
        if (list.move[i].taken == 0 ||
            most_taken(variant, &then) <= bit_count(list.move[i].taken)) {
            return false;
        }
    }
    return list.count > 0;
}

enum idea idea_of(const struct variant *variant, const struct position *position,
                  const struct move *move)
{
    const enum colour side = (enum colour)position->turn;
    const struct position after = position_after(variant->rules, position, move);
    const struct position before_passed = passed(position), after_passed = passed(&after);
    struct move_list list;

    if (count_moves(variant, position, &list) == 1) {
        return IDEA_ONLY;
    }
    if (count_moves(variant, &after, &list) == 0) {
        return IDEA_ENDS;
    }
    if (move->taken != 0) {
        return IDEA_TAKES;
    }
    if (bit_count(after.kings[side]) > bit_count(position->kings[side])) {
        return IDEA_CROWNS;
    }
    if (is_shot(variant, &after)) {
        return IDEA_SHOT;
    }
    if (most_taken(variant, &before_passed) > 0 && most_taken(variant, &after) == 0) {
        return IDEA_GUARDS;
    }
    return most_taken(variant, &after_passed) > 0 && most_taken(variant, &after) == 0 ? IDEA_THREATS
                                                                                      : IDEA_QUIET;
}

const char *idea_name(enum idea idea)
{
    static const char *const NAMES[IDEAS] = {
        [IDEA_ONLY] = "only-move",    [IDEA_ENDS] = "ends-the-game", [IDEA_TAKES] = "takes",
        [IDEA_CROWNS] = "crowns",     [IDEA_SHOT] = "shot",          [IDEA_GUARDS] = "guards",
        [IDEA_THREATS] = "threatens", [IDEA_QUIET] = "quiet",
    };

    return NAMES[idea];
}

void idea_write(enum idea idea, const struct move *move, char out[IDEA_TEXT])
{
    static const char *const TEXTS[IDEAS] = {
        [IDEA_ONLY] = "It is the only move.",
        [IDEA_ENDS] = "It leaves the opponent without a move.",
        [IDEA_CROWNS] = "It makes a king.",
        [IDEA_SHOT] = "It gives up material and takes more back.",
        [IDEA_GUARDS] = "It guards against a capture.",
        [IDEA_THREATS] = "It threatens to capture.",
        [IDEA_QUIET] = "It makes the position better, without anything to be taken at once.",
    };
    int taken = bit_count(move->taken);

    if (idea == IDEA_TAKES) {
        snprintf(out, IDEA_TEXT, "It takes %d piece%s.", taken, taken == 1 ? "" : "s");
    } else {
        snprintf(out, IDEA_TEXT, "%s", TEXTS[idea]);
    }
}
