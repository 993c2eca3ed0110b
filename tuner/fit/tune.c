/* Loading, fitting, and telling what came of it; see tune.h. */
#include "tuner/fit/tune.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/base/progress.h"

enum { PROGRESS_TEXT = 64 }; /* "fitting international" */

/* What the stage works with on one rank. */
struct stage {
    struct comm_team *ranks;
    const struct log *log; /* NULL on all ranks but the first */
    const struct variant *variant;
    struct dataset dataset;
    struct progress progress;
};

static void point(void *context, const struct fit_point *now)
{
    struct stage *stage = context;
    progress_update(&stage->progress, now->pass);
    log_line(stage->log, LOG_DEBUG, "pass %d: loss %.6f training, %.6f held out", now->pass,
             now->loss[DATASET_TRAIN], now->loss[DATASET_HELD_OUT]);
}

static bool fit(struct stage *stage, const struct tune_settings *settings,
                struct fit_result *result, bool *stopped, struct err *err)
{
    char what[PROGRESS_TEXT];
    struct weights start;
    struct team team = comm_team(stage->ranks);
    struct checkpoint checkpoint = {settings->checkpoint, settings->checkpoint_seconds, 0};
    struct fit_watch watch = {.context = stage, .point = point};

    weights_builtin(stage->variant->rules, &start);
    snprintf(what, sizeof what, "fitting %s", stage->variant->rules->name);
    stage->progress = progress_start(stage->log, what, "passes", 0, 0);
    bool ok = fit_run(&stage->dataset, &start, &settings->fit, &team, &watch,
                      settings->checkpoint ? &checkpoint : NULL, result, stopped, err);
    progress_end(&stage->progress, result->passes);
    return ok || *stopped;
}

static void log_data(const struct stage *stage)
{
    const struct dataset_counts *counts = &stage->dataset.counts;
    int64_t kept = counts->fates[DATASET_KEPT];
    int64_t positions = counts->positions[DATASET_TRAIN] + counts->positions[DATASET_HELD_OUT];
    log_line(stage->log, LOG_DEBUG,
             "rank 0: %" PRId64 " rows, %" PRId64 " kept; dropped: %" PRId64 " opening, %" PRId64
             " not quiet, %" PRId64 " held by a king, %" PRId64 " hidden shots, %" PRId64
             " beyond a game's share",
             counts->rows, kept, counts->fates[DATASET_OPENING], counts->fates[DATASET_NOT_QUIET],
             counts->fates[DATASET_HELD], counts->fates[DATASET_SHOT],
             counts->fates[DATASET_SURPLUS]);
    log_line(stage->log, LOG_DEBUG, "rank 0: %" PRId64 " positions in %.1f MB", positions,
             (double)dataset_bytes(&stage->dataset) / 1e6);
}

static void log_result(const struct stage *stage, const struct fit_result *result)
{
    const struct dataset_counts *totals = &result->totals;
    const char *name = stage->variant->rules->name;
    int64_t kept = totals->results[DATASET_TRAIN][0] + totals->results[DATASET_TRAIN][1] +
                   totals->results[DATASET_TRAIN][2];
    if (kept > totals->positions[DATASET_TRAIN]) {
        log_line(stage->log, LOG_INFO,
                 "tune %s: %" PRId64 " training positions are %" PRId64 " different ones", name,
                 kept, totals->positions[DATASET_TRAIN]);
    }
    if (stage->dataset.score_scale > 0) {
        log_line(stage->log, LOG_INFO, "tune %s: K of the search's scores %.4f", name,
                 stage->dataset.score_scale);
    }
    log_line(stage->log, LOG_INFO,
             "tune %s: loss %.5f -> %.5f on %" PRId64 " held-out games (%.5f -> %.5f on %" PRId64
             " training positions)",
             name, result->loss_before[DATASET_HELD_OUT], result->loss_after[DATASET_HELD_OUT],
             totals->games[DATASET_HELD_OUT], result->loss_before[DATASET_TRAIN],
             result->loss_after[DATASET_TRAIN], totals->positions[DATASET_TRAIN]);
    if (result->resumed > 0) {
        log_line(stage->log, LOG_INFO, "tune %s: went on at pass %d", name, result->resumed);
    }
    if (result->patterns > 0) {
        const struct pattern_table *table = result->weights.patterns;
        log_line(stage->log, LOG_INFO, "tune %s: %d of %d patterns of %s fitted", name,
                 result->patterns, table->count, table->set->name);
    }
    log_line(stage->log, LOG_INFO, "tune %s: K %.4f -> %.4f, %d passes, %s", name,
             result->scale_before, result->scale, result->passes, lbfgs_stop_text(result->stop));
}

bool tune_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                const struct variant *variant, const struct tune_settings *settings,
                const struct load_input *inputs, size_t count, struct fit_result *result,
                bool *stopped, struct err *err)
{
    struct comm_team ranks = {.comm = comm, .stop = stop};
    struct stage stage = {.ranks = &ranks, .log = comm->rank == 0 ? log : NULL, .variant = variant};
    bool ok = load_dataset(&ranks, log, variant, &settings->filter, inputs, count, &stage.dataset,
                           stopped, err);
    if (ok && !*stopped) {
        log_data(&stage);
        ok = fit(&stage, settings, result, stopped, err);
    }
    if (ok && !*stopped) {
        log_result(&stage, result);
    }
    dataset_fini(&stage.dataset);
    return ok;
}
