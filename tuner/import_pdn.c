/* Games from PDN files, as the rows of their positions. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/file.h"
#include "engine/pdn/pdn_read.h"
#include "tuner/import_readers.h"

static const size_t FILE_MAX = (size_t)1 << 30;

enum { TEXT = 256 }; /* bytes of what is said of a game */

static void tell(void *context, int line, int game, const char *what)
{
    char text[TEXT];

    snprintf(text, sizeof text, "game %d: %s", game, what);
    import_fault(context, line, text);
}

/* The rows of a game, to be freed; NULL when memory is out. */
static struct shard_row *rows_of(const struct pdn_game *read)
{
    const struct game *game = &read->game;
    const struct rules *rules = game->variant->rules;
    struct shard_row *rows = calloc((size_t)game->plies + 1, sizeof *rows);

    for (int ply = 0; rows && ply < game->plies; ply++) {
        const struct move *move = &game->moves[ply];
        int squares = bit_to_square(rules, move->from) * 256 + bit_to_square(rules, move->to);
        rows[ply] = (struct shard_row){
            .position = game->positions[ply],
            .ply = (uint16_t)(ply < UINT16_MAX ? ply : UINT16_MAX),
            .best_move = (uint16_t)squares,
            .score = SCORE_NONE,
            .result = (int8_t)((read->outcome == OUTCOME_WHITE_WINS) -
                               (read->outcome == OUTCOME_BLACK_WINS)),
        };
    }
    return rows;
}

static bool take(void *context, const struct pdn_game *game, struct err *err)
{
    struct importer *importer = context;
    const struct variant *variant = game->game.variant;
    struct err why = {0};

    if (!variant) {
        return true; /* told as a fault */
    }
    if (!import_wants(importer, variant, &why)) {
        tell(context, game->line, game->number, why.text);
        return true;
    }
    if (game->outcome == OUTCOME_OPEN) {
        tell(context, game->line, game->number, "it has no result");
        return true;
    }
    struct shard_row *rows = rows_of(game);
    bool ok = rows ? import_game(importer, variant, rows, (size_t)game->game.plies, err)
                   : err_set(err, ERR_FAILED, "out of memory for a game");
    free(rows);
    return ok;
}

bool import_pdn(struct importer *importer, struct err *err)
{
    const struct pdn_sink sink = {.context = importer, .fault = tell, .game = take};
    size_t size = 0;
    char *text = file_read(importer->file, FILE_MAX, &size, err);

    if (!text) {
        return false;
    }
    bool ok = pdn_read(text, size, importer->request->given, &sink, err);
    free(text);
    return ok || err_prefix(err, "%s", importer->file);
}
