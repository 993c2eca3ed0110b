/* Where a run stands. */
#include "tuner/status.h"

#include <inttypes.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/store/lock.h"
#include "selfplay/store/run.h"
#include "selfplay/store/run_status.h"
#include "tuner/contest.h"
#include "tuner/stage.h"
#include "tuner/summary.h"

static void write_left(FILE *out, const struct run_status *status)
{
    char left[32];

    if (status->rate > 0 && status->total > status->done) {
        clock_duration((double)(status->total - status->done) / status->rate, left, sizeof left);
        fprintf(out, ", %.1f a second, %s left in this stage", status->rate, left);
    }
}

/* How evenly the ranks play. */
static void write_ranks(FILE *out, const struct run_status *status)
{
    if (status->ranks > 0) {
        fprintf(out,
                "  %d ranks: %" PRId64 " to %" PRId64
                " games each, busy %.1f to %.1f %% of the time; %.1f %% of it outside the search\n",
                status->ranks, status->games_least, status->games_most, status->busy_least,
                status->busy_most, status->outside);
    }
}

/* The line on what is under way. */
static bool write_now(FILE *out, const char *directory, struct err *err)
{
    struct run_status status;
    struct run_words words;

    if (!run_read_status(directory, &status, &words, err)) {
        return false;
    }
    bool running = strcmp(status.state, "running") == 0;
    if (running && !lock_is_held(directory)) {
        status.state = "killed";
        status.rate = 0;
    }
    fprintf(out, "%s: %s", directory, status.state);
    if (strcmp(status.state, "finished") != 0) {
        fprintf(out, " in stage %s of %s generation %d", status.stage, status.rules,
                status.generation);
        if (status.total > 0) {
            fprintf(out, ", %" PRId64 " of %" PRId64 " %s", status.done, status.total, status.unit);
        }
        write_left(out, &status);
    }
    fprintf(out, " (%s)\n", words.moment);
    if (status.reason) {
        fprintf(out, "  %s\n", status.reason);
    }
    write_ranks(out, &status);
    return true;
}

/* Every generation that was begun. */
static bool write_results(FILE *out, struct catalogue *catalogue, const struct variant *variant,
                          struct err *err)
{
    for (int generation = 0;; generation++) {
        struct stage_key key = stage_key_of(variant, generation, STAGE_SELFPLAY);
        enum stage_state state;
        if (!catalogue_stage_state(catalogue, &key, &state, err)) {
            return false;
        }
        if (state == STAGE_MISSING) {
            return true;
        }
        if (!summary_write(out, catalogue, variant, generation, err)) {
            return false;
        }
    }
}

bool status_write(FILE *out, const char *directory, struct err *err)
{
    struct catalogue *catalogue = run_catalogue(directory, err);

    if (!catalogue) {
        return false;
    }
    bool ok = write_now(out, directory, err);
    for (int i = 0; ok && i < VARIANT_COUNT; i++) {
        ok = write_results(out, catalogue, variant_at(i), err) &&
             contest_status(out, catalogue, variant_at(i), err);
    }
    catalogue_close(catalogue);
    return ok;
}
