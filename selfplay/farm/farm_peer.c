/* Bookkeeping of what a rank holds. */
#include "selfplay/farm/farm_peer.h"

#include <assert.h>

void farm_peer_give(struct farm_peer *peer, const struct farm_task *task, bool first)
{
    assert(peer->held < FARM_QUEUE);
    peer->task[peer->held++] = *task;
    peer->busy = peer->busy || first;
}

bool farm_peer_return(struct farm_peer *peer, int64_t number)
{
    for (int i = 0; i < peer->held; i++) {
        if (peer->task[i].number == number) {
            peer->task[i] = peer->task[--peer->held];
            peer->busy = peer->busy && peer->held > 0;
            return true;
        }
    }
    return false;
}

int farm_peers_lost(const struct farm_peer *peer, int size, int *first)
{
    int lost = 0;
    *first = 0;
    for (int rank = size - 1; rank > 0; rank--) {
        if (peer[rank].lost) {
            lost++;
            *first = rank;
        }
    }
    return lost;
}
