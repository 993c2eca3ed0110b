/* Files of openings, positions and games alike: what is read are open games of the rule set. */
#include <stdlib.h>

#include "fuzz.h"
#include "selfplay/game/opening_file.h"

static void check_opening(const struct opening_file *file, int64_t number)
{
    struct game game;
    struct err err = {0};

    fuzz_require(opening_file_play(file, number, &game, &err), "there is memory");
    fuzz_require(game.variant == file->variant, "an opening is of the rule set");
    fuzz_require(game_outcome(&game, NULL) == OUTCOME_OPEN, "an opening leaves a game to play");
    fuzz_require_position(game.variant->rules, &game.positions[0]);
    for (int ply = 0; ply < game.plies; ply++) {
        fuzz_require_legal(game.variant, &game.positions[ply], &game.moves[ply]);
    }
    game_fini(&game);
}

static void check_file(const struct variant *variant, const char *path, const char *text,
                       size_t size)
{
    struct opening_file file;
    struct err err = {0};

    if (!opening_file_read(&file, variant, path, text, size, &err)) {
        fuzz_require_refusal(&err);
        fuzz_require(file.count == 0 && file.opening == NULL, "a refused file leaves nothing");
        return;
    }
    fuzz_require(file.count > 0, "a file that is read has openings");
    opening_file_shuffle(&file, 1, 2);
    for (int64_t i = 0; i < file.count; i++) {
        check_opening(&file, i);
    }
    opening_file_fini(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    char *text = fuzz_text(data + 1, size - 1);

    check_file(fuzz_variant(data[0]), "a.fen", text, size - 1);
    check_file(fuzz_variant(data[0]), "a.pdn", text, size - 1);
    free(text);
    return 0;
}
