/* Games that wait for those before them: a heap with the lowest number first. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/store/games.h"

struct waiting_games {
    struct games_entry *entry; /* [count], entry[0] the lowest; with their data owned */
    size_t count, room;
};

/* Takes in a copy of an encoded record. */
bool waiting_games_push(struct waiting_games *waiting, const uint8_t *data, size_t size,
                        struct err *err);

/* Gives up the lowest; there must be one. */
void waiting_games_pop(struct waiting_games *waiting);

void waiting_games_fini(struct waiting_games *waiting);
