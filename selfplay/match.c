/* Paired games farmed out. */
#include "selfplay/match.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/progress.h"
#include "engine/notation.h"
#include "selfplay/farm.h"
#include "selfplay/hash.h"
#include "selfplay/play.h"

int match_pairings(const struct match_pool *pool)
{
    return pool->players * (pool->players - 1) / 2;
}

void match_pairing(const struct match_pool *pool, int pairing, int *first, int *second)
{
    assert(pairing >= 0 && pairing < match_pairings(pool));
    *first = 0;
    while (pairing >= pool->players - 1 - *first) {
        pairing -= pool->players - 1 - *first;
        ++*first;
    }
    *second = *first + 1 + pairing;
}

static void opening_text(const struct variant *variant, const struct game *game,
                         char out[CATALOGUE_OPENING])
{
    size_t length = 0;

    out[0] = '\0';
    for (int ply = 0; ply < game->plies; ply++) {
        char move[MOVE_TEXT];
        move_write(variant->rules, &game->moves[ply], move);
        if (length + strlen(move) + 2 > CATALOGUE_OPENING) {
            return;
        }
        length += (size_t)sprintf(out + length, "%s%s", ply ? " " : "", move);
    }
}

/* Half points of the player who has `colour`. */
static int half_points(enum outcome outcome, enum colour colour)
{
    if (outcome == OUTCOME_DRAW) {
        return 1;
    }
    return (outcome == OUTCOME_WHITE_WINS) == (colour == WHITE) ? 2 : 0;
}

static bool poll_seat(void *context)
{
    return farm_poll(context);
}

/* A pair on its way. */
struct pair_task {
    const struct match_pool *pool;
    int first, second; /* players */
    int64_t number;    /* of the opening, within the pool */
    uint64_t stream;
    struct search *const *searches;
    struct farm_seat *seat;
};

/* Game `index` of the pair, on from its opening; the first player has `colour`. *finished is left
 * false when the game was given up. */
static bool play_on(const struct pair_task *task, int index, enum colour colour, struct game *game,
                    struct catalogue_pair *pair, bool *finished, struct err *err)
{
    const struct match_pool *pool = task->pool;
    const struct play_watch watch = {task->seat ? poll_seat : NULL, task->seat};
    uint64_t seed = hash_mix(hash_mix(pool->seed, task->stream), (uint64_t)index);
    struct player players[2] = {0};
    struct record record;

    players[colour] = (struct player){.search = task->searches[task->first],
                                      .level = &pool->player[task->first].level};
    players[colour_other(colour)] = (struct player){.search = task->searches[task->second],
                                                    .level = &pool->player[task->second].level};
    if (!play_game(players, seed, task->number, &watch, game, &record, NULL, err)) {
        return false;
    }
    *finished = record.outcome != OUTCOME_OPEN;
    if (*finished) {
        pair->score[index] = half_points(record.outcome, colour);
        pair->reason[index] = record.reason;
        pair->plies[index] = record.plies;
        record_fini(&record);
    }
    return true;
}

static bool play_half(const struct pair_task *task, int index, struct catalogue_pair *pair,
                      bool *finished, struct err *err)
{
    const struct match_pool *pool = task->pool;
    struct position start = position_start(pool->variant->rules);
    struct game game;

    if (!game_init(&game, pool->variant, &start)) {
        return err_set(err, ERR_FAILED, "out of memory for a game");
    }
    bool ok = opening_play(&pool->opening, pool->seed, task->stream, task->searches[task->first],
                           &game, err);
    if (ok) {
        enum colour mover = (enum colour)game_now(&game)->turn;
        opening_text(pool->variant, &game, pair->opening);
        ok = play_on(task, index, index == 0 ? mover : colour_other(mover), &game, pair, finished,
                     err);
    }
    game_fini(&game);
    return ok;
}

bool match_play_pair(const struct match_pool *pool, int pairing, int64_t number,
                     struct search *const searches[], struct farm_seat *seat,
                     struct catalogue_pair *pair, bool *finished, struct err *err)
{
    struct pair_task task = {.pool = pool,
                             .number = number * match_pairings(pool) + pairing,
                             .searches = searches,
                             .seat = seat};

    match_pairing(pool, pairing, &task.first, &task.second);
    task.stream = opening_stream(pool->variant, pool->use, pool->generation, task.number);
    memset(pair, 0, sizeof *pair);
    pair->pair = number;
    *finished = true;
    for (int index = 0; index < 2 && *finished; index++) {
        if (!play_half(&task, index, pair, finished, err)) {
            return false;
        }
    }
    return true;
}

/* One line that says all that decides the games of a pairing. */
static void describe(const struct match_pool *pool, int pairing, char *out, size_t size)
{
    int player[2];
    size_t length;

    match_pairing(pool, pairing, &player[0], &player[1]);
    length =
        (size_t)snprintf(out, size, "seed %" PRIu64 ", opening plies %d bound %d nodes %" PRIu64,
                         pool->seed, pool->opening.plies, pool->opening.bound, pool->opening.nodes);
    for (int side = 0; side < 2 && length < size; side++) {
        const struct match_player *who = &pool->player[player[side]];
        length +=
            (size_t)snprintf(out + length, size - length,
                             "; %s: weights %016" PRIx64 " nodes %" PRIu64 " depth %d noise %d",
                             who->name, weights_id(pool->variant->rules, who->weights),
                             who->level.nodes, who->level.depth, who->level.noise);
    }
}

