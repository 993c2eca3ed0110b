/* What time makes of the store: games that nobody goes on with, and what need not be kept. */
#pragma once

#include "daemon/store/store.h"

enum { SWEEP_GAMES = 64 };

/* The ids of open games in which nothing has happened since `before`, at most SWEEP_GAMES. */
bool store_idle_games(struct store *store, int64_t before, char out[SWEEP_GAMES][GAME_ID],
                      int *count, struct err *err);
