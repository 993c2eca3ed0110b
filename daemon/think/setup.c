/* From the members rules, fen and moves to a game. */
#include "daemon/think/setup.h"

#include <stdio.h>
#include <string.h>

#include "daemon/net/body.h"
#include "daemon/net/problem.h"
#include "daemon/think/describe.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"

static bool out_of_memory(struct response *refusal)
{
    *refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
    return false;
}

struct response setup_game_over(const struct game *game, const char *field, const char *detail)
{
    json_t *made = problem_make(PROBLEM_GAME_OVER, field, "%s", detail);

    if (made != NULL && json_object_set_new(made, "outcome", describe_outcome(game)) != 0) {
        json_decref(made);
        made = NULL;
    }
    return problem_response(PROBLEM_GAME_OVER, made);
}

/* Plays one more move, number `number` counted from 1, found at `field`. */
static bool play(struct game *game, const char *text, int number, const char *field,
                 struct response *refusal)
{
    struct err err;
    struct move move;

    if (number > SETUP_MOVES_MAX) {
        *refusal = problem(PROBLEM_BAD_FIELD, "/moves", "more than %d moves", SETUP_MOVES_MAX);
        return false;
    }
    if (game_outcome(game, NULL) != OUTCOME_OPEN) {
        char detail[64];
        snprintf(detail, sizeof detail, "the game is over before move %d", number);
        *refusal = setup_game_over(game, field, detail);
        return false;
    }
    if (!move_read(game->variant, game_now(game), text, &move, &err)) {
        *refusal = problem(PROBLEM_ILLEGAL_MOVE, field, "move %d: %s", number, err.text);
        return false;
    }
    return game_play(game, &move) || out_of_memory(refusal);
}

static bool play_array(struct game *game, const json_t *moves, struct response *refusal)
{
    char field[32];

    for (size_t i = 0; i < json_array_size(moves); i++) {
        const json_t *move = json_array_get(moves, i);
        snprintf(field, sizeof field, "/moves/%zu", i);
        if (!json_is_string(move)) {
            *refusal = problem(PROBLEM_BAD_FIELD, field, "move %zu is not a text", i + 1);
            return false;
        }
        if (!play(game, json_string_value(move), (int)i + 1, field, refusal)) {
            return false;
        }
    }
    return true;
}

static bool play_text(struct game *game, const char *moves, struct response *refusal)
{
    char text[MOVE_TEXT];

    for (int number = 1; *(moves += strspn(moves, " ")) != '\0'; number++) {
        size_t length = strcspn(moves, " ");
        if (length >= sizeof text) {
            *refusal = problem(PROBLEM_ILLEGAL_MOVE, "/moves", "move %d is too long", number);
            return false;
        }
        memcpy(text, moves, length);
        text[length] = '\0';
        if (!play(game, text, number, "/moves", refusal)) {
            return false;
        }
        moves += length;
    }
    return true;
}

static bool play_moves(struct game *game, const json_t *moves, struct response *refusal)
{
    if (moves == NULL) {
        return true;
    }
    if (json_is_array(moves)) {
        return play_array(game, moves, refusal);
    }
    if (json_is_string(moves)) {
        return play_text(game, json_string_value(moves), refusal);
    }
    *refusal = problem(PROBLEM_BAD_FIELD, "/moves", "neither an array of texts nor a text");
    return false;
}

/* Reads the position the moves start from. */
static bool read_start(const json_t *body, const struct rules *rules, struct position *start,
                       struct response *refusal)
{
    struct err err;
    const char *fen;
    int64_t quiet = 0;

    if (!body_text(body, "fen", false, &fen, refusal) ||
        !body_integer(body, "quiet_plies", false, 0, rules->quiet_plies_to_draw, &quiet, refusal)) {
        return false;
    }
    if (fen == NULL) {
        *start = position_start(rules);
    } else if (!fen_read(rules, fen, start, &err)) {
        *refusal = problem(PROBLEM_BAD_FEN, "/fen", "%s", err.text);
        return false;
    }
    start->quiet_plies = (uint8_t)quiet;
    return true;
}

bool setup_read(const json_t *body, struct game *game, struct response *refusal)
{
    struct err err;
    struct position start;
    const char *name;

    if (!body_text(body, "rules", true, &name, refusal)) {
        return false;
    }
    const struct variant *variant = variant_by_name(name, &err);
    if (variant == NULL) {
        *refusal = problem(PROBLEM_UNKNOWN_RULES, "/rules", "%s", err.text);
        return false;
    }
    if (!read_start(body, variant->rules, &start, refusal)) {
        return false;
    }
    if (!game_init(game, variant, &start)) {
        return out_of_memory(refusal);
    }
    if (!play_moves(game, json_object_get(body, "moves"), refusal)) {
        game_fini(game);
        return false;
    }
    return true;
}
