/* From records to the packed groups that the fit passes over: targets are mixed, equal positions
 * brought together and merged; see dataset.h.
 *
 * A position belongs to the rank that a hash of it names, so equal ones meet wherever they were
 * read. All that decides is integer: which of them comes first does not matter. */
#include <stdlib.h>

#include "selfplay/game/hash.h"
#include "tuner/fit/dataset.h"
#include "tuner/fit/score_scale.h"

enum {
    ROUND = 1 << 18, /* records that a rank sends at once */
    CONTENT_BITS = 30,
    SCORE_SPAN = 2000, /* scores beyond say "won", which is not always so: they count as this much
                        */
};

static int cut_score(int score)
{
    return score > SCORE_SPAN ? SCORE_SPAN : score < -SCORE_SPAN ? -SCORE_SPAN : score;
}

static uint64_t hash_of(const struct dataset_record *record)
{
    return hash_mix(hash_mix(record->white, record->black), record->kings);
}

/* --- targets -----------------------------------------------------------------------------------*/

static void count_scores(const struct dataset *dataset, struct score_counts *counts)
{
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        const struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        for (int64_t n = 0; n < group->records; n++) {
            const struct dataset_record *record = &dataset_records(group)[n];
            if (record->score != SCORE_NONE) {
                int bin = score_bin(cut_score(record->score));
                counts->positions[bin]++;
                counts->targets[bin] += record->target;
            }
        }
    }
}

/* Mixes the search's score into every training target. */
static void mix_targets(struct dataset *dataset, const struct logistic *logistic)
{
    double share = dataset->filter.share, unit = 1 << DATASET_TARGET_BITS;
    for (int phase = 0; phase < DATASET_PHASES; phase++) {
        struct dataset_group *group = &dataset->group[DATASET_TRAIN][phase];
        for (int64_t n = 0; n < group->records; n++) {
            struct dataset_record *record = &dataset_records(group)[n];
            if (record->score != SCORE_NONE) {
                int score = cut_score(record->score);
                double p, l;
                logistic_at(logistic, dataset->score_scale * score / 100, &p, &l);
                double target = (1 - share) * record->target + share * p * unit;
                record->target = (uint16_t)(target + 0.5);
            }
        }
    }
}

struct target_tables {
    struct logistic logistic;
    struct score_counts counts;
};

static bool set_targets(struct dataset *dataset, const struct team *team, struct err *err)
{
    if (!(dataset->filter.share > 0)) {
        return true;
    }
    struct target_tables *tables = calloc(1, sizeof *tables);
    if (!team_agree(team, tables != NULL) || tables == NULL) {
        free(tables);
        return err_set(err, ERR_FAILED, "out of memory");
    }
    logistic_init(&tables->logistic);
    count_scores(dataset, &tables->counts);
    team_sum(team, (int64_t *)&tables->counts, sizeof tables->counts / sizeof(int64_t));
    bool any = false;
    for (int bin = 0; bin < SCORE_SCALE_BINS; bin++) {
        any = any || tables->counts.positions[bin] > 0;
    }
    bool ok = !any || score_scale(&tables->counts, &tables->logistic, "the search's scores",
                                  &dataset->score_scale, err);
    if (ok && any) {
        mix_targets(dataset, &tables->logistic);
    }
    free(tables);
    return ok;
}

/* --- bringing equal positions together ---------------------------------------------------------*/

/* What ranks send each other. */
struct mail {
    const struct team *team;
    struct dataset_record *out;            /* [ROUND]: by owner; owned */
    int64_t *out_count, *in_count, *place; /* [ranks]; owned */
};

static bool mail_init(struct mail *mail, const struct team *team)
{
    size_t ranks = (size_t)team_size(team);
    *mail = (struct mail){.team = team};
    mail->out = malloc(ROUND * sizeof *mail->out);
    mail->out_count = calloc(ranks, sizeof *mail->out_count);
    mail->in_count = calloc(ranks, sizeof *mail->in_count);
    mail->place = calloc(ranks, sizeof *mail->place);
    return mail->out && mail->out_count && mail->in_count && mail->place;
}

