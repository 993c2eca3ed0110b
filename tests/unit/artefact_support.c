#include "artefact_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/base/rng.h"
#include "support.h"

int artefact_setup(void **state)
{
    struct artefact_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    make_scratch(fixture->directory);
    assert_true(file_join(fixture->path, fixture->directory, "weights.h5", NULL));
    *state = fixture;
    return 0;
}

int artefact_teardown(void **state)
{
    struct artefact_fixture *fixture = *state;
    unlink(fixture->path);
    assert_int_equal(rmdir(fixture->directory), 0); /* nothing else was left in it */
    free(fixture);
    return 0;
}

struct artefact artefact_full(const struct variant *variant)
{
    struct artefact artefact;
    artefact_builtin(variant, &artefact);
    struct rng rng = rng_make(1, RNG_TEST, 0);
    for (int i = 0; i < feature_count(variant->rules); i++) {
        artefact.weights.opening[i] = (int16_t)(rng_draw(&rng, 2 * (uint64_t)i) >> 48);
        artefact.weights.ending[i] = (int16_t)(rng_draw(&rng, 2 * (uint64_t)i + 1) >> 48);
    }
    artefact.levels.count = LEVELS_MAX;
    strcpy(artefact.levels.model, "score-logistic");
    for (int i = 0; i < LEVELS_MAX; i++) {
        struct level *level = &artefact.levels.level[i];
        *level = (struct level){.number = i + 1,
                                .nodes = (uint64_t)i << 33,
                                .depth = i,
                                .noise = 100 - i,
                                .elo = 200.5 * i,
                                .elo_error = 10.25 + i,
                                .games = 1000 + i};
        snprintf(level->name, LEVEL_NAME, "%s", level_name(i + 1));
    }
    artefact.provenance = (struct provenance){.dataset_hash = "0123abcd",
                                              .games = 5000000000,
                                              .positions = 123456,
                                              .loss_before = 0.69314718,
                                              .loss_after = 0.5,
                                              .scale = 0.8,
                                              .configuration = "fedc",
                                              .software = "Draughtsmith 0.1.0",
                                              .date = "2026-11-30T07:38:31Z"};
    return artefact;
}

static void assert_same_level(const struct level *a, const struct level *b)
{
    assert_int_equal(a->number, b->number);
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->noise, b->noise);
    assert_true(a->elo == b->elo && a->elo_error == b->elo_error);
    assert_int_equal(a->games, b->games);
}

void assert_same_artefact(const struct artefact *a, const struct artefact *b)
{
    const struct provenance *p = &a->provenance, *q = &b->provenance;
    assert_ptr_equal(a->variant, b->variant);
    assert_memory_equal(a->weights.opening, b->weights.opening, sizeof a->weights.opening);
    assert_memory_equal(a->weights.ending, b->weights.ending, sizeof a->weights.ending);
    const struct pattern_table *mine = a->weights.patterns, *yours = b->weights.patterns;
    assert_int_equal(mine != NULL, yours != NULL);
    if (mine != NULL && yours != NULL) {
        assert_int_equal(mine->count, yours->count);
        assert_memory_equal(mine->weight, yours->weight,
                            (size_t)mine->count * sizeof(struct pattern_weight));
    }
    assert_int_equal(a->levels.count, b->levels.count);
    assert_string_equal(a->levels.model, b->levels.model);
    for (int i = 0; i < a->levels.count; i++) {
        assert_same_level(&a->levels.level[i], &b->levels.level[i]);
    }
    assert_string_equal(p->dataset_hash, q->dataset_hash);
    assert_int_equal(p->games, q->games);
    assert_int_equal(p->positions, q->positions);
    assert_true(p->loss_before == q->loss_before && p->loss_after == q->loss_after);
    assert_true(p->scale == q->scale);
    assert_string_equal(p->configuration, q->configuration);
    assert_string_equal(p->software, q->software);
    assert_string_equal(p->date, q->date);
}

void assert_artefact_refused(const char *path, const struct variant *variant, const char *reason)
{
    struct err err = {0};
    struct artefact artefact;
    assert_false(artefact_read(path, variant, &artefact, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, path));
    if (strstr(err.text, reason) == NULL) {
        fail_msg("'%s' does not say '%s'", err.text, reason);
    }
}

void artefact_put(const char *path, const struct artefact *artefact)
{
    struct err err = {0};
    if (!artefact_write(path, artefact, &err)) {
        fail_msg("%s", err.text);
    }
}

char *artefact_bytes(const char *path, const struct artefact *artefact, size_t *size)
{
    artefact_put(path, artefact);
    char *data = file_read(path, SIZE_MAX, size, NULL);
    assert_non_null(data);
    return data;
}

void artefact_add_patterns(struct artefact *artefact, int set)
{
    const struct variant *variant = artefact->variant;
    struct rng rng = rng_make(1, RNG_TEST, 1);
    struct pattern_table *table = pattern_table_create(variant->rules, variant->pattern_sets[set]);
    assert_non_null(table);
    for (int i = 0; i < table->count; i += 7) {
        table->weight[i].opening = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i, 201) - 100);
        table->weight[i].ending = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i + 1, 201) - 100);
    }
    artefact->weights.patterns = table;
}
