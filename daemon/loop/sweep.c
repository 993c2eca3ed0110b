/* Expiry and retention. */
#include "daemon/loop/sweep.h"

#include <stdlib.h>
#include <time.h>

#include "daemon/api/game_api.h"
#include "daemon/game/decide.h"
#include "daemon/loop/live.h"
#include "daemon/loop/play.h"
#include "daemon/store/store_sweep.h"

static const double INTERVAL = 60.0; /* seconds at most */

double sweep_interval(const struct service *service)
{
    double quarter = (double)service->expire_patience / 4.0;

    return quarter < INTERVAL ? quarter : INTERVAL;
}

/* Ends a game in which nothing has happened for too long. */
static void expire(struct service *service, const char *id, int64_t now)
{
    struct room *room;
    struct err err;

    if (!rooms_find(&service->rooms, id, service->artefacts, &room, &err)) {
        log_line(service->log, LOG_ERROR, "%s", err.text);
        return;
    }
    if (room == NULL || room->change != NULL) {
        return;
    }
    struct verdict verdict = decide_expire(&room->hosted, now, service->expire_patience);
    if (verdict.kind == VERDICT_EVENT) {
        play_store_event(service, room, &verdict.event);
    }
}

/* Has what need not be kept deleted; the weights that are served stay. */
static void clean(struct service *service, const struct retention *retention, int64_t now)
{
    struct change *change = calloc(1, sizeof *change);

    if (change == NULL) {
        return;
    }
    *change = (struct change){.parts = CHANGE_SWEEP | CHANGE_WEIGHTS,
                              .at = now,
                              .artefacts = artefacts_hold(service->artefacts)};
    change->sweep.games = retention->games > 0 ? now - retention->games : INT64_MIN;
    change->sweep.guests = retention->guests > 0 ? now - retention->guests : INT64_MIN;
    if (!writer_submit(service->writer, change)) {
        change_destroy(change);
    }
}

void sweep(struct service *service, const struct retention *retention)
{
    const int64_t now = (int64_t)time(NULL);
    char ids[SWEEP_GAMES][GAME_ID];
    struct err err;
    int count;

    if (!store_idle_games(service->rooms.store, now - service->expire_patience, ids, &count,
                          &err)) {
        log_line(service->log, LOG_ERROR, "%s", err.text);
        return;
    }
    for (int i = 0; i < count; i++) {
        expire(service, ids[i], now);
    }
    clean(service, retention, now);
    live_check_sessions(service, now);
}
