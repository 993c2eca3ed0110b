/* The stage, in the order in which it happens: find what is there, play what is missing and store
 * it as it comes (selfplay/game_store.h), make the last shard. What decides a game is
 * selfplay_game; the rest only moves games about. A kill at any instant is survived because each
 * step leaves the games in at least one whole file; games that were on their way to rank 0 are
 * played again. */
#include "selfplay/selfplay.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/rng.h"
#include "engine/base/version.h"
#include "selfplay/farm.h"
#include "selfplay/game_store.h"

void selfplay_name(char out[GAMES_NAME], const struct variant *variant, int generation)
{
    snprintf(out, GAMES_NAME, "%s-g%d", variant->rules->name, generation);
}

bool selfplay_game(const struct selfplay_settings *settings, const struct variant *variant,
                   struct search *search, int64_t number, const struct play_watch *watch,
                   struct record *record, struct play_cost *cost, struct err *err)
{
    struct position start = position_start(variant->rules);
    struct game game;
    if (!game_init(&game, variant, &start)) {
        return err_set(err, ERR_FAILED, "out of memory for a game");
    }
    uint64_t stream = opening_stream(variant, OPENING_SELFPLAY, settings->generation, number);
    struct rng rng = rng_make(settings->seed, RNG_LEVEL, stream);
    struct player player = {
        .search = search,
        .limits = {.depth = settings->depth, .nodes = settings->nodes, .noise = settings->noise}};
    const struct player players[2] = {player, player};
    bool ok = opening_play(&settings->opening, settings->seed, stream, search, &game, err) &&
              play_game(players, rng_draw(&rng, 0), number, watch, &game, record, cost, err);
    game_fini(&game);
    return ok;
}

void selfplay_about(const struct selfplay_settings *settings, const struct variant *variant,
                    const struct weights *weights, char out[JOURNAL_ABOUT_MAX])
{
    snprintf(out, JOURNAL_ABOUT_MAX,
             "draughtsmith games, format 1\nsoftware=%s\nrules=%s\ngeneration=%d\nseed=%" PRIu64
             "\nweights=%016" PRIx64 "\nnodes=%" PRIu64 "\ndepth=%d\nnoise=%d\ntable_bits=%d\n"
             "opening_plies=%d\nopening_bound=%d\nopening_nodes=%" PRIu64 "\n",
             version_source(), variant->rules->name, settings->generation, settings->seed,
             weights_id(variant->rules, weights), settings->nodes, settings->depth, settings->noise,
             settings->table_bits, settings->opening.plies, settings->opening.bound,
             settings->opening.nodes);
}

struct stage {
    const struct comm *comm;
    struct stop *stop;
    const struct log *log;
    const char *directory;
    const struct selfplay_settings *settings;
    const struct variant *variant;
    const struct weights *weights;
    const struct selfplay_watch *watch; /* may be NULL */
    struct selfplay_result *result;
    char name[GAMES_NAME];
    char about[JOURNAL_ABOUT_MAX];

    struct search *search;

    struct game_store *store; /* rank 0's, and below */
    struct progress progress;
    double started, told;
    int64_t *tasks;
    int64_t task_count;
};

/* What a finished game reports to rank 0; its encoded record follows. */
struct report {
    int64_t plies;
    uint64_t nodes;
    double search_seconds;
};

/* Writes report and record to `result`. */
static size_t put_result(const struct stage *stage, const struct record *record,
                         const struct play_cost *cost, uint8_t *result)
{
    struct report report = {record->plies - record->opening_plies, cost->nodes,
                            cost->search_seconds};
    size_t size = record_size(record);
    assert(sizeof report + size <= FARM_RESULT_MAX);
    memcpy(result, &report, sizeof report);
    record_encode(record, stage->variant->rules, result + sizeof report);
    return sizeof report + size;
}

static bool work(void *context, struct farm_seat *seat, int64_t task, void *result, size_t *size,
                 struct err *err)
{
    struct stage *stage = context;
    struct record record = {0};
    struct play_cost cost;
    struct play_watch watch = farm_watch(seat);
    if (!selfplay_game(stage->settings, stage->variant, stage->search, task, &watch, &record, &cost,
                       err)) {
        return false;
    }
    *size = 0;
    if (record.outcome == OUTCOME_OPEN) {
        return true;
    }
    *size = put_result(stage, &record, &cost, result);
    record_fini(&record);
    return true;
}

/* How many games there are to be. */
static int64_t wanted(const struct selfplay_settings *settings)
{
    return settings->end - settings->first;
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    (void)task;
    struct stage *stage = context;
    struct selfplay_result *sum = stage->result;
    struct report report;
    memcpy(&report, result, sizeof report);
    if (!game_store_add(stage->store, (const uint8_t *)result + sizeof report, size - sizeof report,
                        err)) {
        return false;
    }
    sum->played++;
    sum->plies += report.plies;
    sum->nodes += report.nodes;
    sum->search_seconds += report.search_seconds;
    progress_update(&stage->progress, sum->found + sum->played);
    double now = clock_seconds();
    if (stage->watch != NULL && stage->watch->progress != NULL && now - stage->told >= 1) {
        stage->told = now;
        stage->watch->progress(stage->watch->context, sum->found + sum->played,
                               wanted(stage->settings),
                               (double)sum->played / (now - stage->started));
    }
    return true;
}

