/* Which rule set, and from which position. */
#include "engine/pdn/pdn_variant.h"

#include <stdlib.h>

#include "engine/pdn/pdn_move.h"
#include "engine/rules/fen.h"

enum { VALUE = 512 };

bool pdn_position(struct pdn_span fen, const struct rules *rules, struct position *out,
                  struct err *err)
{
    char text[VALUE];

    if (fen.length >= sizeof text) {
        return err_set(err, ERR_USAGE, "FEN: %zu characters are no position", fen.length);
    }
    pdn_value(fen, text, sizeof text);
    return fen_read(rules, text, out, err);
}

bool pdn_start(const struct pdn_text *text, const struct rules *rules, struct position *out,
               struct err *err)
{
    const struct pdn_token *fen = pdn_text_tag(text, "FEN");

    if (fen) {
        return pdn_position(fen->value, rules, out, err);
    }
    *out = position_start(rules);
    return true;
}

/* How many moves of the main line can be played by a rule set, up to the first that cannot;
 * -1 when its board does not even have the position. */
static int moves_that_fit(const struct pdn_text *text, const struct variant *variant)
{
    struct position position;
    int fit = 0, depth = 0;

    if (!pdn_start(text, variant->rules, &position, NULL)) {
        return -1;
    }
    for (int i = text->tags; i < text->count; i++) {
        const struct pdn_token *token = &text->token[i];
        struct move move;
        depth += (token->kind == PDN_OPEN) - (token->kind == PDN_CLOSE && depth > 0);
        if (depth > 0) {
            continue;
        }
        if (token->kind == PDN_SETUP &&
            !pdn_position(token->value, variant->rules, &position, NULL)) {
            return fit;
        }
        if (token->kind == PDN_MOVE) {
            if (!pdn_move_read(variant, &position, &token->squares, &move, NULL)) {
                return fit;
            }
            position = position_after(variant->rules, &position, &move);
            fit++;
        }
    }
    return fit;
}

const struct variant *pdn_variant(const struct pdn_text *text, const struct variant *given,
                                  const struct pdn_token **tag)
{
    const struct pdn_token *rules = pdn_text_tag(text, "Rules");
    const struct pdn_token *type = pdn_text_tag(text, "GameType");
    char number[VALUE] = "";

    for (int i = 0; rules && i < VARIANT_COUNT; i++) {
        if (pdn_span_is(rules->value, variant_at(i)->rules->name)) {
            return variant_at(i);
        }
    }
    if (type) {
        pdn_value(type->value, number, sizeof number);
        long wanted = strtol(number, NULL, 10);
        for (int i = 0; i < VARIANT_COUNT; i++) {
            if (wanted > 0 && variant_at(i)->rules->pdn_game_type == wanted) {
                return variant_at(i);
            }
        }
        *tag = type;
        return NULL;
    }
    if (given) {
        return given;
    }

    const struct variant *best = NULL;
    for (int i = 0, most = -1; i < VARIANT_COUNT; i++) {
        int fit = moves_that_fit(text, variant_at(i));
        if (!best || fit > most) {
            best = variant_at(i);
            most = fit;
        }
    }
    return best;
}
