/* Moves as PDN has them, in and out. */
#include "engine/pdn/pdn_move.h"

#include <stdio.h>

#include "engine/board/path.h"

/* Start and the squares landed on. Each leg takes the one piece between its ends, so that no two
 * moves have a path in common. */
static void write_path(const struct rules *rules, const struct position *position,
                       const struct move *move, char out[PDN_MOVE_TEXT])
{
    struct path path = {0};
    int used = snprintf(out, PDN_MOVE_TEXT, "%d", bit_to_square(rules, move->from));

    /* The first path found lands as near as it can. */
    path_find(rules, position, move, NULL, 0, &path, 1);
    for (int i = 0; path.square[i]; i++) {
        used += snprintf(out + used, PDN_MOVE_TEXT - (size_t)used, "%c%d", move->taken ? 'x' : '-',
                         path.square[i]);
    }
}

void pdn_move_write(const struct variant *variant, const struct position *position,
                    const struct move *move, char out[PDN_MOVE_TEXT])
{
    const struct rules *rules = variant->rules;
    struct move_list legal;
    int alike = 0;

    variant->moves(position, &legal);
    for (int i = 0; i < legal.count; i++) {
        alike += legal.move[i].from == move->from && legal.move[i].to == move->to;
    }
    if (alike > 1) {
        write_path(rules, position, move, out);
    } else {
        snprintf(out, PDN_MOVE_TEXT, "%d%c%d", bit_to_square(rules, move->from),
                 move->taken ? 'x' : '-', bit_to_square(rules, move->to));
    }
}

/* Keeps of `list` the moves with start, end and kind as written. */
static void keep_ends(const struct rules *rules, const struct pdn_squares *squares,
                      struct move_list *list)
{
    int kept = 0, from = squares->square[0], to = squares->square[squares->count - 1];

    for (int i = 0; i < list->count; i++) {
        const struct move *move = &list->move[i];
        if ((move->taken != 0) == squares->capture && bit_to_square(rules, move->from) == from &&
            bit_to_square(rules, move->to) == to) {
            list->move[kept++] = *move;
        }
    }
    list->count = kept;
}

/* Keeps of `list` the moves that pass through the squares between: `all` the squares they land
 * on, or some of them. */
static void keep_through(const struct rules *rules, const struct position *position,
                         const struct pdn_squares *squares, bool all, struct move_list *list)
{
    int kept = 0;

    for (int i = 0; i < list->count; i++) {
        struct path path;
        const struct move *move = &list->move[i];
        if ((!all || bit_count(move->taken) == squares->count - 1) &&
            path_find(rules, position, move, squares->square + 1, squares->count - 2, &path, 1)) {
            list->move[kept++] = *move;
        }
    }
    list->count = kept;
}

static int write_squares(const struct pdn_squares *squares, char out[PDN_MOVE_TEXT])
{
    int used = 0;

    for (int i = 0; i < squares->count; i++) {
        const char *separator = i == 0 ? "" : squares->capture ? "x" : "-";
        used += snprintf(out + used, PDN_MOVE_TEXT - (size_t)used, "%s%d", separator,
                         squares->square[i]);
    }
    return used;
}

static bool refuse_ambiguous(const struct rules *rules, const struct position *position,
                             const char *text, const struct move_list *fitting, struct err *err)
{
    char choices[240];
    int used = 0;

    for (int i = 0; i < fitting->count; i++) {
        char choice[PDN_MOVE_TEXT];
        write_path(rules, position, &fitting->move[i], choice);
        int room = (int)sizeof choices - used;
        int length = snprintf(choices + used, (size_t)room, "%s%s", i ? ", " : "", choice);
        if (length >= room - 6) {
            snprintf(choices + used, (size_t)room, ", ...");
            break;
        }
        used += length;
    }
    return err_set(err, ERR_USAGE, "'%s' is ambiguous: it fits %s", text, choices);
}

bool pdn_move_read(const struct variant *variant, const struct position *position,
                   const struct pdn_squares *squares, struct move *out, struct err *err)
{
    const struct rules *rules = variant->rules;
    struct move_list ends, fitting;
    char text[PDN_MOVE_TEXT];

    variant->moves(position, &ends);
    keep_ends(rules, squares, &ends);
    fitting = ends;
    keep_through(rules, position, squares, true, &fitting);
    if (fitting.count == 0) {
        fitting = ends;
        keep_through(rules, position, squares, false, &fitting);
    }
    if (fitting.count == 1) {
        *out = fitting.move[0];
        return true;
    }
    write_squares(squares, text);
    if (fitting.count > 1) {
        return refuse_ambiguous(rules, position, text, &fitting, err);
    }
    return move_read(variant, position, text, out, err);
}
