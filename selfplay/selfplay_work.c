/* Games and shards as tasks. */
#include "selfplay/selfplay_work.h"

#include <assert.h>
#include <string.h>

#include "engine/base/clock.h"

static bool play(struct selfplay_worker *worker, struct farm_seat *seat, int64_t number,
                 uint8_t *result, size_t *size, struct err *err)
{
    struct record record = {0};
    struct play_cost cost;
    struct play_watch watch = farm_watch(seat);
    double began = clock_seconds();
    if (!selfplay_game(worker->settings, worker->source, &worker->crew, number, &watch, &record,
                       &cost, err)) {
        return false;
    }
    if (record.outcome == OUTCOME_OPEN) {
        return true;
    }
    struct selfplay_report report = {.rank = worker->rank,
                                     .plies = record.plies - record.opening_plies,
                                     .nodes = cost.nodes,
                                     .busy_seconds = clock_seconds() - began,
                                     .search_seconds = cost.search_seconds};
    *size = sizeof report + record_size(&record);
    assert(*size <= FARM_RESULT_MAX);
    memcpy(result, &report, sizeof report);
    record_encode(&record, worker->source->variant->rules, result + sizeof report);
    record_fini(&record);
    return true;
}

struct farm_task selfplay_shard_task(const struct shard_cut *cut)
{
    return (struct farm_task){~cut->index, {cut->games, cut->begin, cut->end}};
}

static bool make_shard(struct selfplay_worker *worker, struct farm_seat *seat,
                       const struct farm_task *task, uint8_t *result, size_t *size, struct err *err)
{
    struct shard_cut cut = {~task->number, task->about[0], task->about[1], task->about[2]};
    struct shard_entry entry;
    struct play_watch watch = farm_watch(seat);
    double began = clock_seconds();
    bool given_up;
    if (!sharding_make(&worker->place, &cut, &watch, &entry, &given_up, err)) {
        return false;
    }
    if (given_up) {
        return true;
    }
    struct selfplay_report report = {.rank = worker->rank, .busy_seconds = clock_seconds() - began};
    *size = sizeof report + sizeof entry;
    memcpy(result, &report, sizeof report);
    memcpy(result + sizeof report, &entry, sizeof entry);
    return true;
}

bool selfplay_work(struct selfplay_worker *worker, struct farm_seat *seat,
                   const struct farm_task *task, uint8_t *result, size_t *size, struct err *err)
{
    *size = 0;
    return task->number >= 0 ? play(worker, seat, task->number, result, size, err)
                             : make_shard(worker, seat, task, result, size, err);
}
