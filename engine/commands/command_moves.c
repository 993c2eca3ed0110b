/* `draughts moves`: the legal moves of a position in machine form. */
#include <stdio.h>

#include "engine/commands/draughts.h"
#include "engine/rules/notation.h"

bool command_moves(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL, *fen = NULL, *moves = NULL;
    const struct flag flags[] = {flag_rules(&rules), flag_position(&fen), flag_moves(&moves)};
    struct command_line line;
    struct position position;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "", 0, &line, err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    const struct variant *variant = variant_of_flag(rules, err);
    if (variant == NULL || !position_of_flags(variant, fen, moves, &position, err)) {
        return false;
    }

    struct move_list list;
    variant->moves(&position, &list);
    for (int i = 0; i < list.count; i++) {
        char text[MOVE_TEXT];
        move_write(variant->rules, &list.move[i], text);
        printf("%s\n", text);
    }
    return true;
}
