/* Paired games farmed out. */
#include "selfplay/match/match.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/progress.h"
#include "selfplay/farm/farm.h"
#include "selfplay/strength/tally.h"

enum { DESCRIPTION = 2048 };

/* What a player plays by, in words. */
static size_t describe_player(const struct match_pool *pool, const struct match_player *player,
                              char *out, size_t size)
{
    const struct hub_limits_sent *sent = &player->engine.limits;
    const struct search_limits *limits = &player->limits;
    uint64_t weights =
        player->kind == MATCH_ENGINE ? 0 : weights_id(pool->variant->rules, player->weights);
    char threads[32] = "";

    if (player->threads > 1) {
        snprintf(threads, sizeof threads, " threads %d", player->threads);
    }

    switch (player->kind) {
    case MATCH_LEVEL:
        return (size_t)snprintf(
            out, size, "; %s: weights %016" PRIx64 " nodes %" PRIu64 " depth %d noise %d",
            player->name, weights, player->level.nodes, player->level.depth, player->level.noise);
    case MATCH_SEARCH:
        return (size_t)snprintf(out, size,
                                "; %s: search, weights %016" PRIx64 " nodes %" PRIu64
                                " depth %d seconds %g table %d%s",
                                player->name, weights, limits->nodes, limits->depth,
                                limits->seconds, player->table_bits, threads);
    case MATCH_ENGINE:
        break;
    }
    return (size_t)snprintf(
        out, size, "; %s: command '%s' parameters '%s' nodes %" PRIu64 " depth %d seconds %g",
        player->name, player->engine.command, player->engine.parameters, sent->nodes, sent->depth,
        sent->seconds);
}

static size_t describe_openings(const struct match_pool *pool, char out[DESCRIPTION])
{
    const struct opening_settings *random = &pool->opening;

    if (pool->file) {
        return (size_t)snprintf(
            out, DESCRIPTION, "seed %" PRIu64 ", %" PRId64 " openings of a file, hash %016" PRIx64,
            pool->seed, pool->file->count, pool->file->hash);
    }
    return (size_t)snprintf(out, DESCRIPTION,
                            "seed %" PRIu64 ", opening for all: plies %d bound %d nodes %" PRIu64,
                            pool->seed, random->plies, random->bound, random->nodes);
}

/* How games end before the rules end them; nothing when they do not. */
static size_t describe_ends(const struct adjudication_rules *ends, char *out, size_t size)
{
    if (!adjudication_is_on(ends)) {
        return 0;
    }
    return (size_t)snprintf(out, size, "; resign score %d plies %d, draw score %d plies %d from %d",
                            ends->resign_score, ends->resign_plies, ends->draw_score,
                            ends->draw_plies, ends->draw_from);
}

/* One line that says all that decides the games of a pairing. */
static void describe(const struct match_pool *pool, int pairing, char out[DESCRIPTION])
{
    int player[2];

    match_pairing(pool, pairing, &player[0], &player[1]);
    size_t length = describe_openings(pool, out);
    length += describe_ends(&pool->ends, out + length, DESCRIPTION - length);
    for (int side = 0; side < 2 && length < DESCRIPTION; side++) {
        length +=
            describe_player(pool, &pool->player[player[side]], out + length, DESCRIPTION - length);
    }
    assert(length < DESCRIPTION);
}

static struct catalogue_match match_of(const struct match_pool *pool, int pairing,
                                       char description[DESCRIPTION])
{
    int first, second;

    match_pairing(pool, pairing, &first, &second);
    describe(pool, pairing, description);
    return (struct catalogue_match){.rules = pool->variant->rules->name,
                                    .generation = pool->generation,
                                    .stage = pool->stage,
                                    .first = pool->player[first].name,
                                    .second = pool->player[second].name,
                                    .settings = description};
}

/* What a rank needs while it plays. */
struct playing {
    const struct match_pool *pool;
    struct match_crew crew;
    const struct log *log;
    struct catalogue *catalogue; /* rank 0 */
    int64_t id[MATCH_PAIRINGS_MAX];
    struct tally tally; /* rank 0, of a match that a test may end */
    const struct match_watch *watch;
    struct progress progress;
    int64_t found, done, total;
    double started;
};

