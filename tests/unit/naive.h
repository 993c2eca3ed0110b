/* A second generator that shares nothing with the engine's but the question: a plain board of
 * characters, coordinates instead of shifts, every rule asked as the rules are written. */
#pragma once

#include "engine/variant.h"

enum { NAIVE_MOVES = 2048, NAIVE_TEXT = 96 };

/* Writes all legal moves in the machine form, sorted and without doubles. Returns their number. */
int naive_moves(const struct rules *rules, const struct position *position,
                char moves[NAIVE_MOVES][NAIVE_TEXT]);
