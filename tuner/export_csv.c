/* Positions as CSV, from the shards. */
#include <stdlib.h>

#include "engine/fen.h"
#include "selfplay/run.h"
#include "selfplay/shard.h"
#include "tuner/export_format.h"

enum { BATCH = 1024 }; /* rows read at once */

static void put_row(struct exporter *to, const struct variant *variant, int generation,
                    const struct shard_row *row)
{
    static const char *const POINTS[] = {"0", "0.5", "1"};
    char fen[FEN_SIZE], score[16] = "";

    fen_write(variant->rules, &row->position, fen);
    if (row->score != SCORE_NONE) {
        snprintf(score, sizeof score, "%d", row->score);
    }
    fprintf(to->out, "%s,%d,%lld,%d,\"%s\",%s,%d-%d,%s\n", variant->rules->name, generation,
            (long long)row->game, row->ply, fen, score, row->best_move >> 8, row->best_move & 255,
            POINTS[row->result + 1]);
    to->count++;
}

static bool put_shard(struct exporter *to, const struct variant *variant, int generation,
                      const struct catalogue_shard *shard, struct err *err)
{
    char path[FILE_PATH];
    struct shard_info info;
    struct shard_row row[BATCH];
    struct shard *file = run_shard_path(path, to->directory, shard->name, err)
                             ? shard_open(path, variant, &info, err)
                             : NULL;
    bool ok = file && shard_verify(file, err);

    for (int64_t at = 0; ok && at < info.rows; at += BATCH) {
        int64_t count = info.rows - at < BATCH ? info.rows - at : BATCH;
        ok = shard_get(file, at, count, row, err);
        for (int64_t i = 0; ok && i < count; i++) {
            put_row(to, variant, generation, &row[i]);
        }
    }
    shard_close(file);
    return ok;
}

bool export_stage_csv(struct exporter *to, const struct variant *variant, int generation,
                      struct err *err)
{
    struct catalogue_shard *shards;
    size_t count;

    if (!catalogue_shards(to->catalogue, variant->rules->name, generation, &shards, &count, err)) {
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = put_shard(to, variant, generation, &shards[i], err);
    }
    free(shards);
    return ok;
}
