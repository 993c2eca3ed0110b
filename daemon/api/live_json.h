/* What a game's WebSocket says, as JSON texts. Each has a `type` and the `number` of the last event
 * that is stored of the game.
 *
 * The texts are from malloc; NULL when memory is out. */
#pragma once

#include "daemon/api/room.h"

/* The first message: {type: "snapshot", number, present, missed, game}. `missed` are the events
 * behind the one that the client knew, missed[count]; NULL: it named none, the member is null. */
char *live_snapshot(const struct room *room, int64_t person, const struct event *missed, int count);

/* An event just stored and applied: {type: "move", number, side, at, move, game}. */
char *live_event(const struct room *room, int64_t person, const struct event *event);

/* {type: "thinking", number, side}: the computer is to answer. */
char *live_thinking(const struct room *room);

/* {type: "over", number, outcome} */
char *live_over(const struct room *room);

/* {type: "presence", number, present: {white, black}} */
char *live_presence(const struct room *room);

/* {type: "rematch", number, side}: the player of a colour asks for one. Its id is not told: others
 * look on. */
char *live_rematch(const struct room *room, enum colour side);

/* {type: "problem", number, problem}: a refusal, whose body it is. */
char *live_problem(const struct room *room, const struct response *refusal);
