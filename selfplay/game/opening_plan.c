/* Positions taken by one game after the other. */
#include "selfplay/game/opening_plan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "selfplay/game/opening_count.h"

enum {
    CHUNK = 1 << 16,   /* games whose positions are gathered at once */
    ATTEMPTS = 256,    /* of a game */
    HOPELESS = 256,    /* games in a row that found none; then no more is looked for */
    COUNTED = 1 << 20, /* openings; where there are more nobody counts */
};

/* The planning of one generation. */
struct planning {
    const struct opening_plan_settings *settings;
    struct stop *stop;
    struct progress *progress;
    struct game game; /* at its start, to play attempts in */
    uint64_t *taken;  /* [1 << bits] keys of positions, 0: free; rank 0; owned */
    int bits;
    int64_t capacity, in_a_row;
    struct opening_plan *plan;
};

/* The key of the position that an attempt leads to, never 0; 0 when it leaves no game to play.
 * False: memory is out. */
static bool find_key(struct planning *planning, int64_t number, int attempt, uint64_t *key)
{
    const struct opening_plan_settings *settings = planning->settings;
    uint64_t stream =
        opening_stream(settings->variant, OPENING_SELFPLAY, settings->generation, number);
    bool fits;

    if (!opening_attempt(settings->opening, settings->seed, stream, attempt, &planning->game,
                         &fits)) {
        return false;
    }
    uint64_t found = position_key(game_now(&planning->game));
    *key = !fits ? 0 : found != 0 ? found : 1;
    return true;
}

/* Takes a position; false when it was taken. */
static bool take(struct planning *planning, uint64_t key)
{
    size_t mask = ((size_t)1 << planning->bits) - 1;
    size_t at = (size_t)(key >> 8) & mask;

    for (; planning->taken[at] != 0; at = (at + 1) & mask) {
        if (planning->taken[at] == key) {
            return false;
        }
    }
    planning->taken[at] = key;
    return true;
}

