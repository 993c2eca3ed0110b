/* What rank 0 of a farm knows of another rank, and another rank of rank 0. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "selfplay/farm/farm_tasks.h"

enum { FARM_QUEUE = 2 }; /* tasks a rank other than 0 holds, the one it works on included */

struct farm_peer {
    double heard; /* clock_seconds of its last message */
    bool left, lost;
    struct farm_task task[FARM_QUEUE]; /* that it holds; of rank 0 nothing is known */
    int held;
    bool busy; /* one of them went before the list */
};

/* Gives it a task; it must hold fewer than FARM_QUEUE. */
void farm_peer_give(struct farm_peer *peer, const struct farm_task *task, bool first);

/* Takes one back; false when it does not hold it. */
bool farm_peer_return(struct farm_peer *peer, int64_t number);

/* How many of peer[1..size) are lost, and the first of them. */
int farm_peers_lost(const struct farm_peer *peer, int size, int *first);
