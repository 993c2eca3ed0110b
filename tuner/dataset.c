/* From rows of shards to feature rows; see dataset.h. */
#include "tuner/dataset.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/rng.h"

_Static_assert(FEATURES_MAX <= UINT8_MAX + 1, "dataset_entry.index must hold every feature");
_Static_assert(FEATURES_ACTIVE_MAX <= UINT8_MAX, "dataset_group.count must hold every list");
_Static_assert(sizeof(struct dataset_counts) % sizeof(int64_t) == 0, "counts are added as int64");

void dataset_init(struct dataset *dataset, const struct variant *variant)
{
    *dataset = (struct dataset){.variant = variant};
}

void dataset_fini(struct dataset *dataset)
{
    for (int part = 0; part < DATASET_PARTS; part++) {
        for (int phase = 0; phase < DATASET_PHASES; phase++) {
            struct dataset_group *group = &dataset->group[part][phase];
            free(group->label);
            free(group->count);
            free(group->entry);
            free(group->men);
        }
    }
    *dataset = (struct dataset){.variant = dataset->variant};
}

/* Draws for one game: number 0 decides its part, number ply + 1 whether a position is sampled.
 * Generations stay below 2^20, games below 2^42. */
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

static bool resize(void **array, int64_t count, size_t size)
{
    void *fresh = realloc(*array, (size_t)count * size);
    if (!fresh) {
        return false;
    }
    *array = fresh;
    return true;
}

/* Makes the capacities exactly these. */
static bool group_resize(struct dataset_group *group, int64_t positions, int64_t entries,
                         bool patterns)
{
    void *label = group->label, *count = group->count, *entry = group->entry, *men = group->men;
    bool ok = resize(&label, positions, sizeof *group->label) &&
              resize(&count, positions, sizeof *group->count) &&
              resize(&entry, entries, sizeof *group->entry) &&
              (!patterns || resize(&men, positions, sizeof *group->men));
    group->label = label;
    group->count = count;
    group->entry = entry;
    group->men = men;
    if (ok) {
        group->position_capacity = positions;
        group->entry_capacity = entries;
    }
    return ok;
}

/* Makes room for one more position with `entries` entries. */
static bool group_reserve(struct dataset_group *group, int entries, bool patterns)
{
    int64_t positions = group->position_capacity, room = group->entry_capacity;
    if (group->positions == positions) {
        positions += positions / 2 + 1024;
    }
    if (group->entries + entries > room) {
        room += room / 2 + 32 * 1024;
    }
    return (positions == group->position_capacity && room == group->entry_capacity) ||
           group_resize(group, positions, room, patterns);
}

void dataset_trim(struct dataset *dataset)
{
    for (int part = 0; part < DATASET_PARTS; part++) {
        for (int phase = 0; phase < DATASET_PHASES; phase++) {
            struct dataset_group *group = &dataset->group[part][phase];
            if (group->positions > 0 && group->entries > 0) {
                (void)group_resize(group, group->positions, group->entries, group->men != NULL);
            }
        }
    }
}

int64_t dataset_bytes(const struct dataset *dataset)
{
    int64_t bytes = 0;
    for (int part = 0; part < DATASET_PARTS; part++) {
        for (int phase = 0; phase < DATASET_PHASES; phase++) {
            const struct dataset_group *group = &dataset->group[part][phase];
            int64_t men = group->men != NULL ? (int64_t)sizeof *group->men : 0;
            bytes += group->position_capacity * (2 + men) +
                     group->entry_capacity * (int64_t)sizeof(struct dataset_entry);
        }
    }
    return bytes;
}

/* Every test but that of the features' range. */
static enum dataset_fate row_fate(const struct variant *variant,
                                  const struct dataset_filter *filter,
                                  const struct dataset_source *source, const struct shard_row *row)
{
    if (row->ply < source->info->opening_plies) {
        return DATASET_OPENING;
    }
    if (!position_is_quiet(variant, &row->position)) {
        return DATASET_NOT_QUIET;
    }
    if (filter->margin > 0 && row->score != SCORE_NONE) {
        int seen = variant->evaluate(&row->position, source->weights);
        if (abs(seen - row->score) > filter->margin) {
            return DATASET_SHOT;
        }
    }
    return DATASET_KEPT;
}

