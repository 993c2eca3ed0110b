/* A game: playing on, taking back, and the rules by which it ends. */
#include "engine/rules/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/rules/notation.h"

enum { FIRST_CAPACITY = 64 };

const char *end_reason_name(enum end_reason reason)
{
    static const char *const NAMES[] = {
        [END_NONE] = "open",          [END_NO_PIECES] = "no pieces",
        [END_NO_MOVES] = "no moves",  [END_REPETITION] = "repetition",
        [END_QUIET] = "25-move rule",
    };
    return NAMES[reason];
}

/* Room for `plies` plies. */
static bool game_reserve(struct game *game, int plies)
{
    if (plies <= game->capacity) {
        return true;
    }

    int capacity = game->capacity ? 2 * game->capacity : FIRST_CAPACITY;
    capacity = capacity > plies ? capacity : plies;
    size_t count = (size_t)capacity;
    struct position *positions = realloc(game->positions, (count + 1) * sizeof *positions);
    if (positions) {
        game->positions = positions;
    }
    uint64_t *keys = realloc(game->keys, (count + 1) * sizeof *keys);
    if (keys) {
        game->keys = keys;
    }
    struct move *moves = realloc(game->moves, count * sizeof *moves);
    if (moves) {
        game->moves = moves;
    }
    if (!positions || !keys || !moves) {
        return false;
    }
    game->capacity = capacity;
    return true;
}

bool game_init(struct game *game, const struct variant *variant, const struct position *start)
{
    *game = (struct game){.variant = variant};
    if (!game_reserve(game, 1)) {
        game_fini(game);
        return false;
    }
    game->positions[0] = *start;
    game->keys[0] = position_key(start);
    return true;
}

void game_fini(struct game *game)
{
    free(game->positions);
    free(game->keys);
    free(game->moves);
    *game = (struct game){0};
}

bool game_copy(struct game *copy, const struct game *game)
{
    size_t plies = (size_t)game->plies;

    *copy = (struct game){.variant = game->variant};
    if (!game_reserve(copy, game->plies > 0 ? game->plies : 1)) {
        game_fini(copy);
        return false;
    }
    memcpy(copy->positions, game->positions, (plies + 1) * sizeof *copy->positions);
    memcpy(copy->keys, game->keys, (plies + 1) * sizeof *copy->keys);
    if (plies > 0) {
        memcpy(copy->moves, game->moves, plies * sizeof *copy->moves);
    }
    copy->plies = game->plies;
    return true;
}

bool game_play(struct game *game, const struct move *move)
{
    if (!game_reserve(game, game->plies + 1)) {
        return false;
    }

    struct position next = position_after(game->variant->rules, game_now(game), move);
    game->moves[game->plies] = *move;
    game->plies++;
    game->positions[game->plies] = next;
    game->keys[game->plies] = position_key(&next);
    return true;
}

void game_take_back(struct game *game)
{
    assert(game->plies > 0);
    game->plies--;
}

int game_repetitions(const struct game *game)
{
    const struct position *now = game_now(game);
    int first = game->plies - now->quiet_plies;
    int count = 1;

    /* A capture or a move of a man cannot be undone, so no earlier position can come back. */
    for (int ply = game->plies - 2; ply >= 0 && ply >= first; ply -= 2) {
        count += position_equal(&game->positions[ply], now);
    }
    return count;
}

enum outcome game_outcome(const struct game *game, enum end_reason *reason)
{
    const struct rules *rules = game->variant->rules;
    const struct position *now = game_now(game);
    enum colour us = (enum colour)now->turn;
    enum end_reason why = END_NONE;
    enum outcome outcome = OUTCOME_OPEN;

    if (!pieces_of(now, us)) {
        why = END_NO_PIECES;
    } else if (game->variant->count_moves(now) == 0) {
        why = END_NO_MOVES;
    } else if (game_repetitions(game) >= rules->repetitions_to_draw) {
        why = END_REPETITION;
    } else if (now->quiet_plies >= rules->quiet_plies_to_draw) {
        why = END_QUIET;
    }

    if (why == END_NO_PIECES || why == END_NO_MOVES) {
        outcome = us == WHITE ? OUTCOME_BLACK_WINS : OUTCOME_WHITE_WINS;
    } else if (why != END_NONE) {
        outcome = OUTCOME_DRAW;
    }
    if (reason) {
        *reason = why;
    }
    return outcome;
}

bool game_play_text(struct game *game, const char *moves, struct err *err)
{
    static const char SPACES[] = " \t\r\n";

    for (int number = 1;; number++) {
        moves += strspn(moves, SPACES);
        size_t length = strcspn(moves, SPACES);
        if (length == 0) {
            return true;
        }

        char text[MOVE_TEXT];
        struct move move;
        if (length >= sizeof text) {
            return err_set(err, ERR_USAGE, "move %d: %zu characters are no move", number, length);
        }
        memcpy(text, moves, length);
        text[length] = '\0';
        if (!move_read(game->variant, game_now(game), text, &move, err)) {
            return err_prefix(err, "move %d", number);
        }
        if (!game_play(game, &move)) {
            return err_set(err, ERR_FAILED, "out of memory after %d moves", number - 1);
        }
        moves += length;
    }
}
