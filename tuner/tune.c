/* Sharing out the rows, loading, and telling what came of the fit; see tune.h. */
#include "tuner/tune.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/progress.h"
#include "selfplay/shard.h"

enum {
    SAMPLE = 32768,     /* rows aimed at for the curvature's sample */
    BATCH = 1 << 16,    /* rows between two looks at `stop` */
    PROGRESS_TEXT = 64, /* "fitting international" */
};

/* What the stage works with on one rank. */
struct stage {
    const struct comm *comm;
    struct stop *stop;
    const struct log *log; /* NULL on all ranks but the first */
    const struct variant *variant;
    struct dataset_filter filter;
    int64_t rows;        /* of all inputs */
    int64_t first, last; /* this rank's share of them */
    struct dataset dataset;
    struct progress progress;
    bool stopping; /* seen on this rank */
};

static bool stopping(void *context)
{
    struct stage *stage = context;
    stage->stopping = stage->stopping || stop_requested(stage->stop);
    return stage->stopping;
}

static void sum(void *context, int64_t *values, size_t count)
{
    struct stage *stage = context;
    comm_sum(stage->comm, values, count);
}

/* a * b / c without overflow for any row count. */
static int64_t share(int64_t a, int b, int c)
{
    return a / c * b + a % c * b / c;
}

/* Adds rows[first..last) in batches, with progress. `before`: rows of this rank's share that are
 * done already. */
static bool add_rows(struct stage *stage, const struct dataset_source *source,
                     const struct shard_row *rows, int64_t first, int64_t last, int64_t before,
                     struct err *err)
{
    for (int64_t row = first; row < last && !stopping(stage); row += BATCH) {
        int64_t end = last - row < BATCH ? last : row + BATCH;
        if (!dataset_add(&stage->dataset, &stage->filter, source, rows, (size_t)row, (size_t)end,
                         err)) {
            return false;
        }
        int64_t done = before + end - first;
        progress_update(&stage->progress, done * stage->comm->size);
    }
    return true;
}

/* Adds the part of one shard that lies in this rank's share; its rows are numbers offset,
 * offset + 1 ... of all rows. */
static bool load_shard(struct stage *stage, const struct tune_input *input, int64_t offset,
                       struct err *err)
{
    int64_t first = stage->first > offset ? stage->first : offset;
    int64_t last = stage->last < offset + input->rows ? stage->last : offset + input->rows;
    struct shard_info info;
    struct shard_row *rows;

    if (first >= last || stopping(stage)) {
        return true;
    }
    if (!shard_read(input->path, stage->variant, &info, &rows, err)) {
        return false;
    }
    struct dataset_source source = {.info = &info, .weights = input->weights};
    bool ok;
    if (info.rows != input->rows) {
        ok = err_set(err, ERR_USAGE, "%s: holds %" PRId64 " rows, the catalogue says %" PRId64,
                     input->path, info.rows, input->rows);
    } else if (!add_rows(stage, &source, rows, first - offset, last - offset, first - stage->first,
                         err)) {
        ok = err_prefix(err, "%s", input->path);
    } else {
        ok = true;
    }
    free(rows);
    return ok;
}

/* Loads this rank's share. Collective: false on every rank when one failed; *stopped the same on
 * every rank. */
static bool load(struct stage *stage, const struct tune_input *inputs, size_t count, bool *stopped,
                 struct err *err)
{
    char what[PROGRESS_TEXT];
    bool ok = true;
    int64_t offset = 0;

    snprintf(what, sizeof what, "loading %s", stage->variant->rules->name);
    stage->progress = progress_start(stage->log, what, "rows", stage->rows, 0);
    for (size_t k = 0; ok && k < count; k++) {
        ok = load_shard(stage, &inputs[k], offset, err);
        offset += inputs[k].rows;
    }
    ok = comm_agree(stage->comm, ok, err);
    *stopped = comm_max(stage->comm, stage->stopping) > 0;
    progress_end(&stage->progress, ok && !*stopped ? stage->rows : 0);
    dataset_trim(&stage->dataset);
    return ok;
}

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
    struct objective_team team = {.context = stage, .sum = sum, .stopping = stopping};
    struct fit_watch watch = {.context = stage, .point = point};

    weights_builtin(stage->variant->rules, &start);
    snprintf(what, sizeof what, "fitting %s", stage->variant->rules->name);
    stage->progress = progress_start(stage->log, what, "passes", 0, 0);
    bool ok = fit_run(&stage->dataset, &start, &settings->fit, &team, &watch, result, stopped, err);
    progress_end(&stage->progress, result->passes);
    return ok || *stopped;
}

static void log_data(const struct stage *stage)
{
    const struct dataset_counts *counts = &stage->dataset.counts;
    log_line(stage->log, LOG_DEBUG,
             "rank 0: %" PRId64 " rows, %" PRId64 " kept in %.1f MB; dropped: %" PRId64
             " opening, %" PRId64 " not quiet, %" PRId64 " hidden shots",
             counts->rows, counts->fates[DATASET_KEPT],
             (double)dataset_bytes(&stage->dataset) / 1e6, counts->fates[DATASET_OPENING],
             counts->fates[DATASET_NOT_QUIET], counts->fates[DATASET_SHOT]);
}

static void log_result(const struct stage *stage, const struct fit_result *result)
{
    const struct dataset_counts *totals = &result->totals;
    const char *name = stage->variant->rules->name;
    log_line(stage->log, LOG_INFO,
             "tune %s: loss %.5f -> %.5f on %" PRId64 " held-out games (%.5f -> %.5f on %" PRId64
             " training positions)",
             name, result->loss_before[DATASET_HELD_OUT], result->loss_after[DATASET_HELD_OUT],
             totals->games[DATASET_HELD_OUT], result->loss_before[DATASET_TRAIN],
             result->loss_after[DATASET_TRAIN], totals->positions[DATASET_TRAIN]);
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
                const struct tune_input *inputs, size_t count, struct fit_result *result,
                bool *stopped, struct err *err)
{
    struct stage stage = {
        .comm = comm,
        .stop = stop,
        .log = comm->rank == 0 ? log : NULL,
        .variant = variant,
        .filter = {.margin = settings->margin,
                   .holdout = settings->holdout,
                   .sampling = 65536,
                   .patterns = settings->fit.windows != NULL},
    };
    for (size_t k = 0; k < count; k++) {
        stage.rows += inputs[k].rows;
    }
    if (stage.rows > SAMPLE) {
        stage.filter.sampling = (uint32_t)((int64_t)65536 * SAMPLE / stage.rows) + 1;
    }
    stage.first = share(stage.rows, comm->rank, comm->size);
    stage.last = share(stage.rows, comm->rank + 1, comm->size);
    dataset_init(&stage.dataset, variant);
    bool ok = load(&stage, inputs, count, stopped, err);
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