enum { DESCRIPTION = 512 };

static struct catalogue_match match_of(const struct match_pool *pool, int pairing,
                                       char description[DESCRIPTION])
{
    int first, second;

    match_pairing(pool, pairing, &first, &second);
    describe(pool, pairing, description, DESCRIPTION);
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
    struct search *search[MATCH_PLAYERS_MAX];
    struct catalogue *catalogue; /* rank 0 */
    int64_t id[MATCH_PLAYERS_MAX * MATCH_PLAYERS_MAX / 2];
    const struct match_watch *watch;
    struct progress progress;
    int64_t found, done, total;
    double started;
};

static bool work(void *context, struct farm_seat *seat, int64_t task, void *result, size_t *size,
                 struct err *err)
{
    struct playing *playing = context;
    int pairings = match_pairings(playing->pool);
    struct catalogue_pair pair;
    bool finished;

    if (!match_play_pair(playing->pool, (int)(task % pairings), task / pairings, playing->search,
                         seat, &pair, &finished, err)) {
        return false;
    }
    *size = finished ? sizeof pair : 0;
    memcpy(result, &pair, *size);
    return true;
}

static bool done(void *context, int64_t task, const void *result, size_t size, struct err *err)
{
    struct playing *playing = context;
    struct catalogue_pair pair;
    int64_t match = playing->id[task % match_pairings(playing->pool)];

    assert(size == sizeof pair);
    memcpy(&pair, result, size);
    if (!catalogue_add_pair(playing->catalogue, match, &pair, err)) {
        return false;
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

static bool make_searches(struct playing *playing, struct err *err)
{
    for (int i = 0; i < playing->pool->players; i++) {
        playing->search[i] = search_create(playing->pool->variant, playing->pool->player[i].weights,
                                           LEVEL_TABLE_BITS, err);
        if (!playing->search[i]) {
            return false;
        }
    }
    return true;
}

/* Appends the tasks of one pairing that have no row yet. */
static bool missing_of_pairing(struct playing *playing, int pairing, int64_t *tasks, int64_t *count,
                               struct err *err)
{
    const struct match_pool *pool = playing->pool;
    char description[DESCRIPTION];
    struct catalogue_match match = match_of(pool, pairing, description);
    struct catalogue_pair *pairs;
    size_t present, next = 0;

    if (!catalogue_match(playing->catalogue, &match, &playing->id[pairing], err) ||
        !catalogue_pairs(playing->catalogue, playing->id[pairing], &pairs, &present, err)) {
        return false;
    }
    for (int64_t number = 0; number < pool->pairs; number++) {
        if (next < present && pairs[next].pair == number) {
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

    playing->total = playing->pool->pairs * pairings;
    *count = 0;
    *tasks = malloc(((size_t)playing->total + 1) * sizeof **tasks);
    if (!*tasks) {
        return err_set(err, ERR_FAILED, "out of memory for %" PRId64 " pairs", playing->total);
    }
    for (int pairing = 0; pairing < pairings; pairing++) {
        if (!missing_of_pairing(playing, pairing, *tasks, count, err)) {
            return false;
        }
    }
    qsort(*tasks, (size_t)*count, sizeof **tasks, compare_tasks);
    playing->found = playing->done = playing->total - *count;
    return true;
}

bool match_play(const struct comm *comm, struct stop *stop, const struct log *log,
                struct catalogue *catalogue, const struct match_pool *pool,
                const struct match_watch *watch, bool *stopped, struct err *err)
{
    struct playing playing = {
        .pool = pool, .catalogue = catalogue, .watch = watch, .started = clock_seconds()};
    struct farm farm = {.context = &playing, .work = work, .done = done};
    char what[96];
    int64_t *tasks = NULL, count = 0;

    bool ok = make_searches(&playing, err) &&
              (comm->rank != 0 || list_tasks(&playing, &tasks, &count, err));
    if (comm_agree(comm, ok, err)) {
        snprintf(what, sizeof what, "%s %s", pool->stage, pool->variant->rules->name);
        playing.progress = progress_start(comm->rank == 0 ? log : NULL, what, "pairs",
                                          playing.total, playing.found);
        ok = farm_run(comm, &farm, stop, tasks, count, stopped, err);
        progress_end(&playing.progress, playing.done);
    } else {
        ok = false;
    }
    for (int i = 0; i < pool->players; i++) {
        search_destroy(playing.search[i]);
    }
    free(tasks);
    return ok;
}

bool match_scores(struct catalogue *catalogue, const struct match_pool *pool, int pairing,
                  struct pentanomial *scores, struct err *err)
{
    char description[DESCRIPTION];
    struct catalogue_match match = match_of(pool, pairing, description);
    struct catalogue_pair *pairs;
    size_t count;
    int64_t id;

    *scores = (struct pentanomial){0};
    if (!catalogue_find_match(catalogue, &match, &id, err) ||
        !catalogue_pairs(catalogue, id, &pairs, &count, err)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].pair < pool->pairs) {
            pentanomial_add(scores, pairs[i].score[0], pairs[i].score[1]);
        }
    }
    free(pairs);
    return true;
}
