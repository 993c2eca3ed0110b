/* The engine's values as the JSON that clients see. All functions return NULL when memory is out,
 * and json_pack takes that NULL for a failure of the whole. */
#pragma once

#include <jansson.h>

#include "daemon/net/json_out.h"
#include "daemon/think/artefacts.h"
#include "engine/rules/game.h"

/* {name, title, rows, squares, men, opener, start, text: [sentences], levels: whether measured} */
json_t *describe_rules(const struct artefact_slot *slot, const struct variant *variant);

/* {rules, model, weights, levels: [{number, name, elo, error, games, plays_by: {...}}]} */
json_t *describe_levels(const struct artefact_slot *slot);

/* "white" or "black". */
const char *colour_word(enum colour colour);

/* The squares of a set, ascending. */
json_t *describe_squares(const struct rules *rules, bitboard set);

/* null while the game is open, else {result, reason}: "white wins", "black wins" or "draw". */
json_t *describe_outcome(const struct game *game);

/* {rules, fen, turn, ply, quiet_plies, outcome, moves: [{move, from, to, captures, paths}]}; no
 * moves when the game is over. */
json_t *describe_moves(const struct game *game);

/* The same as text, which is many times as quick. */
enum { ANSWER_ROOM = 2048 }; /* bytes that most of them take */
void describe_moves_out(const struct game *game, struct json_out *out);
