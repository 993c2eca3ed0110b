/* What the tests of matches share: a pool of three players who are quick, and its catalogue. */
#pragma once

#include "selfplay/match/match.h"

enum { PAIRS = 4 };

/* A random mover, and two players who look ahead, on the built-in weights. */
struct fixture {
    char directory[64], path[128];
    struct weights weights;
    struct match_player player[3];
    struct match_pool pool;
    struct catalogue *catalogue;
};

/* cmocka's: the fixture and its end, with one rank for all tests of a program: the farm then works
 * without a message, but MPI must have been started. */
int match_setup(void **state);
int match_teardown(void **state);
int start_ranks(void **state);
int finish_ranks(void **state);

/* One pair of the pool, as any rank would play it. */
void play(struct fixture *fixture, int pairing, int64_t number, struct catalogue_pair *pair);

/* Plays the pool's missing pairs; *played receives how many. */
bool match_counted(struct fixture *fixture, bool *stopped, int *played);
bool match(struct fixture *fixture, bool *stopped);