static bool features_fit(const struct feature_list *list)
{
    for (int k = 0; k < list->count; k++) {
        if (list->feature[k].value < INT8_MIN || list->feature[k].value > INT8_MAX) {
            return false;
        }
    }
    return true;
}

static void count_men(struct dataset_counts *counts, const struct rules *rules,
                      const struct position *position, int phase)
{
    for (bitboard men = position->men[WHITE]; men;) {
        counts->men[phase][bit_to_square(rules, bit_pop(&men)) - 1]++;
    }
    for (bitboard men = position->men[BLACK]; men;) {
        counts->men[phase][rules->squares - bit_to_square(rules, bit_pop(&men))]++;
    }
}

/* Appends a position; room for it has been reserved. */
static void group_append(struct dataset_group *group, uint8_t label,
                         const struct feature_list *list)
{
    for (int k = 0; k < list->count; k++) {
        group->entry[group->entries++] =
            (struct dataset_entry){(uint8_t)list->feature[k].index, (int8_t)list->feature[k].value};
    }
    group->label[group->positions] = label;
    group->count[group->positions] = (uint8_t)list->count;
    group->positions++;
}

/* Keeps a position that passed the tests of row_fate, in the part that its game belongs to. */
static bool keep(struct dataset *dataset, const struct dataset_filter *filter,
                 const struct dataset_source *source, enum dataset_part part,
                 const struct shard_row *row, enum dataset_fate *fate)
{
    struct dataset_counts *counts = &dataset->counts;
    struct feature_list list;
    dataset->variant->features(&row->position, &list);
    if (!features_fit(&list)) {
        *fate = DATASET_RANGE;
        return true;
    }
    struct dataset_group *group = &dataset->group[part][list.phase];
    if (!group_reserve(group, list.count, filter->patterns)) {
        return false;
    }
    uint8_t label = (uint8_t)(row->result + 1);
    counts->positions[part]++;
    counts->results[part][label]++;
    if (part == DATASET_TRAIN) {
        struct rng rng = game_rng(dataset->variant, source->info, row->game);
        if (rng_below(&rng, 1 + (uint64_t)row->ply, 65536) < filter->sampling) {
            label |= DATASET_SAMPLED;
            counts->sampled++;
        }
        count_men(counts, dataset->variant->rules, &row->position, list.phase);
    }
    if (filter->patterns) {
        group->men[group->positions] =
            (struct dataset_men){{row->position.men[WHITE], row->position.men[BLACK]}};
    }
    group_append(group, label, &list);
    return true;
}

static bool row_check(const struct shard_row *row, struct err *err)
{
    if (row->result < -1 || row->result > 1) {
        return err_set(err, ERR_USAGE, "game %" PRId64 ", ply %d: result %d is not -1, 0 or 1",
                       row->game, row->ply, row->result);
    }
    return true;
}

bool dataset_add(struct dataset *dataset, const struct dataset_filter *filter,
                 const struct dataset_source *source, const struct shard_row *rows, size_t first,
                 size_t last, struct err *err)
{
    const struct variant *variant = dataset->variant;
    struct dataset_counts *counts = &dataset->counts;
    enum dataset_part part = DATASET_TRAIN;

    for (size_t k = first; k < last; k++) {
        const struct shard_row *row = &rows[k];
        if (!row_check(row, err)) {
            return false;
        }
        bool begins = k == 0 || rows[k - 1].game != row->game;
        if (begins || k == first) {
            bool held = dataset_holds_out(variant, source->info, row->game, filter->holdout);
            part = held ? DATASET_HELD_OUT : DATASET_TRAIN;
        }
        counts->games[part] += begins;
        counts->rows++;
        enum dataset_fate fate = row_fate(variant, filter, source, row);
        if (fate == DATASET_KEPT && !keep(dataset, filter, source, part, row, &fate)) {
            return err_set(err, ERR_FAILED, "out of memory after %" PRId64 " positions",
                           counts->fates[DATASET_KEPT]);
        }
        counts->fates[fate]++;
    }
    return true;
}
