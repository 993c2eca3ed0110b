/* What the tests of records, journals and shards share. */
#pragma once

#include "engine/rules/variant.h"
#include "selfplay/game/record.h"
#include "tests/unit/support.h"

/* A finished game of random moves, the first six of them as its opening, with made-up scores: a
 * pure function of (variant, number). The caller frees it with record_fini. */
struct record random_record(const struct variant *variant, int64_t number);

/* The encoded bytes of a record; the caller frees them. */
uint8_t *encoded(const struct variant *variant, const struct record *record, size_t *size);

/* A directory of make_scratch as cmocka's state of a test, and the path of what the test makes in
 * it. */
struct scratch {
    char directory[64], path[128];
};
int scratch_setup(void **state, const char *name);
int scratch_teardown(void **state);
