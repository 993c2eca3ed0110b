/* Games from PDN files: one after the other, tags and results looked at, moves replayed. */
#include "engine/pdn/pdn_read.h"

#include <string.h>

#include "engine/pdn/pdn_replay.h"
#include "engine/pdn/pdn_result.h"
#include "engine/pdn/pdn_variant.h"

enum { VALUE = 40 };

static void check_tags(struct pdn_game *game, const struct pdn_sink *sink)
{
    for (int i = 0; i < game->text->tags; i++) {
        if (game->text->token[i].kind == PDN_BAD_TAG) {
            pdn_fault(game, sink, game->text->token[i].line, "%s", game->text->token[i].what);
        }
    }
}

/* The result by tag and by the moves' end, which must not contradict one another. */
static void check_result(struct pdn_game *game, const struct rules *rules,
                         const struct pdn_sink *sink)
{
    const struct pdn_text *text = game->text;
    const struct pdn_token *tag = pdn_text_tag(text, "Result");
    char by_tag[VALUE] = "*", by_end[VALUE] = "*";
    enum outcome outcome = OUTCOME_OPEN, end = OUTCOME_OPEN;

    bool next_begins = text->end.kind == PDN_TAG || text->end.kind == PDN_BAD_TAG;
    if (next_begins && game->faults == 0) {
        pdn_fault(game, sink, text->end.line,
                  "the next game begins here, but no result and no * ends this one");
    }
    if (tag) {
        pdn_value(tag->value, by_tag, sizeof by_tag);
        if (!pdn_result_read(rules, by_tag, &outcome) && !pdn_text_tag(text, "ResultFormat")) {
            pdn_fault(game, sink, tag->line,
                      "Result \"%s\" is of no known system: 2-0, 1-1 and 0-2, or 1-0, 1/2-1/2 and "
                      "0-1, or 0-0, or * are known",
                      by_tag);
        }
    }
    if (text->end.kind == PDN_RESULT || text->end.kind == PDN_MOVE) {
        pdn_value(text->end.text, by_end, sizeof by_end);
        pdn_result_read(rules, by_end, &end);
    }
    if (outcome != OUTCOME_OPEN && end != OUTCOME_OPEN && outcome != end) {
        pdn_fault(game, sink, text->end.line, "the moves end in %s, but Result is \"%s\"", by_end,
                  by_tag);
    }
    game->outcome = outcome == OUTCOME_OPEN ? end : outcome;
}

static bool read_game(struct pdn_game *game, const struct variant *given,
                      const struct pdn_sink *sink, struct err *err)
{
    const struct pdn_token *type = NULL;
    const struct variant *variant = pdn_variant(game->text, given, &type);

    check_tags(game, sink);
    if (!variant) {
        char value[VALUE];
        pdn_value(type->value, value, sizeof value);
        pdn_fault(game, sink, type->line,
                  "GameType \"%s\" is not played here: 20 is international, 21 classic, and "
                  "[Rules \"flying\"] flying draughts",
                  value);
        return true;
    }
    if (!pdn_replay(game, variant, sink, err)) {
        return false;
    }
    check_result(game, variant->rules, sink);
    return true;
}

bool pdn_read(const char *text, size_t size, const struct variant *given,
              const struct pdn_sink *sink, struct err *err)
{
    struct pdn_lexer lexer = pdn_lexer_start(text, size);
    struct pdn_text words = {0};
    bool ok = true, more = true;

    for (int number = 1; ok && more; number++) {
        ok = pdn_text_next(&words, &lexer, &more, err);
        if (ok && more) {
            struct pdn_game game = {.number = number, .line = words.token[0].line, .text = &words};
            ok = read_game(&game, given, sink, err) && sink->game(sink->context, &game, err);
            game_fini(&game.game);
        }
    }
    pdn_text_fini(&words);
    return ok;
}
