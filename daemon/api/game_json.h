/* A hosted game as clients see it. */
#pragma once

#include "daemon/api/room.h"

/* All that is needed to draw the game and to go on with it, for a person (NOBODY: a spectator). A
 * member `token` is added unless token is NULL. */
struct response game_state(const struct room *room, int64_t person, int status, const char *token);

/* The same as JSON; NULL when memory is out. */
json_t *game_describe(const struct room *room, int64_t person, const char *token);

/* {result, reason}, or null while the game is open. */
json_t *game_outcome_json(const struct hosted *hosted);

/* The state's ETag. */
void game_etag(const struct room *room, int64_t person, char out[ETAG_SIZE]);

/* The record as PDN. */
struct response game_pdn(const struct room *room);
