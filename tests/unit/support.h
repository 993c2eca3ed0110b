/* What the tests of the engine share. */
#pragma once

#include "engine/rules/game.h"
#include "engine/rules/variant.h"

/* Reads a FEN that the test knows to be good; fails the test otherwise. */
struct position position_of(const struct variant *variant, const char *fen);

/* Calls `each` for every line of a tab-separated file under tests/data that is no comment, cut
 * into `fields` fields; fails the test when a line has another number of them. Returns the number
 * of lines. */
int each_line(const char *name, int fields, void (*each)(char **field, int line, void *context),
              void *context);

/* A position from a random game: from the start when `scattered` is false, else from a random
 * placement with kings. A pure function of (variant, number). */
struct position random_position(const struct variant *variant, uint64_t number, bool scattered);

/* A game of random moves from such a position, to its end or `plies` plies. A pure function of
 * (variant, number); the caller ends it with game_fini. */
struct game random_game(const struct variant *variant, uint64_t number, bool scattered, int plies);

/* A whole file in memory, and the reverse, which does not wait for the disk. The caller frees the
 * bytes. */
uint8_t *slurp(const char *path, size_t *size);
void spit(const char *path, const void *data, size_t size);

/* A fresh directory under the system's place for temporary files; and its end with all in it. */
void make_scratch(char out[64]);
void remove_scratch(const char *directory);
