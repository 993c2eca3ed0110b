/* Where a run stands at this moment: status.json in its directory, for people and programs that
 * watch. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"

struct run_status {
    const char *state; /* "running", "finished", "interrupted", "failed" */
    const char *rules, *stage;
    int generation;
    int64_t done, total; /* of the stage's unit */
    const char *unit;    /* "games", "pairs" */
    double rate;         /* units a second since this start; 0: not known */
    const char *reason;  /* of "failed", one line; NULL: none */

    /* Self-play alone; 0 ranks in other stages. */
    int ranks;
    int64_t games_least, games_most; /* that a rank has finished since this start */
    double busy_least, busy_most;    /* percent of its time that a rank has spent on games */
    double outside;                  /* percent of all ranks' time spent outside the search */
};

/* Replaces status.json, atomically; on a disk that is full it is written over in place. */
bool run_write_status(const char *directory, const struct run_status *status, struct err *err);

/* What status.json says, its texts in `words`. ERR_USAGE when there is none or it is damaged. */
struct run_words {
    char state[32], moment[32], rules[32], stage[32], unit[32], reason[ERR_TEXT];
};
bool run_read_status(const char *directory, struct run_status *status, struct run_words *words,
                     struct err *err);
