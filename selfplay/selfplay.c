/* The stage, in the order in which it happens: find what is there, play what is missing and store
 * it as it comes (selfplay/store/game_store.h), while some rank makes a shard whenever there are
 * games for one. What decides a game is selfplay_game; the rest only moves games about. A kill at
 * any instant is survived because each step leaves the games in at least one whole file; games that
 * were on their way to rank 0 are played again. */
#include "selfplay/selfplay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/version.h"
#include "selfplay/selfplay_work.h"

struct stage {
    const struct comm *comm;
    struct stop *stop;
    const struct log *log;
    const char *directory;
    const struct selfplay_settings *settings;
    const struct selfplay_source *source;
    const struct selfplay_watch *watch; /* may be NULL */
    struct selfplay_result *result;
    char name[GAMES_NAME];
    char about[JOURNAL_ABOUT_MAX];

    struct selfplay_worker worker;
    struct selfplay_source planned; /* to which `source` points, with the plan */
    struct opening_plan plan;

    struct game_store *store; /* rank 0's, and below */
    struct census census;     /* of the games in the store */
    struct progress progress;
    double started, told;
    struct selfplay_rank *ranks; /* [comm->size] */
    int64_t *tasks;
    int64_t task_count;
};

static bool work(void *context, struct farm_seat *seat, const struct farm_task *task, void *result,
                 size_t *size, struct err *err)
{
    return selfplay_work(&((struct stage *)context)->worker, seat, task, result, size, err);
}

/* Rank 0: a shard for which there are games. */
static bool urgent(void *context, struct farm_task *task)
{
    struct shard_cut cut;
    if (!game_store_cut(((struct stage *)context)->store, &cut)) {
        return false;
    }
    *task = selfplay_shard_task(&cut);
    return true;
}

/* How many games there are to be. */
static int64_t wanted(const struct selfplay_settings *settings)
{
    return settings->end - settings->first;
}

/* Rank 0: tells the watch where the playing stands. */
static void tell(struct stage *stage)
{
    const struct selfplay_result *sum = stage->result;
    if (stage->watch == NULL || stage->watch->progress == NULL) {
        return;
    }
    stage->told = clock_seconds();
    double seconds = stage->told - stage->started;
    const struct selfplay_standing standing = {.done = sum->found + sum->played,
                                               .total = wanted(stage->settings),
                                               .plies = sum->plies,
                                               .nodes = sum->nodes,
                                               .seconds = seconds,
                                               .games_a_second = (double)sum->played / seconds,
                                               .ranks = stage->comm->size,
                                               .rank = stage->ranks};
    stage->watch->progress(stage->watch->context, &standing);
}

/* Rank 0: hands on what came with the report. */
static bool take(struct stage *stage, int64_t task, const uint8_t *data, size_t size,
                 struct err *err)
{
    struct selfplay_result *sum = stage->result;
    if (task < 0) {
        struct shard_entry entry;
        memcpy(&entry, data, sizeof entry);
        return game_store_made(stage->store, &entry, err);
    }
    sum->played++;
    return game_store_add(stage->store, data, size, err);
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    struct stage *stage = context;
    struct selfplay_result *sum = stage->result;
    struct selfplay_report report;
    memcpy(&report, result, sizeof report);
    if (!take(stage, task, (const uint8_t *)result + sizeof report, size - sizeof report, err)) {
        return false;
    }
    struct selfplay_rank *rank = &stage->ranks[report.rank];
    rank->games += task >= 0;
    rank->busy_seconds += report.busy_seconds;
    rank->search_seconds += report.search_seconds;
    sum->plies += report.plies;
    sum->nodes += report.nodes;
    progress_update(&stage->progress, sum->found + sum->played);
    if (clock_seconds() - stage->told >= 1) {
        tell(stage);
    }
    return true;
}

/* Rank 0: what the ranks have done, put together. */
static void sum_ranks(struct stage *stage)
{
    struct selfplay_result *sum = stage->result;
    sum->busy_least = stage->ranks[0].busy_seconds;
    for (int i = 0; i < stage->comm->size; i++) {
        const struct selfplay_rank *rank = &stage->ranks[i];
        sum->busy_seconds += rank->busy_seconds;
        sum->search_seconds += rank->search_seconds;
        if (rank->busy_seconds < sum->busy_least) {
            sum->busy_least = rank->busy_seconds;
        }
    }
}

