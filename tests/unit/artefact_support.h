/* Artefacts to be written, and what the tests of them say. */
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/base/file.h"

struct artefact_fixture {
    char directory[64], path[FILE_PATH];
};

/* A directory of its own for each test, in which nothing but `path` may be left. */
int artefact_setup(void **state);
int artefact_teardown(void **state);

/* An artefact in which every value differs from its neighbours. */
struct artefact artefact_full(const struct variant *variant);

/* Weights in [-100, 100] for some of the patterns, 0 for most, as a fit leaves them. */
void artefact_add_patterns(struct artefact *artefact, int set);

/* Writes one; the test fails when it cannot be. */
void artefact_put(const char *path, const struct artefact *artefact);

/* The file's bytes, to be freed. */
char *artefact_bytes(const char *path, const struct artefact *artefact, size_t *size);

void assert_same_artefact(const struct artefact *a, const struct artefact *b);
void assert_artefact_refused(const char *path, const struct variant *variant, const char *reason);
