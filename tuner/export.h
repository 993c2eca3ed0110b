/* A run's games and positions for other programs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"

/* All finished games as PDN, or all stored positions as CSV with the header line
 *
 *     rules,generation,game,ply,fen,score,best_move,result
 *
 * into `path`, atomically. score: hundredths of a man, side to move's view, empty when none;
 * best_move: from-to; result: points of White, 1, 0.5 or 0. *count receives the number written.
 * Only finished self-play stages are exported; ERR_USAGE when there is none, or when the directory
 * is no run. */
bool export_pdn(const char *directory, const char *path, long long *count, struct err *err);
bool export_csv(const char *directory, const char *path, long long *count, struct err *err);