static bool count_game(void *context, const struct record *record, struct err *err)
{
    return census_add(&((struct stage *)context)->census, record, err);
}

static bool pass_shard(void *context, const struct shard_entry *entry, struct err *err)
{
    const struct selfplay_watch *watch = ((struct stage *)context)->watch;
    return watch == NULL || watch->shard == NULL || watch->shard(watch->context, entry, err);
}

/* What the shards are made by, on every rank. */
static struct sharding_settings place_of(const struct stage *stage)
{
    const struct selfplay_settings *settings = stage->settings;
    const struct selfplay_source *source = stage->source;
    const struct rescore *again = source->again;
    bool listed = source->file != NULL;
    return (struct sharding_settings){
        .directory = stage->directory,
        .name = stage->name,
        .variant = source->variant,
        .info = {.generation = again != NULL ? again->generation : settings->generation,
                 .opening_plies = listed ? 0 : settings->opening.plies,
                 .seed = settings->seed,
                 .weights_id = weights_id(source->variant->rules, source->weights)},
        .rows_max = settings->shard_rows};
}

/* Rank 0: opens the store, with what is told of its shards. */
static bool open_store(struct stage *stage, struct err *err)
{
    const struct selfplay_settings *settings = stage->settings;
    const struct game_store_settings place = {.sharding = stage->worker.place,
                                              .watch = {pass_shard, count_game, stage},
                                              .about = stage->about,
                                              .first = settings->first,
                                              .end = settings->end,
                                              .sync_seconds = settings->sync_seconds};
    stage->census = census_begin(settings, stage->source);
    stage->store = game_store_open(&place, err);
    return stage->store != NULL;
}

/* Puts the control games among the last tasks before the rest of these: they are longer than those
 * that are adjudicated, and short games at the end leave ranks idle for a shorter time. Only among
 * the last, as games are stored in the order of their numbers. False: memory is out. */
static bool put_short_last(struct stage *stage)
{
    int64_t few = 16 * (int64_t)stage->comm->size, count = 0;
    int64_t last = stage->task_count < few ? stage->task_count : few;
    int64_t *tasks = stage->tasks + (stage->task_count - last);
    int64_t *ordered = malloc(((size_t)last + 1) * sizeof *ordered);
    if (ordered == NULL) {
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < last; i++) {
            bool control = selfplay_roles(stage->settings, stage->source, tasks[i]).control;
            if (control == (pass == 0)) {
                ordered[count++] = tasks[i];
            }
        }
    }
    memcpy(tasks, ordered, (size_t)last * sizeof *tasks);
    free(ordered);
    return true;
}

/* Rank 0: what is there, and so what is missing. */
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
    if (stage->task_count < 0 || !put_short_last(stage)) {
        return err_set(err, ERR_FAILED, "out of memory for %" PRId64 " games", total);
    }
    return true;
}

/* Collective: plays the missing games and makes the shards. */
static bool run_farm(struct stage *stage, struct err *err)
{
    struct selfplay_result *result = stage->result;
    struct farm farm = {.context = stage,
                        .silence = stage->settings->silence,
                        .work = work,
                        .done = done,
                        .urgent = urgent};
    char what[GAMES_NAME + 16];
    snprintf(what, sizeof what, "%s %s", stage->source->again ? "rescoring" : "self-play",
             stage->name);
    stage->started = stage->told = clock_seconds();
    stage->progress = progress_start(stage->comm->rank == 0 ? stage->log : NULL, what, "games",
                                     wanted(stage->settings), result->found);
    bool ok = farm_run(stage->comm, &farm, stage->stop, stage->tasks, stage->task_count,
                       &result->stopped, err);
    progress_end(&stage->progress, result->found + result->played);
    sum_ranks(stage);
    result->seconds = clock_seconds() - stage->started;
    if (stage->comm->rank == 0) {
        tell(stage);
    }
    return ok;
}

/* Rank 0: all games were found, so the store moves them on before the shards are looked at. */
static bool advance_store(struct stage *stage, struct err *err)
{
    char what[GAMES_NAME + 16];
    snprintf(what, sizeof what, "games %s", stage->name);
    struct progress progress =
        progress_start(stage->log, what, "games", wanted(stage->settings), 0);
    bool ok =
        game_store_advance(stage->store, stage->stop, &progress, &stage->result->stopped, err);
    progress_end(&progress, stage->result->found);
    return ok;
}

