/* Moves in and out of text, and the names of colours. */
#include "engine/rules/notation.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/number.h"
#include "engine/board/path.h"

enum { NUMBERS_MAX = TAKEN_MAX + 2 };

/* A move text taken apart. */
struct spoken {
    bool capture;
    int count;
    uint8_t square[NUMBERS_MAX]; /* start, ... , as written */
};

const char *colour_name(enum colour colour)
{
    return colour == WHITE ? "White" : "Black";
}

void move_write(const struct rules *rules, const struct move *move, char out[MOVE_TEXT])
{
    bitboard taken = move->taken;
    size_t used = number_write(out, bit_to_square(rules, move->from));

    out[used++] = taken ? 'x' : '-';
    used += number_write(out + used, bit_to_square(rules, move->to));
    while (taken) {
        out[used++] = 'x';
        used += number_write(out + used, bit_to_square(rules, bit_pop(&taken)));
    }
    out[used] = '\0';
}

static bool take_apart(const struct rules *rules, const char *text, struct spoken *out,
                       struct err *err)
{
    const char *at = text;
    char separator = '\0';

    *out = (struct spoken){0};
    for (;;) {
        int square = 0;
        if (!isdigit((unsigned char)*at)) {
            return err_set(err, ERR_USAGE,
                           "'%.40s' is not a move: write 32-28, or 26x37x31 for a capture", text);
        }
        for (; isdigit((unsigned char)*at); at++) {
            square = square > rules->squares ? square : 10 * square + (*at - '0');
        }
        if (square < 1 || square > rules->squares) {
            return err_set(err, ERR_USAGE, "'%.40s': unknown square, squares are 1 to %d", text,
                           rules->squares);
        }
        if (out->count == NUMBERS_MAX) {
            return err_set(err, ERR_USAGE, "'%.40s': more squares than a move can have", text);
        }
        out->square[out->count++] = (uint8_t)square;
        if (*at == '\0' && out->count > 1) {
            out->capture = separator == 'x';
            return true;
        }
        if ((*at != '-' && *at != 'x') || (separator && *at != separator) ||
            (separator == '-' && out->count > 1)) {
            return err_set(err, ERR_USAGE,
                           "'%.40s' is not a move: write 32-28, or 26x37x31 for a capture", text);
        }
        separator = *at++;
    }
}

/* Whether the text is this move in the machine form, taken squares in any order. */
static bool machine_form(const struct rules *rules, const struct spoken *spoken,
                         const struct move *move)
{
    bitboard taken = 0;

    for (int i = 2; i < spoken->count; i++) {
        bitboard square = bit(square_to_bit(rules, spoken->square[i]));
        if (taken & square) {
            return false;
        }
        taken |= square;
    }
    return square_to_bit(rules, spoken->square[0]) == move->from &&
           square_to_bit(rules, spoken->square[1]) == move->to && taken == move->taken;
}

/* Whether the text names start, squares landed on, and end of this move. */
static bool pdn_form(const struct rules *rules, const struct position *position,
                     const struct spoken *spoken, const struct move *move)
{
    struct path path;

    return (move->taken != 0) == spoken->capture &&
           square_to_bit(rules, spoken->square[0]) == move->from &&
           square_to_bit(rules, spoken->square[spoken->count - 1]) == move->to &&
           path_find(rules, position, move, spoken->square + 1, spoken->count - 2, &path, 1) == 1;
}

/* Writes moves into out, as many as fit, ", ..." behind them when not all did. */
static void name_moves(const struct rules *rules, const struct move_list *list, char *out,
                       size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (int i = 0; i < list->count; i++) {
        char text[MOVE_TEXT];
        move_write(rules, &list->move[i], text);
        size_t need = strlen(text) + 2;
        if (used + need + sizeof ", ..." > size) {
            memcpy(out + used, ", ...", sizeof ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", text);
    }
}

static bool refuse(const struct rules *rules, const char *text, const struct spoken *spoken,
                   const struct move_list *legal, struct err *err)
{
    char choices[240];

    if (legal->count == 0) {
        return err_set(err, ERR_USAGE, "'%.40s': the side to move has no legal move", text);
    }
    name_moves(rules, legal, choices, sizeof choices);
    if (!spoken->capture && legal->move[0].taken) {
        return err_set(err, ERR_USAGE, "'%.40s' is not legal: a capture is compulsory, %s", text,
                       choices);
    }
    return err_set(err, ERR_USAGE, "'%.40s' is not legal here; legal are %s", text, choices);
}

bool move_read(const struct variant *variant, const struct position *position, const char *text,
               struct move *out, struct err *err)
{
    const struct rules *rules = variant->rules;
    struct spoken spoken;
    struct move_list legal, fitting;

    if (!take_apart(rules, text, &spoken, err)) {
        return false;
    }
    variant->moves(position, &legal);
    for (int i = 0; i < legal.count; i++) {
        if ((legal.move[i].taken != 0) == spoken.capture &&
            machine_form(rules, &spoken, &legal.move[i])) {
            *out = legal.move[i];
            return true;
        }
    }

    fitting.count = 0;
    for (int i = 0; i < legal.count; i++) {
        if (pdn_form(rules, position, &spoken, &legal.move[i])) {
            fitting.move[fitting.count++] = legal.move[i];
        }
    }
    if (fitting.count == 0) {
        return refuse(rules, text, &spoken, &legal, err);
    }
    if (fitting.count > 1) {
        char choices[240];
        name_moves(rules, &fitting, choices, sizeof choices);
        return err_set(err, ERR_USAGE, "'%.40s' is ambiguous: it fits %s", text, choices);
    }
    *out = fitting.move[0];
    return true;
}
