/* Positions, moves and levels as JSON. */
#include "daemon/describe.h"

#include "daemon/rules_text.h"
#include "engine/fen.h"
#include "engine/notation.h"
#include "engine/path.h"

/* Paths listed for a move and in one answer: a position can be made that has millions. */
enum { MOVE_PATHS_MAX = 64, ANSWER_PATHS_MAX = 1024 };

const char *colour_word(enum colour colour)
{
    return colour == WHITE ? "white" : "black";
}

json_t *describe_rules(const struct artefact_slot *slot, const struct variant *variant)
{
    const struct rules *rules = variant->rules;
    struct position start = position_start(rules);
    char fen[FEN_SIZE];

    fen_write(rules, &start, fen);
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:b, s:o}", "name", rules->name, "title",
                     rules->title, "rows", rules->rows, "squares", rules->squares, "men",
                     rules->men_each, "opener", colour_word(rules->opener), "start", fen, "levels",
                     slot->loaded && slot->artefact.levels.count > 0, "text", rules_text(rules));
}

static json_t *describe_level(const struct level *level)
{
    json_t *plays_by =
        level->nodes == 0 && level->depth == 0
            ? json_pack("{s:s}", "choice", "random legal move")
            : json_pack("{s:s, s:I, s:i, s:i}", "choice", "search", "nodes",
                        (json_int_t)level->nodes, "depth", level->depth, "noise", level->noise);
    return json_pack("{s:i, s:s, s:f, s:f, s:I, s:o}", "number", level->number, "name", level->name,
                     "elo", level->elo, "error", level->elo_error, "games",
                     (json_int_t)level->games, "plays_by", plays_by);
}

json_t *describe_levels(const struct artefact_slot *slot)
{
    const struct level_set *set = &slot->artefact.levels;
    json_t *levels = json_array();

    for (int i = 0; i < set->count; i++) {
        if (json_array_append_new(levels, describe_level(&set->level[i])) != 0) {
            json_decref(levels);
            return NULL;
        }
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "rules", slot->artefact.variant->rules->name, "model",
                     set->model, "weights", slot->weights_id, "levels", levels);
}

json_t *describe_squares(const struct rules *rules, bitboard set)
{
    json_t *squares = json_array();

    while (set != 0) {
        if (json_array_append_new(squares, json_integer(bit_to_square(rules, bit_pop(&set)))) !=
            0) {
            json_decref(squares);
            return NULL;
        }
    }
    return squares;
}

json_t *describe_outcome(const struct game *game)
{
    static const char *const RESULTS[] = {
        [OUTCOME_OPEN] = "open",
        [OUTCOME_WHITE_WINS] = "white wins",
        [OUTCOME_BLACK_WINS] = "black wins",
        [OUTCOME_DRAW] = "draw",
    };
    enum end_reason reason;
    enum outcome outcome = game_outcome(game, &reason);

    if (outcome == OUTCOME_OPEN) {
        return json_null();
    }
    return json_pack("{s:s, s:s}", "result", RESULTS[outcome], "reason", end_reason_name(reason));
}

/* One path: the squares landed on. */
static json_t *describe_path(const struct path *path)
{
    json_t *squares = json_array();

    for (int i = 0; i < PATH_SQUARES && path->square[i] != 0; i++) {
        if (json_array_append_new(squares, json_integer(path->square[i])) != 0) {
            json_decref(squares);
            return NULL;
        }
    }
    return squares;
}

/* A move's paths; takes what it lists off *left. */
static json_t *describe_paths(const struct game *game, const struct move *move, int *left)
{
    struct path paths[MOVE_PATHS_MAX];
    int limit = *left < MOVE_PATHS_MAX ? *left : MOVE_PATHS_MAX;
    int count = path_find(game->variant->rules, game_now(game), move, NULL, 0, paths, limit);
    json_t *list = json_array();

    *left -= count;
    for (int i = 0; i < count; i++) {
        if (json_array_append_new(list, describe_path(&paths[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *describe_move(const struct game *game, const struct move *move, int *paths_left)
{
    const struct rules *rules = game->variant->rules;
    char text[MOVE_TEXT];

    move_write(rules, move, text);
    return json_pack("{s:s, s:i, s:i, s:o, s:o}", "move", text, "from",
                     bit_to_square(rules, move->from), "to", bit_to_square(rules, move->to),
                     "captures", describe_squares(rules, move->taken), "paths",
                     describe_paths(game, move, paths_left));
}

static json_t *describe_move_list(const struct game *game)
{
    struct move_list list = {.count = 0};
    int paths_left = ANSWER_PATHS_MAX;
    json_t *moves = json_array();

    if (game_outcome(game, NULL) == OUTCOME_OPEN) {
        game->variant->moves(game_now(game), &list);
    }
    for (int i = 0; i < list.count; i++) {
        if (json_array_append_new(moves, describe_move(game, &list.move[i], &paths_left)) != 0) {
            json_decref(moves);
            return NULL;
        }
    }
    return moves;
}

json_t *describe_moves(const struct game *game)
{
    const struct rules *rules = game->variant->rules;
    char fen[FEN_SIZE];

    fen_write(rules, game_now(game), fen);
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:o, s:o}", "rules", rules->name, "fen", fen,
                     "turn", colour_word((enum colour)game_now(game)->turn), "ply", game->plies,
                     "quiet_plies", game_now(game)->quiet_plies, "outcome", describe_outcome(game),
                     "moves", describe_move_list(game));
}