static bool note(struct opening_plan *plan, int64_t *capacity, int64_t number, int attempt)
{
    if (plan->count == *capacity) {
        int64_t wider = 2 * *capacity + 256;
        struct opening_plan_entry *grown = realloc(plan->entry, (size_t)wider * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        plan->entry = grown;
        *capacity = wider;
    }
    plan->entry[plan->count++] = (struct opening_plan_entry){number, attempt};
    return true;
}

/* Rank 0: a game, whose first attempt leads to `key`. False: memory is out. */
static bool plan_game(struct planning *planning, int64_t number, uint64_t key)
{
    int attempt = 0;
    bool found = key != 0 && take(planning, key);

    while (!found && planning->in_a_row < HOPELESS && ++attempt < ATTEMPTS) {
        if (!find_key(planning, number, attempt, &key)) {
            return false;
        }
        found = key != 0 && take(planning, key);
    }
    planning->in_a_row = found ? 0 : planning->in_a_row + 1;
    planning->plan->repeats += !found;
    return !found || attempt == 0 || note(planning->plan, &planning->capacity, number, attempt);
}

static bool stops(const struct planning *planning)
{
    return planning->stop != NULL && stop_requested(planning->stop);
}

/* Rank 0: the games from `first` on, whose first attempts lead to `keys`, or less than all of them
 * when a stop comes. False: memory is out. */
static bool plan_games(struct planning *planning, int64_t first, int64_t count, const int64_t *keys)
{
    bool ok = true;

    for (int64_t i = 0; ok && i < count && !stops(planning); i++) {
        uint64_t key;
        memcpy(&key, &keys[i], sizeof key);
        ok = plan_game(planning, first + i, key);
        if (planning->progress != NULL) {
            progress_update(planning->progress, first + i + 1);
        }
    }
    return ok;
}

/* Collective: the games from `first` on, as many as a chunk has. */
static bool plan_chunk(struct planning *planning, const struct comm *comm, int64_t first,
                       int64_t *keys, bool *stopped, struct err *err)
{
    int64_t left = planning->settings->end - first, count = left < CHUNK ? left : CHUNK;
    bool ok = true;

    assert(keys != NULL);
    memset(keys, 0, (size_t)count * sizeof *keys);
    for (int64_t i = comm->rank; ok && i < count && !stops(planning); i += comm->size) {
        uint64_t key = 0;
        ok = find_key(planning, first + i, 0, &key);
        memcpy(&keys[i], &key, sizeof key);
    }
    *stopped = comm_max(comm, stops(planning)) != 0;
    if (!*stopped) {
        comm_sum(comm, keys, (size_t)count);
        ok = ok && (comm->rank != 0 || plan_games(planning, first, count, keys));
        *stopped = comm_max(comm, stops(planning)) != 0;
    }
    return comm_agree(comm, ok || err_set(err, ERR_FAILED, "out of memory for the openings"), err);
}

/* Collective: whether there are fewer openings than games; plan->repeats then says by how much. */
static bool too_few(const struct planning *planning, const struct comm *comm)
{
    const struct opening_plan_settings *settings = planning->settings;
    int64_t *repeats = &planning->plan->repeats, end = settings->end;

    if (settings->unique && comm->rank == 0) {
        int64_t limit = end < COUNTED ? end : COUNTED;
        int64_t found = opening_count(settings->variant, settings->opening->plies, limit);
        *repeats = found < limit ? end - found : 0;
    }
    comm_broadcast(comm, repeats, sizeof *repeats);
    return *repeats > 0;
}

/* Collective: rank 0's plan for everybody. */
static bool share(struct opening_plan *plan, const struct comm *comm, struct err *err)
{
    comm_broadcast(comm, &plan->count, sizeof plan->count);
    comm_broadcast(comm, &plan->repeats, sizeof plan->repeats);
    if (comm->rank != 0) {
        plan->entry = malloc(((size_t)plan->count + 1) * sizeof *plan->entry);
    }
    bool ok = comm->rank == 0 || plan->entry != NULL ||
              err_set(err, ERR_FAILED, "out of memory for the openings");
    if (!comm_agree(comm, ok, err)) {
        return false;
    }
    comm_broadcast(comm, plan->entry, (size_t)plan->count * sizeof *plan->entry);
    return true;
}

/* Makes room; false when memory is out. */
static bool prepare(struct planning *planning, const struct comm *comm)
{
    const struct opening_plan_settings *settings = planning->settings;
    struct position start = position_start(settings->variant->rules);

    for (planning->bits = 4; (int64_t)1 << planning->bits < 2 * settings->end;) {
        planning->bits++;
    }
    if (comm->rank == 0) {
        planning->taken = calloc((size_t)1 << planning->bits, sizeof *planning->taken);
    }
    return game_init(&planning->game, settings->variant, &start) &&
           (comm->rank != 0 || planning->taken != NULL);
}

bool opening_plan_make(struct opening_plan *plan, const struct comm *comm,
                       const struct opening_plan_settings *settings, struct stop *stop,
                       struct progress *progress, bool *stopped, struct err *err)
{
    *plan = (struct opening_plan){0};
    *stopped = false;
    struct planning planning = {
        .settings = settings, .stop = stop, .progress = progress, .plan = plan};
    if (too_few(&planning, comm)) {
        return true;
    }
    int64_t *keys = malloc(CHUNK * sizeof *keys);
    bool ok = prepare(&planning, comm) && keys != NULL;

    ok = comm_agree(comm, ok || err_set(err, ERR_FAILED, "out of memory for the openings"), err);
    for (int64_t first = 0; ok && !*stopped && first < settings->end; first += CHUNK) {
        ok = plan_chunk(&planning, comm, first, keys, stopped, err);
    }
    ok = ok && (*stopped || share(plan, comm, err));
    free(keys);
    free(planning.taken);
    game_fini(&planning.game);
    return ok;
}

void opening_plan_fini(struct opening_plan *plan)
{
    free(plan->entry);
    *plan = (struct opening_plan){0};
}

static int by_number(const void *a, const void *b)
{
    const struct opening_plan_entry *one = a, *other = b;

    return (one->number > other->number) - (one->number < other->number);
}

int opening_plan_attempt(const struct opening_plan *plan, int64_t number)
{
    const struct opening_plan_entry wanted = {.number = number};

    if (plan == NULL || plan->count == 0) {
        return 0;
    }
    const struct opening_plan_entry *found =
        bsearch(&wanted, plan->entry, (size_t)plan->count, sizeof wanted, by_number);
    return found != NULL ? (int)found->attempt : 0;
}
