/* metrics.prom, a family of samples after the other. */
#include "tuner/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"

static const char METRICS_NAME[] = "metrics.prom";

static void begin(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP draughts_train_%s %s\n# TYPE draughts_train_%s %s\n", name, help, name,
            type);
}

/* The beginning of a sample up to its labels, which stay open for more. */
static void sample(FILE *out, const char *name, const struct run_status *status)
{
    fprintf(out, "draughts_train_%s{rules=\"%s\",generation=\"%d\",stage=\"%s\"", name,
            status->rules, status->generation, status->stage);
}

static void put_stage(FILE *out, const struct run_status *status)
{
    begin(out, "stage_done", "gauge", "Work of the stage that is done.");
    sample(out, "stage_done", status);
    fprintf(out, ",unit=\"%s\"} %" PRId64 "\n", status->unit, status->done);
    begin(out, "stage_wanted", "gauge", "Work of the stage in all; 0: not known.");
    sample(out, "stage_wanted", status);
    fprintf(out, ",unit=\"%s\"} %" PRId64 "\n", status->unit, status->total);
    begin(out, "stage_rate", "gauge", "Work a second since this start.");
    sample(out, "stage_rate", status);
    fprintf(out, ",unit=\"%s\"} %.3f\n", status->unit, status->rate);
}

static void put_sums(FILE *out, const struct metrics *metrics)
{
    begin(out, "positions_total", "counter", "Positions searched in self-play since this start.");
    sample(out, "positions_total", metrics->status);
    fprintf(out, "} %" PRId64 "\n", metrics->plies);
    begin(out, "nodes_total", "counter", "Search nodes of self-play since this start.");
    sample(out, "nodes_total", metrics->status);
    fprintf(out, "} %" PRIu64 "\n", metrics->nodes);
}

static void put_ranks(FILE *out, const struct metrics *metrics)
{
    const struct run_status *status = metrics->status;

    begin(out, "rank_games_total", "counter", "Games that a rank has finished since this start.");
    for (int i = 0; i < status->ranks; i++) {
        sample(out, "rank_games_total", status);
        fprintf(out, ",rank=\"%d\"} %" PRId64 "\n", i, metrics->ranks[i].games);
    }
    begin(out, "rank_busy_seconds_total", "counter", "Seconds that a rank has spent on its games.");
    for (int i = 0; i < status->ranks; i++) {
        sample(out, "rank_busy_seconds_total", status);
        fprintf(out, ",rank=\"%d\"} %.3f\n", i, metrics->ranks[i].busy_seconds);
    }
    begin(out, "rank_search_seconds_total", "counter", "Of these, seconds inside the search.");
    for (int i = 0; i < status->ranks; i++) {
        sample(out, "rank_search_seconds_total", status);
        fprintf(out, ",rank=\"%d\"} %.3f\n", i, metrics->ranks[i].search_seconds);
    }
}

static void put_all(FILE *out, const struct metrics *metrics)
{
    const struct run_status *status = metrics->status;

    begin(out, "running", "gauge", "1 while the program works on the run, else 0.");
    fprintf(out, "draughts_train_running %d\n", strcmp(status->state, "running") == 0);
    begin(out, "updated_seconds", "gauge", "When this was written, seconds since 1970.");
    fprintf(out, "draughts_train_updated_seconds %" PRId64 "\n", metrics->moment);
    if (status->stage[0] != '\0') {
        put_stage(out, status);
    }
    if (status->ranks > 0) {
        put_sums(out, metrics);
        put_ranks(out, metrics);
    }
}

bool metrics_write(const char *directory, const struct metrics *metrics, struct err *err)
{
    char path[FILE_PATH], *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out != NULL) {
        put_all(out, metrics);
    }
    bool ok = (out != NULL && fclose(out) == 0) ||
              err_set(err, ERR_FAILED, "out of memory for the metrics");
    ok = ok && file_join(path, directory, METRICS_NAME, err) && file_replace(path, text, size, err);
    free(text);
    return ok;
}
