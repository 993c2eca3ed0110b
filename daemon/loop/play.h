/* How hosted games go on: events are stored and applied, the computer thinks, those who wait are
 * told. On the event loop's thread. */
#pragma once

#include "daemon/loop/service.h"

/* Hands the change of an answer to the writer; the connection, if there is one, waits for it. False
 * when too much waits already: the change is gone, and the connection answered. */
bool play_store(struct service *service, struct connection *connection, struct answer *answer);

/* Has an event stored that nobody has asked for: the computer's, or the clock's. Nothing is done
 * when memory is out or too much waits already: it is decided again. */
void play_store_event(struct service *service, struct room *room, const struct event *event);

/* Has a connection wait for the next change of the answer's game, for as long as it says. */
void play_wait(struct connection *connection, const struct answer *answer);

/* Parts a connection from the game in which it waits, if any. */
void play_leave(struct connection *connection);

/* Starts the search that a game needs next, if it needs one and none runs. */
void play_go_on(struct service *service, struct room *room);

/* Takes the result of a search for a game. */
void play_searched(struct service *service, struct job *job);

/* Starts searches that found no place before. */
void play_retry(struct service *service);

/* Applies and answers what has been stored. */
void play_stored(struct service *service);

/* Handles the requests that wait in games again: the daemon shuts down. */
void play_wake_all(struct service *service);

/* Waits for what is still to be stored and lets go of all games. */
void play_end(struct service *service);
