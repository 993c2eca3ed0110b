/* Positions, moves and levels as JSON. */
#include "daemon/think/describe.h"

#include "daemon/think/rules_text.h"
#include "engine/board/path.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"

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

static const char *outcome_text(enum outcome outcome)
{
    static const char *const TEXTS[] = {
        [OUTCOME_OPEN] = "open",
        [OUTCOME_WHITE_WINS] = "white wins",
        [OUTCOME_BLACK_WINS] = "black wins",
        [OUTCOME_DRAW] = "draw",
    };

    return TEXTS[outcome];
}

json_t *describe_outcome(const struct game *game)
{
    enum end_reason reason;
    enum outcome outcome = game_outcome(game, &reason);

    if (outcome == OUTCOME_OPEN) {
        return json_null();
    }
    return json_pack("{s:s, s:s}", "result", outcome_text(outcome), "reason",
                     end_reason_name(reason));
}

static void write_squares(struct json_out *out, const struct rules *rules, bitboard set)
{
    out_open(out, '[');
    while (set != 0) {
        out_number(out, bit_to_square(rules, bit_pop(&set)));
    }
    out_close(out, ']');
}

/* A move's paths; takes what it lists off *left. */
static void write_paths(struct json_out *out, const struct game *game, const struct move *move,
                        int *left)
{
    struct path paths[MOVE_PATHS_MAX];
    int limit = *left < MOVE_PATHS_MAX ? *left : MOVE_PATHS_MAX;
    int count = path_find(game->variant->rules, game_now(game), move, NULL, 0, paths, limit);

    *left -= count;
    out_open(out, '[');
    for (int i = 0; i < count; i++) {
        out_open(out, '[');
        for (int k = 0; k < PATH_SQUARES && paths[i].square[k] != 0; k++) {
            out_number(out, paths[i].square[k]);
        }
        out_close(out, ']');
    }
    out_close(out, ']');
}

static void write_move(struct json_out *out, const struct game *game, const struct move *move,
                       int *paths_left)
{
    const struct rules *rules = game->variant->rules;
    char text[MOVE_TEXT];

    move_write(rules, move, text);
    out_open(out, '{');
    out_member_text(out, "move", text);
    out_member_number(out, "from", bit_to_square(rules, move->from));
    out_member_number(out, "to", bit_to_square(rules, move->to));
    out_key(out, "captures");
    write_squares(out, rules, move->taken);
    out_key(out, "paths");
    write_paths(out, game, move, paths_left);
    out_close(out, '}');
}

static void write_outcome(struct json_out *out, enum outcome outcome, enum end_reason reason)
{
    if (outcome == OUTCOME_OPEN) {
        out_null(out);
        return;
    }
    out_open(out, '{');
    out_member_text(out, "result", outcome_text(outcome));
    out_member_text(out, "reason", end_reason_name(reason));
    out_close(out, '}');
}

void describe_moves_out(const struct game *game, struct json_out *out)
{
    const struct rules *rules = game->variant->rules;
    const struct position *now = game_now(game);
    struct move_list list; /* not cleared as a whole: it is large */
    int paths_left = ANSWER_PATHS_MAX;
    char fen[FEN_SIZE];
    enum end_reason reason;
    enum outcome outcome = game_outcome(game, &reason);

    fen_write(rules, now, fen);
    out_open(out, '{');
    out_member_text(out, "rules", rules->name);
    out_member_text(out, "fen", fen);
    out_member_text(out, "turn", colour_word((enum colour)now->turn));
    out_member_number(out, "ply", game->plies);
    out_member_number(out, "quiet_plies", now->quiet_plies);
    out_key(out, "outcome");
    write_outcome(out, outcome, reason);
    list.count = 0;
    if (outcome == OUTCOME_OPEN) {
        game->variant->moves(now, &list);
    }
    out_key(out, "moves");
    out_open(out, '[');
    for (int i = 0; i < list.count; i++) {
        write_move(out, game, &list.move[i], &paths_left);
    }
    out_close(out, ']');
    out_close(out, '}');
}

json_t *describe_moves(const struct game *game)
{
    struct json_out out = out_begin(ANSWER_ROOM);

    describe_moves_out(game, &out);
    json_t *made = out.failed ? NULL : json_loadb(out.text, out.used, 0, NULL);
    out_fini(&out);
    return made;
}
