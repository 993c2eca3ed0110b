/* A binary heap by number. */
#include "selfplay/store/waiting_games.h"

#include <stdlib.h>
#include <string.h>

#include "selfplay/game/record.h"

static bool make_room(struct waiting_games *waiting, struct err *err)
{
    if (waiting->count < waiting->room) {
        return true;
    }
    size_t room = 2 * waiting->room + 64;
    struct games_entry *grown = realloc(waiting->entry, room * sizeof *grown);
    if (grown == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for %zu games that wait", room);
    }
    waiting->entry = grown;
    waiting->room = room;
    return true;
}

bool waiting_games_push(struct waiting_games *waiting, const uint8_t *data, size_t size,
                        struct err *err)
{
    if (!make_room(waiting, err)) {
        return false;
    }
    uint8_t *copy = malloc(size);
    if (copy == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for a record of %zu bytes", size);
    }
    memcpy(copy, data, size);
    const struct games_entry game = {record_number(data, size), copy, (uint32_t)size, false};
    struct games_entry *heap = waiting->entry;
    size_t place = waiting->count++;
    while (place > 0 && heap[(place - 1) / 2].number > game.number) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = game;
    return true;
}

void waiting_games_pop(struct waiting_games *waiting)
{
    struct games_entry *heap = waiting->entry;
    free((uint8_t *)heap[0].data);
    const struct games_entry game = heap[--waiting->count];
    size_t place = 0, count = waiting->count;
    for (size_t child; (child = 2 * place + 1) < count; place = child) {
        child += child + 1 < count && heap[child + 1].number < heap[child].number;
        if (heap[child].number >= game.number) {
            break;
        }
        heap[place] = heap[child];
    }
    heap[place] = game;
}

void waiting_games_fini(struct waiting_games *waiting)
{
    for (size_t i = 0; i < waiting->count; i++) {
        free((uint8_t *)waiting->entry[i].data);
    }
    free(waiting->entry);
    *waiting = (struct waiting_games){0};
}