/* Rank 0: what there is in the end. */
static bool finish_store(struct stage *stage, struct err *err)
{
    struct game_store_result *data = &stage->result->data;
    bool ok = game_store_finish(stage->store, data, err);
    if (data->mended > 0) {
        log_line(stage->log, LOG_WARNING,
                 "%s: %" PRId64 " shards that were there have been made again: they were damaged, "
                 "or records of their games",
                 stage->name, data->mended);
    }
    stage->result->census = census_end(&stage->census);
    return ok;
}

/* Collective: plans random openings. */
static bool plan_openings(struct stage *stage, struct err *err)
{
    const struct selfplay_settings *settings = stage->settings;
    struct selfplay_source *source = &stage->planned;
    struct opening_plan *plan = &stage->plan;
    bool differ = settings->sampling.plies > 0 || settings->noise > 0;
    const struct opening_plan_settings wanted = {.opening = &settings->opening,
                                                 .variant = source->variant,
                                                 .seed = settings->seed,
                                                 .generation = settings->generation,
                                                 .end = settings->end,
                                                 .unique = !settings->repeats && !differ};
    if (source->file != NULL || source->again != NULL) {
        return true;
    }
    char what[GAMES_NAME + 16];
    snprintf(what, sizeof what, "openings %s", stage->name);
    bool first = stage->comm->rank == 0;
    struct progress progress =
        progress_start(first ? stage->log : NULL, what, "games", wanted.end, 0);
    bool ok = opening_plan_make(plan, stage->comm, &wanted, stage->stop, first ? &progress : NULL,
                                &stage->result->stopped, err);
    if (clock_seconds() - progress.started >= 2) {
        progress_end(&progress, ok && !stage->result->stopped ? wanted.end : 0);
    }
    source->plan = plan;
    return ok &&
           (plan->repeats == 0 || !wanted.unique ||
            err_set(err, ERR_USAGE,
                    "%s: %d random half-moves make too few different openings, at least %" PRId64
                    " of %" PRId64
                    " games would be another one again; more of them, moves drawn after the "
                    "opening (temperature) or a leave to repeat are needed",
                    stage->name, settings->opening.plies, plan->repeats, wanted.end));
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
    stage->ranks = calloc((size_t)comm->size, sizeof *stage->ranks);
    bool ready = stage->ranks != NULL || err_set(err, ERR_FAILED, "out of memory for the ranks");
    bool ok = alike && ready &&
              selfplay_crew_init(&stage->worker.crew, stage->settings, stage->source, err) &&
              (comm->rank != 0 || find_tasks(stage, err));
    comm_broadcast(comm, &stage->task_count, sizeof stage->task_count);
    if (!comm_agree(comm, ok, err)) {
        return false;
    }
    if (stage->task_count > 0
            ? !plan_openings(stage, err)
            : !comm_agree(comm, comm->rank != 0 || advance_store(stage, err), err)) {
        return false;
    }
    comm_broadcast(comm, &stage->result->stopped, sizeof stage->result->stopped);
    if (stage->result->stopped) {
        return true;
    }
    if (!run_farm(stage, err)) {
        return false;
    }
    return stage->result->stopped ||
           comm_agree(comm, comm->rank != 0 || finish_store(stage, err), err);
}

bool selfplay_stage(const struct comm *comm, struct stop *stop, const struct log *log,
                    const char *directory, const struct selfplay_settings *settings,
                    const struct selfplay_source *source, const struct selfplay_watch *watch,
                    struct selfplay_result *result, struct err *err)
{
    *result = (struct selfplay_result){0};
    struct stage stage = {.comm = comm,
                          .stop = stop,
                          .log = log,
                          .directory = directory,
                          .settings = settings,
                          .source = &stage.planned,
                          .planned = *source,
                          .watch = watch,
                          .result = result};
    selfplay_name(stage.name, source->variant, settings->generation);
    selfplay_about(settings, source, stage.about);
    stage.worker = (struct selfplay_worker){.rank = comm->rank,
                                            .settings = settings,
                                            .source = &stage.planned,
                                            .place = place_of(&stage)};
    bool ok = run_stage(&stage, err);
    bool closed = game_store_close(stage.store, ok ? err : NULL);
    ok = ok && comm_agree(comm, closed, err);
    comm_broadcast(comm, result, sizeof *result);
    opening_plan_fini(&stage.plan);
    free(stage.tasks);
    free(stage.ranks);
    census_end(&stage.census);
    selfplay_crew_fini(&stage.worker.crew);
    return ok;
}
