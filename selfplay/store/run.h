/* The directory of a run: where things lie, who may write, and the settings it was begun with.
 *
 *     run.db          the catalogue (selfplay/store/catalogue.h)
 *     config.ini      the settings as used
 *     shards/         positions, one HDF5 file a shard
 *     journal/ games/ finished games (selfplay/store/games.h)
 *     weights/        RULES-G.h5: the weights that generation G was tuned to
 *     RULES.h5        the newest weights with measured levels
 *     status.json     where the run stands (selfplay/store/run_status.h)
 *     report.html     written on request
 *     lock            host, process and job of the program that works on it (selfplay/store/lock.h)
 *
 * Rank 0 alone opens a run; the other ranks only make paths. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/file.h"
#include "engine/rules/variant.h"
#include "selfplay/game/hash.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/store/lock.h"

struct run {
    char directory[FILE_PATH];
    char configuration[HASH_TEXT]; /* hash of config.ini as used, 16 hex digits */
    struct lock lock;
};

/* What a run is played by. */
struct run_settings {
    const char *text;             /* of options_dump */
    const char *initial;          /* the same of the defaults: what older runs did not write down */
    const char *const *free_keys; /* what may change: keys ("run.generations"), sections
                                     ("match."), families of them ("player_"); ended by NULL */
};

/* Makes the directory with what belongs in it, takes the lock, and compares the settings with
 * config.ini. A first start writes config.ini. A later start with other values is refused with
 * ERR_USAGE and the differences, but for the free keys: with those alone changed config.ini is
 * replaced. ERR_FAILED with host and process when another program holds the lock; a lock left by a
 * dead process of this host is taken over. On failure nothing is held. */
bool run_open(struct run *run, const char *directory, const struct run_settings *settings,
              const struct log *log, struct err *err);

/* Whether a run was begun with these settings: ERR_USAGE lists the differences. */
bool run_compare(const char *directory, const struct run_settings *settings, struct err *err);

/* Gives the lock back. A run that was not opened is fine. */
void run_close(struct run *run);

/* Paths within a run directory; of RULES.h5: artefact_path, of games: selfplay/store/games.h. */
bool run_settings_path(char out[FILE_PATH], const char *directory, struct err *err);
bool run_catalogue_path(char out[FILE_PATH], const char *directory, struct err *err);
bool run_shard_path(char out[FILE_PATH], const char *directory, const char *name, struct err *err);
bool run_weights_path(char out[FILE_PATH], const char *directory, const struct variant *variant,
                      int generation, struct err *err);

/* The catalogue of a run, for reading, whoever works on the run. NULL with ERR_USAGE when the
 * directory is no run. The caller closes it. */
struct catalogue *run_catalogue(const char *directory, struct err *err);
