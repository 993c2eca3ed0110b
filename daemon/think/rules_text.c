/* One sentence a rule. */
#include "daemon/think/rules_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "engine/rules/notation.h"

static bool say(json_t *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool say(json_t *text, const char *format, ...)
{
    char sentence[320];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return json_array_append_new(text, json_string(sentence)) == 0;
}

static bool say_board(json_t *text, const struct rules *rules)
{
    return say(text,
               "The board has %d by %d squares; play is on its %d dark squares, numbered row by "
               "row from the top left.",
               rules->rows, rules->rows, rules->squares) &&
           say(text,
               "Each side has %d men. Black starts at the top and moves down, White at the bottom "
               "and moves up; %s opens the game.",
               rules->men_each, colour_name(rules->opener));
}

static bool say_pieces(json_t *text, const struct rules *rules)
{
    return say(text, "A man moves one square diagonally forward.") &&
           say(text,
               "A man captures %s: it jumps an adjacent enemy piece to the empty square just "
               "behind it.",
               rules->men_capture_backwards ? "forwards and backwards" : "forwards only") &&
           say(text, rules->flying_kings
                         ? "A king moves any distance along a diagonal, and captures a piece at "
                           "any distance, landing on any empty square behind it."
                         : "A king moves one square along a diagonal, forwards or backwards, and "
                           "captures an adjacent piece, landing just behind it.");
}

static bool say_captures(json_t *text, const struct rules *rules)
{
    return say(text, "Whoever can capture must, and goes on while the same piece can take more.") &&
           say(text, rules->most_captures
                         ? "Of several captures one that takes the most pieces must be chosen, "
                           "king or man counted alike."
                         : "Of several captures any may be chosen.") &&
           say(text, "Captured pieces stay on the board until the move ends: none is jumped twice, "
                     "and each still blocks the way.");
}

static bool say_ends(json_t *text, const struct rules *rules)
{
    return say(text, rules->crowning_ends_move
                         ? "A man that reaches the far row becomes a king and its move ends there."
                         : "A man whose move ends on the far row becomes a king; passing over it "
                           "in a capture does not crown.") &&
           say(text, "A side to move that has no piece or no legal move has lost.") &&
           say(text,
               "The game is drawn when the same position with the same side to move occurs %d "
               "times, or after %d moves by each side in a row without a capture or a move of a "
               "man.",
               rules->repetitions_to_draw, rules->quiet_plies_to_draw / 2);
}

json_t *rules_text(const struct rules *rules)
{
    json_t *text = json_array();

    if (!say_board(text, rules) || !say_pieces(text, rules) || !say_captures(text, rules) ||
        !say_ends(text, rules)) {
        json_decref(text);
        return NULL;
    }
    return text;
}
