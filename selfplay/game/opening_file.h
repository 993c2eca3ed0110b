/* Openings that somebody has chosen: a file of positions (FEN, one a line) or of games (PDN). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/rules/game.h"

struct opening_file {
    const struct variant *variant; /* not owned */
    struct game *opening;          /* [count]: games begun, none of them over; owned */
    int64_t count, capacity;
    uint64_t hash; /* of all positions and moves, in their order; the same on every machine */
};

/* Reads the whole content of a file, text[size] and a NUL behind it. `path` is what errors call it;
 * one that ends in ".pdn" holds games, whose tags set up a position, whose moves are played, or
 * both; any other holds a FEN a line, where `#` begins a comment. ERR_USAGE names the line: what
 * cannot be read, is of another rule set, or leaves no game to play; no opening at all. The caller
 * frees it with opening_file_fini. */
bool opening_file_read(struct opening_file *file, const struct variant *variant, const char *path,
                       const char *text, size_t size, struct err *err);

/* Takes one that is zeroed. */
void opening_file_fini(struct opening_file *file);

/* Puts the openings into a random order, a pure function of (seed, stream; see opening_stream), in
 * which each is as likely at each place. The hash stays. */
void opening_file_shuffle(struct opening_file *file, uint64_t seed, uint64_t stream);

/* Begins *game with opening `number` mod count; the caller ends it with game_fini. False when
 * memory is out. */
bool opening_file_play(const struct opening_file *file, int64_t number, struct game *game,
                       struct err *err);
