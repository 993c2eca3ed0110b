/* RUN/metrics.prom: where a run stands, in Prometheus' text exposition format (version 0.0.4), for
 * the textfile collector of a cluster's node exporter. Replaced atomically whenever status.json
 * is. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/selfplay.h"
#include "selfplay/store/run_status.h"

/* Nothing is owned. */
struct metrics {
    const struct run_status *status;
    int64_t moment;                    /* seconds since 1970 */
    int64_t plies;                     /* of self-play under way, searched since its start */
    uint64_t nodes;                    /* the same */
    const struct selfplay_rank *ranks; /* [status->ranks] */
};

bool metrics_write(const char *directory, const struct metrics *metrics, struct err *err);
