/* A run's games, positions and weights for other programs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/err.h"

/* All finished games as PDN, or all stored positions as CSV with the header line
 *
 *     rules,generation,game,ply,fen,score,best_move,result
 *
 * into `path`, atomically. score: hundredths of a man, side to move's view, empty when none;
 * best_move: from-to, empty when none; result: points of White, 1, 0.5 or 0. *count receives the
 * number written. Only finished self-play stages are exported; ERR_USAGE when there is none, or
 * when the directory is no run. */
bool export_pdn(const char *directory, const char *path, long long *count, struct err *err);
bool export_csv(const char *directory, const char *path, long long *count, struct err *err);

/* The same of the weights of all finished tune stages, with the header line
 *
 *     rules,generation,feature,phase,weight,positions
 *
 * feature: the group of engine/eval/feature.h, with its number from 1 where the group has several
 * (of man_square and king_square: the square as its owner sees the board), `man_square.31`; of a
 * pattern `pattern.WINDOW.STATE`, the window's number from 1 and the state's ternary digits, the
 * lowest first (engine/eval/pattern.h). phase: opening or ending; weight: hundredths of a man;
 * positions: how many of the generation's stored positions have the feature. Of patterns those
 * with a weight that is not 0 are written, of the rest all. */
bool export_weights(const char *directory, const char *path, long long *count, struct err *err);
