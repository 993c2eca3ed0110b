/* Positions as CSV, from the shards. */
#include <stdlib.h>

#include "engine/rules/fen.h"
#include "selfplay/store/run.h"
#include "selfplay/store/shard.h"
#include "tuner/export_format.h"

enum { BATCH = 1024 }; /* rows read at once */

static bool visit_shard(struct exporter *to, const struct variant *variant, const char *name,
                        export_visit *visit, void *context, struct err *err)
{
    char path[FILE_PATH];
    struct shard_info info;
    struct shard_row row[BATCH];
    struct shard *file = run_shard_path(path, to->directory, name, err)
                             ? shard_open(path, variant, &info, err)
                             : NULL;
    bool ok = file && shard_verify(file, err);

    for (int64_t at = 0; ok && at < info.rows; at += BATCH) {
        int64_t count = info.rows - at < BATCH ? info.rows - at : BATCH;
        ok = shard_get(file, at, count, row, err);
        for (int64_t i = 0; ok && i < count; i++) {
            visit(context, &row[i]);
        }
    }
    shard_close(file);
    return ok;
}

bool export_each_row(struct exporter *to, const struct variant *variant, int generation,
                     export_visit *visit, void *context, struct err *err)
{
    struct catalogue_shard *shards;
    size_t count;

    if (!catalogue_shards(to->catalogue, variant->rules->name, generation, &shards, &count, err)) {
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = visit_shard(to, variant, shards[i].name, visit, context, err);
    }
    free(shards);
    return ok;
}

/* A stage's rows on their way into the file. */
struct rows {
    struct exporter *to;
    const struct variant *variant;
    int generation;
};

static void put_row(void *context, const struct shard_row *row)
{
    static const char *const POINTS[] = {"0", "0.5", "1"};
    const struct rows *rows = context;
    char fen[FEN_SIZE], score[16] = "", move[16] = "";

    fen_write(rows->variant->rules, &row->position, fen);
    if (row->score != SCORE_NONE) {
        snprintf(score, sizeof score, "%d", row->score);
    }
    if (row->best_move != 0) {
        snprintf(move, sizeof move, "%d-%d", row->best_move >> 8, row->best_move & 255);
    }
    fprintf(rows->to->out, "%s,%d,%lld,%d,\"%s\",%s,%s,%s\n", rows->variant->rules->name,
            rows->generation, (long long)row->game, row->ply, fen, score, move,
            POINTS[row->result + 1]);
    rows->to->count++;
}

bool export_stage_csv(struct exporter *to, const struct variant *variant, int generation,
                      struct err *err)
{
    struct rows rows = {to, variant, generation};

    return export_each_row(to, variant, generation, put_row, &rows, err);
}
