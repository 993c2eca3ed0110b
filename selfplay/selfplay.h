/* The self-play stage: a number of games of one rule set and generation, played on all ranks,
 * stored as they finish (selfplay/store/game_store.h); resumable at any instant. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "selfplay/census.h"
#include "selfplay/farm/comm.h"
#include "selfplay/farm/stop.h"
#include "selfplay/selfplay_game.h"
#include "selfplay/store/game_store.h"

/* What a rank has done. */
struct selfplay_rank {
    int64_t games;
    double busy_seconds;   /* in games, their storing included */
    double search_seconds; /* of these, inside the search */
};

/* Where the playing stands, on rank 0. */
struct selfplay_standing {
    int64_t done, total; /* games, those found at the start included */
    int64_t plies;       /* searched since the start */
    uint64_t nodes;      /* the same */
    double seconds;      /* since the start */
    double games_a_second;
    int ranks;
    const struct selfplay_rank *rank; /* [ranks] */
};

/* Told on rank 0 while games are played, at most once a second, and when that ends. */
struct selfplay_watch {
    void (*progress)(void *context, const struct selfplay_standing *standing);
    bool (*shard)(void *context, const struct shard_entry *entry, struct err *err);
    void *context; /* for both; either may be NULL */
};

/* The same on every rank. */
struct selfplay_result {
    struct game_store_result data; /* of all games of the stage; zero when stopped */
    struct census_figures census;  /* the same */
    bool stopped;                  /* cut short by a signal; call again to go on */
    int64_t found, played;         /* games there before; games finished by this call */
    int64_t plies;                 /* searched by this call, given-up games not counted */
    uint64_t nodes;                /* the same */
    double seconds;                /* of playing, by the clock of rank 0 */
    double busy_seconds;           /* summed over ranks: in games, their storing included */
    double search_seconds;         /* of these, inside the search */
    double busy_least;             /* of the rank that was busy for the shortest time */
};

/* Collective; all arguments the same on every rank but watch (rank 0's counts; may be NULL) and
 * log. Random openings are planned so that no two are alike, for which source->plan is not asked.
 * `directory` is the run's. ERR_USAGE: the directory holds games of this stage made with other
 * settings; there are not enough different openings (settings->repeats: these will do). ERR_FAILED:
 * the disk is full or not writable; finished games are kept. */
bool selfplay_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                    const char *directory, const struct selfplay_settings *settings,
                    const struct selfplay_source *source, const struct selfplay_watch *watch,
                    struct selfplay_result *result, struct err *err);