static void mail_fini(struct mail *mail)
{
    free(mail->out);
    free(mail->out_count);
    free(mail->in_count);
    free(mail->place);
}

/* Takes up to ROUND records off the end of the group and lays them out by owner. */
static void fill_mail(struct mail *mail, struct dataset_group *group)
{
    int ranks = team_size(mail->team);
    int64_t count = group->records < ROUND ? group->records : ROUND, place = 0;
    const struct dataset_record *record = dataset_records(group) + (group->records - count);
    for (int rank = 0; rank < ranks; rank++) {
        mail->out_count[rank] = 0;
    }
    for (int64_t n = 0; n < count; n++) {
        mail->out_count[hash_of(&record[n]) % (uint64_t)ranks]++;
    }
    for (int rank = 0; rank < ranks; rank++) {
        mail->place[rank] = place;
        place += mail->out_count[rank];
    }
    for (int64_t n = 0; n < count; n++) {
        mail->out[mail->place[hash_of(&record[n]) % (uint64_t)ranks]++] = record[n];
    }
    group->records -= count;
}

/* Every rank gets the records of one phase that are its own. False, on every rank: out of memory.
 */
static bool swap_phase(const struct dataset *dataset, struct mail *mail,
                       struct dataset_group *group)
{
    struct dataset_group fresh = {0};
    int64_t left = 1;
    bool ok = true;
    while (ok && left > 0) {
        int64_t coming = 0;
        fill_mail(mail, group);
        mail->team->transpose(mail->team->context, mail->out_count, mail->in_count);
        for (int rank = 0; rank < team_size(mail->team); rank++) {
            coming += mail->in_count[rank];
        }
        ok = team_agree(mail->team, dataset_reserve(dataset, &fresh, fresh.records + coming + 1));
        if (ok) {
            mail->team->exchange(mail->team->context, sizeof *mail->out, mail->out, mail->out_count,
                                 dataset_records(&fresh) + fresh.records, mail->in_count);
            fresh.records += coming;
        }
        left = group->records;
        team_sum(mail->team, &left, 1);
    }
    paged_free(&group->record);
    *group = fresh;
    return ok;
}

static bool bring_together(struct dataset *dataset, const struct team *team, struct err *err)
{
    struct mail mail;
    if (!dataset->filter.merge || team_size(team) == 1) {
        return true;
    }
    bool ok = team_agree(team, mail_init(&mail, team));
    for (int phase = 0; ok && phase < DATASET_PHASES; phase++) {
        ok = swap_phase(dataset, &mail, &dataset->group[DATASET_TRAIN][phase]);
    }
    mail_fini(&mail);
    return ok || err_set(err, ERR_FAILED, "out of memory for the positions of other ranks");
}

/* --- packing -----------------------------------------------------------------------------------*/

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By men, as far as kings do not stand in the way: from the top of the board on. */
static int compare_records(const void *a, const void *b)
{
    const struct dataset_record *x = a, *y = b;
    int order = compare(x->white, y->white);
    order = order != 0 ? order : compare(x->black, y->black);
    return order != 0 ? order : compare(x->kings, y->kings);
}

/* The records that equal record[0], which becomes their mean; returns how many. */
static int64_t merge_equals(struct dataset_record *record, int64_t count)
{
    int64_t equals = 0, sum = 0;
    while (equals < count && compare_records(&record[0], &record[equals]) == 0) {
        sum += record[equals++].target;
    }
    record[0].target = (uint16_t)((2 * sum + equals) / (2 * equals));
    return equals;
}

static void merge_group(struct dataset_group *group)
{
    struct dataset_record *record = dataset_records(group);
    int64_t merged = 0;
    for (int64_t n = 0; n < group->records;) {
        int64_t equals = merge_equals(&record[n], group->records - n);
        record[merged++] = record[n];
        n += equals;
    }
    group->records = merged;
}

static struct position position_of(const struct dataset_record *record)
{
    uint64_t kings = record->kings & ~bit(63);
    return (struct position){
        .men = {record->white & ~kings, record->black & ~kings},
        .kings = {record->white & kings, record->black & kings},
        .turn = record->kings >> 63 ? BLACK : WHITE,
    };
}

