/* What an external engine may say: a line after the other, each passed over or understood, numbers
 * within their bounds, moves legal; then parameters as a user writes them for it. */
#include <stdlib.h>
#include <string.h>

#include "engine/search/score.h"
#include "fuzz.h"
#include "selfplay/external/hub_dialogue.h"

static void check_move(struct game *game, const struct hub_dialogue *dialogue)
{
    struct move move;

    if (hub_dialogue_move(game, dialogue->move, &move) == FAULT_NONE) {
        fuzz_require_legal(game->variant, game_now(game), &move);
        fuzz_require(game_play(game, &move), "there is memory");
    }
}

static void take_line(struct hub_dialogue *dialogue, struct game *game, const char *line,
                      size_t length)
{
    char *exact = fuzz_text((const uint8_t *)line, length);
    enum dialogue_event event = hub_dialogue_take(dialogue, exact);

    free(exact);
    fuzz_require(strnlen(dialogue->name, HUB_TEXT) < HUB_TEXT &&
                     strnlen(dialogue->version, HUB_TEXT) < HUB_TEXT &&
                     strnlen(dialogue->variants, HUB_TEXT) < HUB_TEXT &&
                     strnlen(dialogue->error, HUB_TEXT) < HUB_TEXT &&
                     strnlen(dialogue->move, HUB_TEXT) < HUB_TEXT,
                 "texts end");
    fuzz_require(abs(dialogue->score) <= SCORE_WON && dialogue->depth >= 0 &&
                     dialogue->depth <= UINT8_MAX,
                 "numbers keep to bounds");
    hub_dialogue_plays(dialogue, "classic");
    if (event == DIALOGUE_DONE) {
        check_move(game, dialogue);
        hub_dialogue_ask(dialogue);
    }
}

static void check_parameters(const char *text)
{
    struct err err = {0};
    char *lines = hub_dialogue_parameters(text, &err);

    if (lines == NULL) {
        fuzz_require_refusal(&err);
    }
    for (const char *at = lines; at != NULL && *at != '\0'; at = strchr(at, '\n') + 1) {
        fuzz_require(strncmp(at, "set-param name=\"", 16) == 0, "each parameter is a line");
        fuzz_require(strchr(at, '\n') != NULL, "each line ends");
    }
    free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const struct variant *variant = fuzz_variant(data[0]);
    struct position start = position_start(variant->rules);
    struct hub_dialogue dialogue = {0};
    struct game game;
    char *text = fuzz_text(data + 1, size - 1);

    fuzz_require(game_init(&game, variant, &start), "there is memory");
    for (const char *at = text; *at != '\0'; at += at[0] == '\n') {
        size_t length = strcspn(at, "\n");
        take_line(&dialogue, &game, at, length);
        at += length;
    }
    game_fini(&game);
    text[strcspn(text, "\n")] = '\0'; /* as from a setting */
    check_parameters(text);
    free(text);
    return 0;
}
