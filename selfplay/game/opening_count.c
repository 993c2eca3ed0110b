/* Half-move by half-move: the positions that follow on those of the half-move before, each once. */
#include "selfplay/game/opening_count.h"

#include <stdbool.h>
#include <stdlib.h>

/* Positions after a number of half-moves. */
struct layer {
    struct position *position; /* [count]; owned */
    int64_t count, room;
};

/* Keys of a layer's positions, 0: free. */
struct keys {
    uint64_t *key; /* [mask + 1]; owned */
    uint64_t mask;
};

/* False when the key was there. */
static bool take(struct keys *keys, uint64_t key)
{
    uint64_t wanted = key != 0 ? key : 1, at = (wanted >> 8) & keys->mask;
    for (; keys->key[at] != 0; at = (at + 1) & keys->mask) {
        if (keys->key[at] == wanted) {
            return false;
        }
    }
    keys->key[at] = wanted;
    return true;
}

/* False when it is full. */
static bool put(struct layer *layer, const struct position *position)
{
    if (layer->count == layer->room) {
        return false;
    }
    layer->position[layer->count++] = *position;
    return true;
}

/* Fills `next` with what follows on `now`; false when it is full. */
static bool follow(const struct variant *variant, const struct layer *now, struct layer *next,
                   struct keys *keys)
{
    next->count = 0;
    for (uint64_t i = 0; i <= keys->mask; i++) {
        keys->key[i] = 0;
    }
    for (int64_t i = 0; i < now->count; i++) {
        struct move_list list;
        variant->moves(&now->position[i], &list);
        for (int k = 0; k < list.count; k++) {
            struct position after =
                position_after(variant->rules, &now->position[i], &list.move[k]);
            if (variant->count_moves(&after) > 0 && take(keys, position_key(&after)) &&
                !put(next, &after)) {
                return false;
            }
        }
    }
    return true;
}

/* The same as opening_count, in the room that it has been given. */
static int64_t count(const struct variant *variant, int plies, int64_t limit, struct layer layer[2],
                     struct keys *keys)
{
    struct position start = position_start(variant->rules);
    put(&layer[0], &start);
    for (int ply = 0; ply < plies; ply++) {
        if (!follow(variant, &layer[ply % 2], &layer[(ply + 1) % 2], keys)) {
            return limit;
        }
    }
    return layer[plies % 2].count;
}

int64_t opening_count(const struct variant *variant, int plies, int64_t limit)
{
    struct layer layer[2] = {{.room = limit}, {.room = limit}};
    struct keys keys = {.mask = 15};
    while ((int64_t)keys.mask < 2 * limit) {
        keys.mask = 2 * keys.mask + 1;
    }
    keys.key = malloc(((size_t)keys.mask + 1) * sizeof *keys.key);
    for (int i = 0; i < 2; i++) {
        layer[i].position = malloc((size_t)limit * sizeof *layer[i].position);
    }
    bool room = keys.key != NULL && layer[0].position != NULL && layer[1].position != NULL;
    int64_t found = room && limit > 0 ? count(variant, plies, limit, layer, &keys) : limit;
    free(keys.key);
    free(layer[0].position);
    free(layer[1].position);
    return found;
}
