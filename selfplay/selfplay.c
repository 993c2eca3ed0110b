/* The stage, in the order in which it happens: find what is there, play what is missing, make
 * shards of all. What decides a game is selfplay_game; the rest only moves games about.
 *
 * A kill at any instant is survived because each step leaves the games in at least one whole file:
 *   while playing      each finished game is in its rank's journal; a torn tail is left out
 *   while merging      the journals stay until games/NAME.records has been renamed into place
 *   while removing     a journal that stays behind holds games found twice, counted once
 *   while sharding     shards follow from the records; those not as they should be are made again,
 *                      and each is reported to the catalogue at every call */
#include "selfplay/selfplay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/rng.h"
#include "engine/base/version.h"
#include "selfplay/farm.h"
#include "selfplay/journal.h"

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
    struct journal journal; /* fd -1: not opened, as this rank has finished no game yet */

    struct progress progress; /* rank 0's, and below */
    double started, told;
    int64_t *tasks;
    int64_t task_count;
};

/* What a finished game reports to rank 0; the game itself is in the journal. */
struct report {
    int64_t plies;
    uint64_t nodes;
    double search_seconds;
};

static bool keep_record(struct stage *stage, const struct record *record, struct err *err)
{
    char path[FILE_PATH];
    if (stage->journal.fd < 0 &&
        !(games_journal_path(path, stage->directory, stage->name, stage->comm->rank, err) &&
          journal_open(&stage->journal, path, stage->about, stage->settings->sync_seconds, err))) {
        return false;
    }
    size_t size = record_size(record);
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for a record of %zu bytes", size);
    }
    record_encode(record, stage->variant->rules, bytes);
    bool ok = journal_append(&stage->journal, bytes, size, err);
    free(bytes);
    return ok;
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
    struct report report = {record.plies - record.opening_plies, cost.nodes, cost.search_seconds};
    bool ok = keep_record(stage, &record, err);
    record_fini(&record);
    if (ok) {
        memcpy(result, &report, sizeof report);
        *size = sizeof report;
    }
    return ok;
}

/* How many games there are to be. */
static int64_t wanted(const struct selfplay_settings *settings)
{
    return settings->end - settings->first;
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    (void)task, (void)size, (void)err;
    struct stage *stage = context;
    struct selfplay_result *sum = stage->result;
    struct report report;
    memcpy(&report, result, sizeof report);
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

/* Rank 0: finds the games that are there and moves them all into games/NAME.records. */
static bool gather(struct stage *stage, struct games *games, struct err *err)
{
    if (!games_open(games, stage->directory, stage->name, stage->about, err)) {
        return false;
    }
    if (games->torn > 0) {
        log_line(stage->log, LOG_INFO,
                 "%s: %" PRId64 " files of games have a torn or broken entry, left out",
                 stage->name, games->torn);
    }
    if (games->merged || games->count == 0 || games_merge(games, stage->about, err)) {
        return true;
    }
    games_close(games);
    return false;
}

/* Rank 0: what is there, and so what is missing. No journal is left: each rank makes a new one. */
static bool find_tasks(struct stage *stage, struct err *err)
{
    struct games games;
    if (!gather(stage, &games, err)) {
        return false;
    }
    stage->task_count =
        games_missing(&games, stage->settings->first, stage->settings->end, &stage->tasks);
    stage->result->found = games.count;
    if (games.count > 0) {
        log_line(stage->log, LOG_INFO,
                 "%s: %" PRId64 " of %" PRId64 " games are there, %" PRId64 " found twice",
                 stage->name, games.count, wanted(stage->settings), games.twice);
    }
    games_close(&games);
    return stage->task_count >= 0 ||
           err_set(err, ERR_FAILED, "out of memory for %" PRId64 " games", wanted(stage->settings));
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
    bool closed = stage->journal.fd < 0 || journal_close(&stage->journal, ok ? err : NULL);
    if (ok) {
        ok = comm_agree(stage->comm, closed, err);
    }
    progress_end(&stage->progress, result->found + result->played);
    result->seconds = clock_seconds() - stage->started;
    return ok;
}

/* Whether each game that was to be played is there. */
static bool check_complete(const struct stage *stage, const struct games *games, struct err *err)
{
    int64_t *missing;
    int64_t count = games_missing(games, stage->settings->first, stage->settings->end, &missing);
    free(missing);
    return count == 0 || err_set(err, ERR_FAILED,
                                 "%s: %" PRId64 " finished games did not reach the disk whole; "
                                 "start again and they will be played again",
                                 stage->name, count);
}

/* Rank 0: moves the games out of the journals and makes the shards. */
static bool store(struct stage *stage, struct err *err)
{
    const struct selfplay_settings *settings = stage->settings;
    struct games games;
    if (!gather(stage, &games, err)) {
        return false;
    }
    struct shard_info info = {.generation = settings->generation,
                              .opening_plies = settings->opening.plies,
                              .seed = settings->seed,
                              .weights_id = weights_id(stage->variant->rules, stage->weights)};
    struct sharding_watch watch = {0};
    if (stage->watch != NULL) {
        watch = (struct sharding_watch){stage->watch->shard, stage->watch->context};
    }
    char what[GAMES_NAME + 16];
    snprintf(what, sizeof what, "shards %s", stage->name);
    struct progress progress = progress_start(stage->log, what, "games", games.count, 0);
    bool ok = check_complete(stage, &games, err) &&
              sharding_run(&games, stage->variant, &info, settings->shard_rows, &watch, stage->stop,
                           &progress, &stage->result->data, &stage->result->stopped, err);
    progress_end(&progress, stage->result->data.games);
    games_close(&games);
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
    return comm_agree(comm, comm->rank != 0 || store(stage, err), err);
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
                          .result = result,
                          .journal = {.fd = -1}};
    selfplay_name(stage.name, variant, settings->generation);
    selfplay_about(settings, variant, weights, stage.about);
    bool ok = run_stage(&stage, err);
    comm_broadcast(comm, result, sizeof *result);
    free(stage.tasks);
    search_destroy(stage.search);
    return ok;
}
