/* Positions taken by one game after the other. */
#include "selfplay/opening_plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 1 << 16, /* games whose positions are gathered at once */
    ATTEMPTS = 256,  /* of a game */
    HOPELESS = 256,  /* games in a row that found none; then no more is looked for */
};

/* The planning of one generation. */
struct planning {
    const struct opening_settings *settings;
    const struct variant *variant;
    uint64_t seed;
    int generation;
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
    uint64_t stream =
        opening_stream(planning->variant, OPENING_SELFPLAY, planning->generation, number);
    bool fits;

    if (!opening_attempt(planning->settings, planning->seed, stream, attempt, &planning->game,
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

/* Collective: the games from `first` on, as many as a chunk has. */
static bool plan_chunk(struct planning *planning, const struct comm *comm, int64_t first,
                       int64_t end, int64_t *keys, struct err *err)
{
    int64_t count = end - first < CHUNK ? end - first : CHUNK;
    bool ok = true;

    memset(keys, 0, (size_t)count * sizeof *keys);
    for (int64_t i = comm->rank; ok && i < count; i += comm->size) {
        uint64_t key = 0;
        ok = find_key(planning, first + i, 0, &key);
        memcpy(&keys[i], &key, sizeof key);
    }
    comm_sum(comm, keys, (size_t)count);
    for (int64_t i = 0; ok && comm->rank == 0 && i < count; i++) {
        uint64_t key;
        memcpy(&key, &keys[i], sizeof key);
        ok = plan_game(planning, first + i, key);
    }
    return comm_agree(comm, ok || err_set(err, ERR_FAILED, "out of memory for the openings"), err);
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
static bool prepare(struct planning *planning, const struct comm *comm, int64_t end)
{
    struct position start = position_start(planning->variant->rules);

    for (planning->bits = 4; (int64_t)1 << planning->bits < 2 * end;) {
        planning->bits++;
    }
    if (comm->rank == 0) {
        planning->taken = calloc((size_t)1 << planning->bits, sizeof *planning->taken);
    }
    return game_init(&planning->game, planning->variant, &start) &&
           (comm->rank != 0 || planning->taken != NULL);
}

bool opening_plan_make(struct opening_plan *plan, const struct comm *comm,
                       const struct opening_settings *settings, const struct variant *variant,
                       uint64_t seed, int generation, int64_t end, struct err *err)
{
    *plan = (struct opening_plan){0};
    struct planning planning = {.settings = settings,
                                .variant = variant,
                                .seed = seed,
                                .generation = generation,
                                .plan = plan};
    int64_t *keys = malloc(CHUNK * sizeof *keys);
    bool ok = prepare(&planning, comm, end) && keys != NULL;

    ok = comm_agree(comm, ok || err_set(err, ERR_FAILED, "out of memory for the openings"), err);
    for (int64_t first = 0; ok && first < end; first += CHUNK) {
        ok = plan_chunk(&planning, comm, first, end, keys, err);
    }
    ok = ok && share(plan, comm, err);
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
