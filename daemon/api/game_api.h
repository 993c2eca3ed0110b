/* The paths of hosted games: from a request to what is to be done for it. `id` is the game's. */
#pragma once

#include "daemon/api/api.h"

enum { GAME_WAIT_MAX = 60 }; /* seconds that a request may ask to wait */

/* Who asks for which game: fills answer->room and *who, and notes that they were heard of. False
 * with *answer filled: a token of nobody, no such game, the store fails, or it is just being made.
 */
bool game_enter(const struct api *api, const struct request *request, const char *id,
                struct answer *answer, struct identity *who);

/* Has the request wait for the change that is being stored, or give up. */
void game_await(const struct request *request, struct room *room, struct answer *answer);

/* Fills an answer with the change that makes a game of this setup for who asks; the id is fresh. */
void game_make(const struct api *api, const struct request *request, const struct identity *who,
               struct hosted_setup *setup, const char id[GAME_ID], struct answer *answer);

/* POST /v1/games */
struct answer game_post(const struct api *api, const struct request *request, const char *id);

struct answer game_get(const struct api *api, const struct request *request, const char *id);
struct answer game_get_pdn(const struct api *api, const struct request *request, const char *id);
struct answer game_post_move(const struct api *api, const struct request *request, const char *id);
struct answer game_post_undo(const struct api *api, const struct request *request, const char *id);
struct answer game_post_hint(const struct api *api, const struct request *request, const char *id);
struct answer game_post_resign(const struct api *api, const struct request *request,
                               const char *id);
struct answer game_post_draw(const struct api *api, const struct request *request, const char *id);
struct answer game_post_join(const struct api *api, const struct request *request, const char *id);
struct answer game_post_rematch(const struct api *api, const struct request *request,
                                const char *id);
struct answer game_post_claim(const struct api *api, const struct request *request, const char *id);

/* A change from malloc that stores an event as the game's next, and its end when it brings one.
 * NULL when memory is out. */
struct change *change_of_event(const struct room *room, const struct event *event, int64_t person);

/* The answer to a change that has been stored and applied, or could not be stored. */
struct response game_changed(const struct room *room, const struct change *change);
