/* A second generator that shares nothing with the engine's but the question: a plain board of
 * characters, coordinates instead of shifts, every rule asked as the rules are written. */
#pragma once

#include "engine/rules/variant.h"

enum { NAIVE_MOVES = 2048 };

/* In squares 1..50; square s is bit s - 1 of `taken`. */
struct naive_move {
    int from, to;
    int taken_count;
    uint64_t taken;
};

/* Writes all legal moves, each once. Returns their number. */
int naive_moves(const struct rules *rules, const struct position *position,
                struct naive_move moves[NAIVE_MOVES]);

/* Whether `list`, the engine's moves, has just these, the engine counts as many, and says rightly
 * whether the side to move can capture. */
bool naive_agrees(const struct variant *variant, const struct position *position,
                  const struct move_list *list);
