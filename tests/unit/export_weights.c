/* Weights as CSV: every dense weight, the patterns that have one, and how often each was seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/artefact/artefact.h"
#include "games_support.h"
#include "selfplay/store/run.h"
#include "selfplay/store/shard.h"
#include "tuner/export.h"
#include "tuner/stage.h"

/* One shard of generation 0: the start position, then the same with White to move. */
static void store_positions(const char *directory, struct catalogue *catalogue)
{
    const struct variant *variant = &variant_classic;
    struct shard_row rows[] = {{.position = position_start(variant->rules)},
                               {.position = position_start(variant->rules), .ply = 1}};
    struct shard_info info = {.seed = 1};
    struct catalogue_shard shard = {.name = "classic-g0-0000.h5", .games = 1, .rows = 2};
    char path[FILE_PATH];

    rows[1].position.turn = WHITE;
    assert_true(file_join(path, directory, "shards", NULL));
    assert_true(file_make_directories(path, NULL));
    assert_true(run_shard_path(path, directory, shard.name, NULL));
    assert_true(shard_write(path, variant, &info, rows, 2, NULL));
    assert_true(catalogue_add_shard(catalogue, variant->rules->name, 0, &shard, NULL));
}

/* Weights of which king_square.5, state 5 of the first window and its state at the start are known.
 */
static void store_weights(const char *directory, struct catalogue *catalogue)
{
    const struct variant *variant = &variant_classic;
    const struct pattern_set *set = variant->pattern_sets[0];
    struct stage_key key = stage_key_of(variant, 0, STAGE_TUNE);
    struct artefact artefact;
    char path[FILE_PATH];

    artefact_builtin(variant, &artefact);
    artefact.weights.ending[feature_range(variant->rules, FEATURE_KING_SQUARE).first + 4] = -7;
    artefact.weights.patterns = pattern_table_create(variant->rules, set);
    assert_non_null(artefact.weights.patterns);
    artefact.weights.patterns->weight[5].opening = 12;
    struct position start = position_start(variant->rules);
    uint32_t index[PATTERN_ACTIVE_MAX];
    set->indices(start.men, index);
    artefact.weights.patterns->weight[index[0]].ending = -3;
    assert_true(file_join(path, directory, "weights", NULL));
    assert_true(file_make_directories(path, NULL));
    assert_true(run_weights_path(path, directory, variant, 0, NULL));
    assert_true(artefact_write(path, &artefact, NULL));
    weights_fini(&artefact.weights);
    assert_true(catalogue_stage_begin(catalogue, &key, NULL));
    assert_true(catalogue_stage_finish(catalogue, &key, NULL));
}

static void test_csv(void **state)
{
    char directory[64], path[FILE_PATH];
    long long count = 0;

    (void)state;
    make_scratch(directory);
    assert_true(run_catalogue_path(path, directory, NULL));
    struct catalogue *catalogue = catalogue_open(path, NULL);
    store_positions(directory, catalogue);
    store_weights(directory, catalogue);
    catalogue_close(catalogue);

    assert_true(file_join(path, directory, "weights.csv", NULL));
    assert_true(export_weights(directory, path, &count, NULL));
    char *text = file_read(path, 1 << 20, NULL, NULL);
    assert_non_null(text);
    assert_int_equal(count, 2 * (feature_count(variant_classic.rules) + 2));
    assert_non_null(strstr(text, "\nclassic,0,man,opening,100,0\n"));
    assert_non_null(strstr(text, "\nclassic,0,turn,ending,0,2\n"));
    assert_non_null(strstr(text, "\nclassic,0,king_square.5,ending,-7,0\n"));
    /* State 5 is 2 + 1 * 3: never seen. */
    assert_non_null(strstr(text, "\nclassic,0,pattern.1.21"));
    assert_non_null(strstr(text, ",opening,12,0\n"));
    /* What White sees of the start position, in both positions. */
    assert_non_null(strstr(text, ",ending,-3,2\n"));
    free(text);
    remove_scratch(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_csv)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
