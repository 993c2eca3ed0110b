/* Games counted. */
#include "selfplay/census.h"

#include <assert.h>
#include <stdlib.h>

#include "selfplay/game/hash.h"

struct census census_begin(const struct selfplay_settings *settings,
                           const struct selfplay_source *source)
{
    return (struct census){.settings = settings, .source = source};
}

/* The game from the end of its opening on: the position there and all moves. */
static uint64_t line_of(const struct record *record, const struct rules *rules)
{
    struct position position = record->start;
    uint64_t hash = HASH_START;

    for (int ply = 0; ply < record->opening_plies; ply++) {
        position = position_after(rules, &position, &record->ply[ply].move);
    }
    hash = hash_mix(hash, position_key(&position));
    for (int ply = record->opening_plies; ply < record->plies; ply++) {
        const struct move *move = &record->ply[ply].move;
        hash = hash_mix(hash, move->taken);
        hash = hash_mix(hash, (uint64_t)move->from << 8 | move->to);
    }
    return hash;
}

static bool add_line(struct census *census, uint64_t line, struct err *err)
{
    if (census->count == census->capacity) {
        size_t capacity = 2 * census->capacity + 1024;
        uint64_t *grown = realloc(census->line, capacity * sizeof *grown);
        if (grown == NULL) {
            return err_set(err, ERR_FAILED, "out of memory for %zu games", capacity);
        }
        census->line = grown;
        census->capacity = capacity;
    }
    census->line[census->count++] = line;
    return true;
}

/* What adjudication would have made of a game that was played to its end. */
static void judge(struct census_figures *figures, const struct adjudication_rules *rules,
                  const struct record *record)
{
    struct adjudicator adjudicator = {.rules = rules};

    figures->control++;
    figures->control_plies += record->plies - record->opening_plies;
    for (int ply = record->opening_plies; ply < record->plies - 1; ply++) {
        enum outcome outcome;
        enum colour mover = (enum colour)((record->start.turn + ply) % 2);
        enum adjudication verdict =
            adjudicator_add(&adjudicator, ply, mover, record->ply[ply].score, &outcome);
        if (verdict != ADJUDICATION_NONE) {
            figures->judged[verdict]++;
            figures->wrong[verdict] += outcome != record->outcome;
            figures->spared_plies += record->plies - 1 - ply;
            return;
        }
    }
}

bool census_add(struct census *census, const struct record *record, struct err *err)
{
    struct census_figures *figures = &census->figures;

    if (!add_line(census, line_of(record, census->source->variant->rules), err)) {
        return false;
    }
    figures->games++;
    figures->adjudicated[record->adjudication]++;
    if (selfplay_roles(census->settings, census->source, record->number).control) {
        assert(record->adjudication == ADJUDICATION_NONE);
        judge(figures, &census->settings->rules, record);
    }
    return true;
}

static int compare_lines(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one > other) - (one < other);
}

struct census_figures census_end(struct census *census)
{
    struct census_figures figures = census->figures;

    if (census->count > 0) {
        qsort(census->line, census->count, sizeof *census->line, compare_lines);
    }
    for (size_t i = 1; i < census->count; i++) {
        figures.repeated += census->line[i] == census->line[i - 1];
    }
    free(census->line);
    *census = (struct census){0};
    return figures;
}
