/* What the files of live.h and live_room.h share. */
#pragma once

#include "daemon/api/room.h"
#include "daemon/loop/live.h"
#include "daemon/loop/service.h"
#include "daemon/net/websocket.h"

/* A message that waits until the game is free for a change. */
struct live_message {
    struct live_message *next;
    size_t size;
    char data[];
};

struct live {
    struct service *service;
    struct connection *connection;
    struct websocket *socket;
    struct live *previous, *next; /* of all */
    /* Of a game's; an echo has no room. */
    struct room *room;
    struct identity who;
    struct live *next_in_room;
    struct live_message *first, **last; /* what waits */
    int waiting;
};
