/* From rows to records: which are kept, and in which part; see dataset.h. What the records become
 * is in dataset_finish.c. */
#include "tuner/fit/dataset.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/rng.h"

_Static_assert(FEATURES_MAX <= UINT8_MAX + 1, "dataset_entry.index must hold every feature");
_Static_assert(FEATURES_ACTIVE_MAX + DATASET_STRIDE <= UINT8_MAX,
               "dataset_position.count must hold every list");
_Static_assert(sizeof(struct dataset_counts) % sizeof(int64_t) == 0, "counts are added as int64");
_Static_assert(sizeof(struct dataset_entry) == 2 && _Alignof(struct dataset_entry) == 1,
               "entries lie in the packed bytes as they are");
_Static_assert(sizeof(struct dataset_record) == 32, "what dataset.h says of memory");

void dataset_init(struct dataset *dataset, const struct variant *variant,
                  const struct dataset_filter *filter)
{
    *dataset = (struct dataset){.variant = variant, .filter = *filter};
}

void dataset_fini(struct dataset *dataset)
{
    for (int part = 0; part < DATASET_PARTS; part++) {
        for (int phase = 0; phase < DATASET_PHASES; phase++) {
            paged_free(&dataset->group[part][phase].packed);
            paged_free(&dataset->group[part][phase].record);
        }
    }
    free(dataset->kept);
    *dataset = (struct dataset){.variant = dataset->variant};
}

/* Draws for one game: number 0 decides its part, number ply + 1 which positions are kept, the last
 * its group. Generations stay below 2^20, games below 2^42. */
static struct rng game_rng(const struct variant *variant, const struct shard_info *info,
                           int64_t game)
{
    uint64_t major = (uint64_t)info->generation << 44 | (uint64_t)variant_index(variant) << 42;
    return rng_make(info->seed, RNG_HOLDOUT, major | (uint64_t)game);
}

bool dataset_holds_out(const struct variant *variant, const struct shard_info *info, int64_t game,
                       int percent)
{
    struct rng rng = game_rng(variant, info, game);
    return rng_below(&rng, 0, 100) < (uint32_t)percent;
}

int64_t dataset_bytes(const struct dataset *dataset)
{
    int64_t bytes = 0;
    for (int part = 0; part < DATASET_PARTS; part++) {
        for (int phase = 0; phase < DATASET_PHASES; phase++) {
            const struct dataset_group *group = &dataset->group[part][phase];
            bytes +=
                (int64_t)group->bytes + group->records * (int64_t)sizeof(struct dataset_record);
        }
    }
    return bytes;
}

static bool features_fit(const struct variant *variant, const struct position *position)
{
    struct feature_list list;
    variant->features(position, &list);
    for (int k = 0; k < list.count; k++) {
        if (list.feature[k].value < INT8_MIN || list.feature[k].value > INT8_MAX) {
            return false;
        }
    }
    return true;
}

static enum dataset_fate row_fate(const struct dataset *dataset,
                                  const struct dataset_source *source, const struct shard_row *row)
{
    const struct variant *variant = dataset->variant;
    int margin = dataset->filter.margin;
    if (row->ply < source->info->opening_plies) {
        return DATASET_OPENING;
    }
    if (!position_is_quiet(variant, &row->position)) {
        return DATASET_NOT_QUIET;
    }
    if (may_be_held(variant->rules, &row->position)) {
        return DATASET_HELD;
    }
    if (margin > 0 && row->score != SCORE_NONE) {
        int seen = variant->evaluate(&row->position, source->weights);
        if (abs(seen - row->score) > margin) {
            return DATASET_SHOT;
        }
    }
    return features_fit(variant, &row->position) ? DATASET_KEPT : DATASET_RANGE;
}

static struct dataset_record record_of(const struct dataset *dataset,
                                       const struct dataset_source *source,
                                       const struct shard_row *row)
{
    const struct position *position = &row->position;
    struct rng rng = game_rng(dataset->variant, source->info, row->game);
    int score = position->turn == WHITE || row->score == SCORE_NONE ? row->score : -row->score;
    return (struct dataset_record){
        .white = position->men[WHITE] | position->kings[WHITE],
        .black = position->men[BLACK] | position->kings[BLACK],
        .kings = position->kings[WHITE] | position->kings[BLACK] |
                 (uint64_t)(position->turn == BLACK) << 63,
        .target = (uint16_t)((row->result + 1) << (DATASET_TARGET_BITS - 1) | dataset->game_group),
        .score = (int16_t)score,
        .draw = rng_below(&rng, 1 + (uint64_t)row->ply, UINT32_MAX),
    };
}

