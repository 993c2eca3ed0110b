/* The games of matches in the catalogue: rows of bytes that belong to the rows of pairs. */
#include "selfplay/store/catalogue_file.h"

bool catalogue_add_game(struct catalogue *catalogue, int64_t match,
                        const struct catalogue_game *game, struct err *err)
{
    return database_execute(catalogue->database, err,
                            "INSERT INTO games (match, pair, game, record) VALUES (?, ?, ?, ?)"
                            " ON CONFLICT DO NOTHING",
                            "llib", match, game->pair, game->game, game->data, game->size);
}

bool catalogue_each_game(struct catalogue *catalogue, int64_t match, catalogue_visit *visit,
                         void *context, struct err *err)
{
    static const int VERSION_WITH_GAMES = 2;
    bool more = false;

    if (catalogue->version < VERSION_WITH_GAMES) {
        return true;
    }
    struct cursor *cursor = database_query(
        catalogue->database, err,
        "SELECT pair, game, record FROM games WHERE match = ? ORDER BY pair, game", "l", match);
    bool ok = cursor != NULL;
    while (ok && (ok = cursor_next(cursor, &more, err)) && more) {
        struct catalogue_game game = {.pair = cursor_integer(cursor, 0),
                                      .game = (int)cursor_integer(cursor, 1)};
        game.data = cursor_blob(cursor, 2, &game.size);
        ok = visit(context, &game, err);
    }
    cursor_close(cursor);
    return ok;
}
