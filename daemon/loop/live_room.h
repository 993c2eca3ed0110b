/* The WebSockets of a hosted game: who comes is shown the game, whoever is there is told what
 * happens, what they send are moves. On the event loop's thread. */
#pragma once

#include "daemon/loop/service.h"

/* Puts a WebSocket into the room that an answer names, and shows it the game. */
void live_room_enter(struct live *live, const struct answer *answer);

/* Takes it out. */
void live_room_leave(struct live *live);

/* Takes a message that it has sent. */
void live_room_message(struct live *live, bool text, const char *data, size_t size);

/* Takes messages that wait, in their turn. */
void live_room_turn(struct live *live);

/* Tells a game's WebSockets of a change that has been stored and applied, or could not be stored;
 * then takes the messages that have waited for it. */
void live_changed(struct service *service, struct room *room, const struct change *change);
