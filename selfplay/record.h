/* One finished game as a value, and its bytes: what the journal keeps, what travels between
 * ranks, and what positions, PDN and statistics are derived from by playing it again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/game.h"

struct record_ply {
    struct move move;
    int16_t score; /* mover's view, hundredths of a man; RECORD_NO_SCORE for a random ply */
};
enum { RECORD_NO_SCORE = INT16_MIN };

struct record {
    int64_t number; /* game number within (run, rule set, generation) */
    struct position start;
    int plies;
    int opening_plies; /* random plies at the start, chosen by no player */
    enum outcome outcome;
    enum end_reason reason;
    struct record_ply *ply; /* [plies]; owned */
};

void record_fini(struct record *record);

/* Exact size and bytes of a record: little-endian, fixed layout described in docs/formats.md, the
 * same on every machine. */
size_t record_size(const struct record *record);
void record_encode(const struct record *record, const struct rules *rules, uint8_t *out);

/* The reverse; every field is checked and each move must be legal where it stands. */
bool record_decode(const uint8_t *data, size_t size, const struct variant *variant,
                   struct record *out, struct err *err);