/* Writes a pair to `out`: the struct, then its games. Returns the size. */
static size_t pack(const struct match_result *result, uint8_t *out)
{
    struct match_result head = *result;
    size_t size = sizeof head;

    head.record[0] = head.record[1] = NULL;
    memcpy(out, &head, sizeof head);
    assert(size + head.size[0] + head.size[1] <= FARM_RESULT_MAX);
    for (int game = 0; game < 2; game++) {
        memcpy(out + size, result->record[game], head.size[game]);
        size += head.size[game];
    }
    return size;
}

static bool work(void *context, struct farm_seat *seat, const struct farm_task *task, void *result,
                 size_t *size, struct err *err)
{
    struct playing *playing = context;
    int64_t number = task->number, pairings = match_pairings(playing->pool);
    struct match_result played;
    bool finished;

    bool ok = match_play_pair(playing->pool, (int)(number % pairings), number / pairings,
                              &playing->crew, seat, &played, &finished, err);
    *size = ok && finished ? pack(&played, result) : 0;
    match_result_fini(&played);
    return ok;
}

/* Says which engine lost by what. */
static void log_faults(const struct playing *playing, int pairing,
                       const struct match_result *result)
{
    int player[2];

    match_pairing(playing->pool, pairing, &player[0], &player[1]);
    for (int game = 0; game < 2; game++) {
        if (result->pair.fault[game] != FAULT_NONE) {
            int loser = player[result->pair.score[game] == 0 ? 0 : 1];
            log_line(playing->log, LOG_WARNING, "pair %" PRId64 ", game %d, %s %s",
                     result->pair.pair, game + 1, playing->pool->player[loser].name,
                     result->detail[game]);
        }
    }
}

/* The row and the games of a pair, all or none; games[] are its records' bytes. */
static bool store(struct catalogue *catalogue, int64_t match, const struct match_result *result,
                  const uint8_t *games, struct err *err)
{
    bool ok =
        catalogue_begin(catalogue, err) && catalogue_add_pair(catalogue, match, &result->pair, err);

    for (int game = 0; ok && game < 2; game++) {
        const struct catalogue_game row = {
            .pair = result->pair.pair, .game = game, .data = games, .size = result->size[game]};
        ok = catalogue_add_game(catalogue, match, &row, err);
        games += row.size;
    }
    return ok && catalogue_commit(catalogue, err);
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    struct playing *playing = context;
    struct match_result played;
    int pairing = (int)(task % match_pairings(playing->pool));

    memcpy(&played, result, sizeof played);
    const uint8_t *games = (const uint8_t *)result + size - played.size[0] - played.size[1];
    assert(games == (const uint8_t *)result + sizeof played);
    if (!store(playing->catalogue, playing->id[pairing], &played, games, err)) {
        return false;
    }
    log_faults(playing, pairing, &played);
    if (playing->pool->sprt) {
        tally_add(&playing->tally, played.pair.pair, played.pair.score[0], played.pair.score[1]);
    }
    playing->done++;
    progress_update(&playing->progress, playing->done);
    if (playing->watch && playing->watch->progress) {
        double seconds = clock_seconds() - playing->started;
        playing->watch->progress(playing->watch->context, playing->done, playing->total,
                                 (double)(playing->done - playing->found) / (seconds + 1e-9));
    }
    return true;
}

static bool enough(void *context)
{
    const struct playing *playing = context;

    return playing->tally.decision != SPRT_CONTINUE;
}

/* Appends the tasks of one pairing that have no row yet; the rows that there are go into the
 * tally. */
static bool missing_of_pairing(struct playing *playing, int pairing, int64_t *tasks, int64_t *count,
                               struct err *err)
{
    const struct match_pool *pool = playing->pool;
    struct catalogue_pair *pairs;
    size_t present, next = 0;

    if (!match_make(playing->catalogue, pool, pairing, &playing->id[pairing], err) ||
        !catalogue_pairs(playing->catalogue, playing->id[pairing], &pairs, &present, err)) {
        return false;
    }
    for (int64_t number = 0; number < match_pairs(pool, pairing); number++) {
        if (next < present && pairs[next].pair == number) {
            if (pool->sprt) {
                tally_add(&playing->tally, number, pairs[next].score[0], pairs[next].score[1]);
            }
            next++;
        } else {
            tasks[(*count)++] = number * match_pairings(pool) + pairing;
        }
    }
    free(pairs);
    return true;
}