/* Writes a position's bytes; returns where they end. */
static unsigned char *pack(const struct rules *rules, const struct position *position,
                           const struct feature_list *list, uint16_t target, unsigned char *at)
{
    struct feature_range squares = feature_range(rules, FEATURE_MAN_SQUARE);
    unsigned char *entry = at + DATASET_HEAD, *count = at + DATASET_HEAD - 1;
    memcpy(at, position->men, sizeof position->men);
    memcpy(at + sizeof position->men, &target, sizeof target);
    *count = 0;
    for (int k = 0; k < list->count; k++) {
        int index = list->feature[k].index;
        if (index < squares.first || index >= squares.first + squares.count) {
            *entry++ = (unsigned char)index;
            *entry++ = (unsigned char)(int8_t)list->feature[k].value;
            ++*count;
        }
    }
    for (; *count % DATASET_STRIDE != 0; ++*count) {
        *entry++ = 0;
        *entry++ = 0;
    }
    return entry;
}

/* Counts a training position; returns its target, with the mark of the sample. */
static uint16_t count_position(struct dataset *dataset, const struct dataset_record *record)
{
    struct dataset_counts *counts = &dataset->counts;
    uint64_t hash = hash_of(record);
    bool sampled = hash >> 48 < dataset->filter.sampling;
    counts->sampled += sampled;
    counts->content +=
        (int64_t)(hash_mix(hash, record->target) & ((UINT64_C(1) << CONTENT_BITS) - 1));
    return (uint16_t)(record->target | (sampled ? DATASET_SAMPLED : 0));
}

/* Packs the group's records, which are freed. Its bytes are made for the longest lists, then cut.
 */
static bool pack_group(struct dataset *dataset, enum dataset_part part, int phase)
{
    const struct variant *variant = dataset->variant;
    struct dataset_group *group = &dataset->group[part][phase];
    size_t room = 1, used = 0;
    struct position position;
    struct feature_list list;
    for (int64_t n = 0; n < group->records; n++) {
        position = position_of(&dataset_records(group)[n]);
        variant->features(&position, &list);
        room += DATASET_HEAD + 2 * ((size_t)list.count + DATASET_STRIDE - 1);
    }
    if (!paged_resize(&group->packed, dataset->filter.scratch, room)) {
        return false;
    }
    unsigned char *bytes = group->packed.data;
    for (int64_t n = 0; n < group->records; n++) {
        const struct dataset_record *record = &dataset_records(group)[n];
        uint16_t target = record->target;
        position = position_of(record);
        variant->features(&position, &list);
        if (part == DATASET_TRAIN) {
            target = count_position(dataset, record);
        }
        used = (size_t)(pack(variant->rules, &position, &list, target, bytes + used) - bytes);
    }
    group->positions = group->records;
    group->bytes = used;
    group->records = 0;
    paged_free(&group->record);
    (void)paged_resize(&group->packed, dataset->filter.scratch, used + 1);
    dataset->counts.positions[part] += group->positions;
    return true;
}

static bool finish_group(struct dataset *dataset, enum dataset_part part, int phase)
{
    struct dataset_group *group = &dataset->group[part][phase];
    if (group->records > 1) {
        qsort(dataset_records(group), (size_t)group->records, sizeof(struct dataset_record),
              compare_records);
    }
    if (part == DATASET_TRAIN && dataset->filter.merge) {
        merge_group(group);
    }
    return group->records == 0 || pack_group(dataset, part, phase);
}

bool dataset_finish(struct dataset *dataset, const struct team *team, struct err *err)
{
    if (!team_agree(team, dataset_end_game(dataset, err))) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    free(dataset->kept);
    dataset->kept = NULL;
    if (!set_targets(dataset, team, err) || !bring_together(dataset, team, err)) {
        return false;
    }
    bool ok = true;
    for (int phase = 0; ok && phase < DATASET_PHASES; phase++) {
        ok = finish_group(dataset, DATASET_TRAIN, phase) &&
             finish_group(dataset, DATASET_HELD_OUT, phase);
    }
    return team_agree(team, ok) || err_set(err, ERR_FAILED, "out of memory for the positions");
}
