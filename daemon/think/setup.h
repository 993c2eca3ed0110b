/* The position a request is about: {rules, fen?, moves?} as a game played so far. */
#pragma once

#include "daemon/net/http.h"
#include "engine/rules/game.h"

enum { SETUP_MOVES_MAX = 2000 }; /* moves of one request */

/* Reads `rules`, `fen` (without it the opening position), `quiet_plies` (the counter of the 25-move
 * rule there, which a FEN does not have; 0 without it) and `moves` (an array of texts, or one text
 * with spaces between them) from a body. False with *refusal filled: unknown rule set, bad
 * FEN, a move that is not legal or comes after the end of the game, named by its number. On
 * success the caller game_finis *game. */
bool setup_read(const json_t *body, struct game *game, struct response *refusal);

/* The refusal of a game that is over, which tells its outcome. field as problem_make takes it. */
struct response setup_game_over(const struct game *game, const char *field, const char *detail);