/* Puts a row of the present game by. */
static bool put_by(struct dataset *dataset, struct dataset_record record)
{
    if (dataset->kept_count == dataset->kept_capacity) {
        int room = dataset->kept_capacity * 2 + 128;
        void *fresh = realloc(dataset->kept, (size_t)room * sizeof *dataset->kept);
        if (fresh == NULL) {
            return false;
        }
        dataset->kept = fresh;
        dataset->kept_capacity = room;
    }
    dataset->kept[dataset->kept_count++] = record;
    return true;
}

bool dataset_reserve(const struct dataset *dataset, struct dataset_group *group, int64_t records)
{
    size_t needed = (size_t)records * sizeof(struct dataset_record);
    size_t room = group->record.bytes + group->record.bytes / 2;
    size_t least = 1024 * sizeof(struct dataset_record);
    room = room > needed ? room : needed;
    return needed <= group->record.bytes ||
           paged_resize(&group->record, dataset->filter.scratch, room > least ? room : least);
}

static bool group_append(const struct dataset *dataset, struct dataset_group *group,
                         const struct dataset_record *record)
{
    if (!dataset_reserve(dataset, group, group->records + 1)) {
        return false;
    }
    dataset_records(group)[group->records++] = *record;
    return true;
}

static int compare_draws(const void *a, const void *b)
{
    const struct dataset_record *x = a, *y = b;
    return (x->draw > y->draw) - (x->draw < y->draw);
}

/* Of a training game with too many positions those with the smallest draws stay. */
static void drop_surplus(struct dataset *dataset)
{
    int most = dataset->filter.per_game;
    if (dataset->part == DATASET_TRAIN && most > 0 && dataset->kept_count > most) {
        qsort(dataset->kept, (size_t)dataset->kept_count, sizeof *dataset->kept, compare_draws);
        dataset->counts.fates[DATASET_KEPT] -= dataset->kept_count - most;
        dataset->counts.fates[DATASET_SURPLUS] += dataset->kept_count - most;
        dataset->kept_count = most;
    }
}

bool dataset_end_game(struct dataset *dataset, struct err *err)
{
    int full = 2 * dataset->variant->rules->men_each;
    drop_surplus(dataset);
    for (int k = 0; k < dataset->kept_count; k++) {
        const struct dataset_record *record = &dataset->kept[k];
        int pieces = bit_count(record->white | record->black);
        int phase = pieces < full ? pieces : full;
        if (!group_append(dataset, &dataset->group[dataset->part][phase], record)) {
            return err_set(err, ERR_FAILED, "%s after %" PRId64 " positions",
                           dataset->filter.scratch ? "no room on the disk for more"
                                                   : "out of memory",
                           dataset->counts.fates[DATASET_KEPT]);
        }
        dataset->counts.results[dataset->part][record->target >> (DATASET_TARGET_BITS - 1)]++;
    }
    dataset->kept_count = 0;
    dataset->in_game = false;
    return true;
}

static void begin_game(struct dataset *dataset, const struct dataset_source *source, int64_t game)
{
    bool held = dataset_holds_out(dataset->variant, source->info, game, dataset->filter.holdout);
    struct rng rng = game_rng(dataset->variant, source->info, game);
    dataset->part = held ? DATASET_HELD_OUT : DATASET_TRAIN;
    dataset->game_group =
        held ? (uint16_t)rng_below(&rng, UINT64_MAX, DATASET_GAME_GROUPS) : (uint16_t)0;
    dataset->game = game;
    dataset->in_game = true;
    dataset->counts.games[dataset->part]++;
}

bool dataset_add(struct dataset *dataset, const struct dataset_source *source,
                 const struct shard_row *rows, size_t count, struct err *err)
{
    for (size_t k = 0; k < count; k++) {
        const struct shard_row *row = &rows[k];
        if (row->result < -1 || row->result > 1) {
            return err_set(err, ERR_USAGE, "game %" PRId64 ", ply %d: result %d is not -1, 0 or 1",
                           row->game, row->ply, row->result);
        }
        if (dataset->in_game && row->game != dataset->game && !dataset_end_game(dataset, err)) {
            return false;
        }
        if (!dataset->in_game) {
            begin_game(dataset, source, row->game);
        }
        enum dataset_fate fate = row_fate(dataset, source, row);
        dataset->counts.rows++;
        dataset->counts.fates[fate]++;
        if (fate == DATASET_KEPT && !put_by(dataset, record_of(dataset, source, row))) {
            return err_set(err, ERR_FAILED, "out of memory for a game of %d positions",
                           dataset->kept_count);
        }
    }
    return true;
}