/* Rank 0: opens the store, with what is told of its shards. */
static bool open_store(struct stage *stage, struct err *err)
{
    const struct selfplay_settings *settings = stage->settings;
    struct game_store_settings place = {
        .sharding = {.directory = stage->directory,
                     .name = stage->name,
                     .variant = stage->variant,
                     .info = {.generation = settings->generation,
                              .opening_plies = settings->opening.plies,
                              .seed = settings->seed,
                              .weights_id = weights_id(stage->variant->rules, stage->weights)},
                     .rows_max = settings->shard_rows},
        .about = stage->about,
        .first = settings->first,
        .end = settings->end,
        .sync_seconds = settings->sync_seconds};
    if (stage->watch != NULL) {
        place.sharding.watch.shard = stage->watch->shard;
        place.sharding.watch.context = stage->watch->context;
    }
    stage->store = game_store_open(&place, err);
    return stage->store != NULL;
}

/* Rank 0: what is there, and so what is missing; shards of what is there. */
static bool find_tasks(struct stage *stage, struct err *err)
{
    if (!open_store(stage, err)) {
        return false;
    }
    const struct games *games = game_store_found(stage->store);
    int64_t total = wanted(stage->settings);
    stage->task_count =
        games_missing(games, stage->settings->first, stage->settings->end, &stage->tasks);
    stage->result->found = games->count;
    if (games->torn > 0) {
        log_line(stage->log, LOG_INFO,
                 "%s: %" PRId64 " files of games have a torn or broken entry, left out",
                 stage->name, games->torn);
    }
    if (games->count > 0) {
        log_line(stage->log, LOG_INFO,
                 "%s: %" PRId64 " of %" PRId64 " games are there, %" PRId64 " found twice",
                 stage->name, games->count, total, games->twice);
    }
    if (stage->task_count < 0) {
        return err_set(err, ERR_FAILED, "out of memory for %" PRId64 " games", total);
    }
    char what[GAMES_NAME + 32];
    snprintf(what, sizeof what, "looking at shards %s", stage->name);
    struct progress progress = progress_start(stage->log, what, "games", games->count, 0);
    bool ok = game_store_advance(stage->store, 0, stage->stop, &progress, err);
    progress_end(&progress, games->count);
    return ok;
}

/* Collective: plays the missing games. */
static bool play_missing(struct stage *stage, struct err *err)
{
    struct selfplay_result *result = stage->result;
    struct farm farm = {
        .context = stage, .silence = stage->settings->silence, .work = work, .done = done};
    char what[GAMES_NAME + 16];
    snprintf(what, sizeof what, "self-play %s", stage->name);
    stage->started = stage->told = clock_seconds();
    stage->progress = progress_start(stage->comm->rank == 0 ? stage->log : NULL, what, "games",
                                     wanted(stage->settings), result->found);
    bool ok = farm_run(stage->comm, &farm, stage->stop, stage->tasks, stage->task_count,
                       &result->stopped, err);
    progress_end(&stage->progress, result->found + result->played);
    result->seconds = clock_seconds() - stage->started;
    return ok;
}

/* Rank 0: the last shard. */
static bool finish_store(struct stage *stage, struct err *err)
{
    char what[GAMES_NAME + 16];
    snprintf(what, sizeof what, "shards %s", stage->name);
    struct progress progress =
        progress_start(stage->log, what, "games", wanted(stage->settings), 0);
    bool ok = game_store_finish(stage->store, stage->stop, &progress, &stage->result->data,
                                &stage->result->stopped, err);
    progress_end(&progress, stage->result->data.games);
    return ok;
}

/* Collective. */
static bool run_stage(struct stage *stage, struct err *err)
{
    const struct comm *comm = stage->comm;
    char first[JOURNAL_ABOUT_MAX];
    memcpy(first, stage->about, sizeof first);
    comm_broadcast(comm, first, sizeof first);
    bool alike =
        strcmp(first, stage->about) == 0 ||
        err_set(err, ERR_USAGE, "other software than rank 0: this is %s", version_source());
    stage->search = search_create(stage->variant, stage->weights, stage->settings->table_bits, err);
    bool ok = stage->search != NULL && alike && (comm->rank != 0 || find_tasks(stage, err));
    comm_broadcast(comm, &stage->task_count, sizeof stage->task_count);
    if (!comm_agree(comm, ok, err)) {
        return false;
    }
    if (stage->task_count > 0 && !play_missing(stage, err)) {
        return false;
    }
    if (stage->result->stopped) {
        return true;
    }
    return comm_agree(comm, comm->rank != 0 || finish_store(stage, err), err);
}

bool selfplay_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                    const char *directory, const struct selfplay_settings *settings,
                    const struct variant *variant, const struct weights *weights,
                    const struct selfplay_watch *watch, struct selfplay_result *result,
                    struct err *err)
{
    *result = (struct selfplay_result){0};
    struct stage stage = {.comm = comm,
                          .stop = stop,
                          .log = log,
                          .directory = directory,
                          .settings = settings,
                          .variant = variant,
                          .weights = weights,
                          .watch = watch,
                          .result = result};
    selfplay_name(stage.name, variant, settings->generation);
    selfplay_about(settings, variant, weights, stage.about);
    bool ok = run_stage(&stage, err);
    bool closed = game_store_close(stage.store, ok ? err : NULL);
    ok = ok && comm_agree(comm, closed, err);
    comm_broadcast(comm, result, sizeof *result);
    free(stage.tasks);
    search_destroy(stage.search);
    return ok;
}
