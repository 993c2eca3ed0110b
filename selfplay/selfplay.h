/* The self-play stage: a number of games of one rule set and generation, played on all ranks,
 * stored as they finish (selfplay/game_store.h); resumable at any instant. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/log.h"
#include "engine/variant.h"
#include "selfplay/comm.h"
#include "selfplay/opening.h"
#include "selfplay/play.h"
#include "selfplay/sharding.h"
#include "selfplay/stop.h"

/* All that decides the games, but for the rule set and the weights, and how they are kept. */
struct selfplay_settings {
    uint64_t seed;
    int generation;
    int64_t first, end; /* games first..end - 1 */
    uint64_t nodes;     /* a move; 0: none */
    int depth;          /* 0: none; one of the two limits must be set */
    int noise;          /* search_limits.noise, hundredths of a man */
    int table_bits;     /* of the transposition table, cleared before each game */
    struct opening_settings opening;
    int64_t shard_rows;  /* at most, a shard; 0: no shards are made */
    double sync_seconds; /* journal fsync */
    double silence;      /* of a rank that is lost, as in struct farm */
};

/* Told on rank 0 while games are played, at most once a second (for status.json). */
struct selfplay_watch {
    void (*progress)(void *context, int64_t done, int64_t total, double games_a_second);
    bool (*shard)(void *context, const struct shard_entry *entry, struct err *err);
    void *context; /* for both; either may be NULL */
};

/* The same on every rank. */
struct selfplay_result {
    struct sharding_result data; /* of all games of the stage; zero when stopped */
    bool stopped;                /* cut short by a signal; call again to go on */
    int64_t found, played;       /* games there before; games finished by this call */
    int64_t plies;               /* searched by this call, given-up games not counted */
    uint64_t nodes;              /* the same */
    double seconds;              /* of playing, by the clock of rank 0 */
    double search_seconds;       /* summed over ranks: spent inside the search */
};

/* "classic-g0": what the files of a stage are named by. */
void selfplay_name(char out[GAMES_NAME], const struct variant *variant, int generation);

/* One game as every rank would play it: it depends on settings, rule set, weights and number alone.
 * `search` was made with those weights and settings->table_bits; its table is cleared first. The
 * rest as for play_game. */
bool selfplay_game(const struct selfplay_settings *settings, const struct variant *variant,
                   struct search *search, int64_t number, const struct play_watch *watch,
                   struct record *record, struct play_cost *cost, struct err *err);

/* What decides the games of a stage, as the first entry of every file of them says it. */
void selfplay_about(const struct selfplay_settings *settings, const struct variant *variant,
                    const struct weights *weights, char out[JOURNAL_ABOUT_MAX]);

/* Collective; all arguments the same on every rank but watch (rank 0's counts; may be NULL) and
 * log. `directory` is the run's. ERR_USAGE: the directory holds games of this stage made with
 * other settings. ERR_FAILED: the disk is full or not writable; finished games are kept. */
bool selfplay_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                    const char *directory, const struct selfplay_settings *settings,
                    const struct variant *variant, const struct weights *weights,
                    const struct selfplay_watch *watch, struct selfplay_result *result,
                    struct err *err);