static int compare_tasks(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Rank 0: the list of what is to be played; the caller frees it. */
static bool list_tasks(struct playing *playing, int64_t **tasks, int64_t *count, struct err *err)
{
    int pairings = match_pairings(playing->pool);

    for (int pairing = 0; pairing < pairings; pairing++) {
        playing->total += match_pairs(playing->pool, pairing);
    }
    *count = 0;
    *tasks = malloc(((size_t)playing->total + 1) * sizeof **tasks);
    if (!*tasks) {
        return err_set(err, ERR_FAILED, "out of memory for %" PRId64 " pairs", playing->total);
    }
    if (playing->pool->sprt &&
        !tally_init(&playing->tally, playing->pool->sprt, playing->pool->pairs, err)) {
        return false;
    }
    for (int pairing = 0; pairing < pairings; pairing++) {
        if (!missing_of_pairing(playing, pairing, *tasks, count, err)) {
            return false;
        }
    }
    qsort(*tasks, (size_t)*count, sizeof **tasks, compare_tasks);
    playing->found = playing->done = playing->total - *count;
    if (enough(playing)) {
        *count = 0;
    }
    return true;
}

/* Collective: finds out what is to be played (*count, on rank 0) and makes everybody ready. */
static bool prepare(const struct comm *comm, struct playing *playing, int64_t **tasks,
                    int64_t *count, struct err *err)
{
    bool ok = match_crew_init(&playing->crew, playing->pool, err) &&
              (comm->rank != 0 || list_tasks(playing, tasks, count, err));

    if (!comm_agree(comm, ok, err)) {
        return false;
    }
    bool any = comm_max(comm, *count > 0) != 0;
    return comm_agree(comm, !any || match_crew_start(&playing->crew, playing->pool, err), err);
}

bool match_play(const struct comm *comm, struct stop *stop, const struct log *log,
                struct catalogue *catalogue, const struct match_pool *pool,
                const struct match_watch *watch, bool *stopped, struct err *err)
{
    struct playing playing = {.pool = pool,
                              .log = log,
                              .catalogue = catalogue,
                              .watch = watch,
                              .started = clock_seconds()};
    struct farm farm = {
        .context = &playing, .work = work, .done = done, .enough = pool->sprt ? enough : NULL};
    char what[96];
    int64_t *tasks = NULL, count = 0;

    assert(!pool->sprt || pool->players == 2);
    bool ok = prepare(comm, &playing, &tasks, &count, err);
    if (ok) {
        snprintf(what, sizeof what, "%s %s", pool->stage, pool->variant->rules->name);
        playing.progress = progress_start(comm->rank == 0 ? log : NULL, what, "pairs",
                                          playing.total, playing.found);
        ok = farm_run(comm, &farm, stop, tasks, count, stopped, err);
        progress_end(&playing.progress, playing.done);
    }
    match_crew_fini(&playing.crew);
    tally_fini(&playing.tally);
    free(tasks);
    return ok;
}

bool match_make(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                int64_t *id, struct err *err)
{
    char description[DESCRIPTION];
    struct catalogue_match match = match_of(pool, pairing, description);

    return catalogue_match(catalogue, &match, id, err);
}

/* The match of a pairing in the catalogue; *id is 0 when none of its pairs was begun. */
static bool find_match(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                       int64_t *id, struct err *err)
{
    char description[DESCRIPTION];
    struct catalogue_match match = match_of(pool, pairing, description);

    return catalogue_find_match(catalogue, &match, id, err);
}

bool match_results(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                   struct match_results *results, struct err *err)
{
    struct catalogue_pair *pairs;
    size_t count;
    int64_t id;

    if (!find_match(catalogue, pool, pairing, &id, err) ||
        !catalogue_pairs(catalogue, id, &pairs, &count, err)) {
        return false;
    }
    bool ok = match_count(pairs, count, match_pairs(pool, pairing), pool->sprt, results, err);
    free(pairs);
    return ok;
}

bool match_scores(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                  struct pentanomial *scores, struct err *err)
{
    struct match_results results;
    bool ok = match_results(catalogue, pool, pairing, &results, err);

    if (ok) {
        *scores = results.scores;
    }
    return ok;
}
