/* Progress of long work: a bar with rate and time left on a terminal, else a plain line now and
 * then. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/log.h"

struct progress {
    const struct log *log; /* not owned; NULL or a quiet log shows nothing */
    const char *what;      /* "self-play international"; not owned */
    const char *unit;      /* "games"; not owned */
    int64_t total;         /* 0 when not known */
    int64_t done_before;   /* work found done at the start: counted in the bar, not in the rate */
    double started, shown; /* clock_seconds */
    bool terminal;
};

/* Starts showing. On a terminal the bar is redrawn at most ten times a second; elsewhere a line is
 * written at most every ten seconds. */
struct progress progress_start(const struct log *log, const char *what, const char *unit,
                               int64_t total, int64_t done_before);

/* `done` counts from zero, work found done included. */
void progress_update(struct progress *progress, int64_t done);

/* Clears the bar and writes one closing line: what, done, time taken, rate. */
void progress_end(struct progress *progress, int64_t done);
