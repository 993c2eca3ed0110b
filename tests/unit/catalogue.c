/* The run catalogue: what is written comes back, survives being closed or killed before a commit,
 * and files that are none are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "games_support.h"
#include "selfplay/store/catalogue_fit.h"
#include "selfplay/store/database.h"

struct fixture {
    char directory[64], path[128];
    struct catalogue *catalogue;
};

static struct catalogue *open_or_fail(const char *path)
{
    struct err err = {0};
    struct catalogue *catalogue = catalogue_open(path, &err);

    if (!catalogue) {
        fail_msg("%s", err.text);
    }
    return catalogue;
}

static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    make_scratch(fixture->directory);
    snprintf(fixture->path, sizeof fixture->path, "%s/run.db", fixture->directory);
    fixture->catalogue = open_or_fail(fixture->path);
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    catalogue_close(fixture->catalogue);
    remove_scratch(fixture->directory);
    free(fixture);
    return 0;
}

static const struct stage_key TUNE = {"classic", 2, "tune"};

static enum stage_state state_of(struct fixture *fixture, const struct stage_key *key)
{
    enum stage_state state = STAGE_MISSING;

    assert_true(catalogue_stage_state(fixture->catalogue, key, &state, NULL));
    return state;
}

static void reopen(struct fixture *fixture)
{
    catalogue_close(fixture->catalogue);
    fixture->catalogue = open_or_fail(fixture->path);
}

static void test_stages(void **state)
{
    struct fixture *fixture = *state;
    struct stage_key other = {"classic", 1, "tune"};

    assert_int_equal(state_of(fixture, &TUNE), STAGE_MISSING);
    assert_true(catalogue_stage_begin(fixture->catalogue, &TUNE, NULL));
    assert_int_equal(state_of(fixture, &TUNE), STAGE_BEGUN);
    assert_int_equal(state_of(fixture, &other), STAGE_MISSING);
    assert_true(catalogue_stage_finish(fixture->catalogue, &TUNE, NULL));
    reopen(fixture);
    assert_int_equal(state_of(fixture, &TUNE), STAGE_FINISHED);
    assert_true(catalogue_stage_begin(fixture->catalogue, &TUNE, NULL));
    assert_int_equal(state_of(fixture, &TUNE), STAGE_FINISHED);
}

static void test_figures(void **state)
{
    struct fixture *fixture = *state;
    double value = -1;
    bool found = true;

    assert_true(catalogue_figure(fixture->catalogue, &TUNE, "scale", &value, &found, NULL));
    assert_false(found);
    assert_true(value == -1);
    assert_true(catalogue_set_figure(fixture->catalogue, &TUNE, "scale", 0.25, NULL));
    assert_true(catalogue_set_figure(fixture->catalogue, &TUNE, "scale", 0.75, NULL));
    assert_true(catalogue_figure(fixture->catalogue, &TUNE, "scale", &value, &found, NULL));
    assert_true(found && value == 0.75);
}

static void test_shards_in_order_of_games(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_shard late = {"b.h5", 50, 50, 4000, UINT64_MAX}, early = {"a.h5", 0, 50, 1, 7};
    struct catalogue_shard *shards;
    size_t count;

    assert_true(catalogue_add_shard(fixture->catalogue, "classic", 0, &late, NULL));
    assert_true(catalogue_add_shard(fixture->catalogue, "classic", 0, &early, NULL));
    early.rows = 3900;
    assert_true(catalogue_add_shard(fixture->catalogue, "classic", 0, &early, NULL));
    assert_true(catalogue_shards(fixture->catalogue, "classic", 0, &shards, &count, NULL));
    assert_int_equal(count, 2);
    assert_string_equal(shards[0].name, "a.h5");
    assert_int_equal(shards[0].rows, 3900);
    assert_true(shards[1].hash == UINT64_MAX);
    assert_int_equal(shards[1].first_game, 50);
    free(shards);
    assert_true(catalogue_shards(fixture->catalogue, "flying", 0, &shards, &count, NULL));
    assert_int_equal(count, 0);
    free(shards);
}

/* What came of a match's games, in a row. */
static bool note_game(void *context, const struct catalogue_game *game, struct err *err)
{
    char *text = context;
    size_t length = strlen(text);

    (void)err;
    snprintf(text + length, 100 - length, "%d.%d %.*s;", (int)game->pair, game->game,
             (int)game->size, (const char *)game->data);
    return game->pair < 9;
}

/* Games in the order of their pairs, each as it was first put in; none in an old file, which is
 * left alone by readers and receives the table by a writer. */
static void test_games(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_match match = {"flying", 0, "match", "tuned", "built-in", "nodes 100"};
    struct catalogue_game games[] = {{9, 1, (const uint8_t *)"late", 4},
                                     {7, 1, (const uint8_t *)"second", 6},
                                     {7, 0, (const uint8_t *)"first", 5},
                                     {7, 0, (const uint8_t *)"again", 5}};
    int64_t id;
    char text[100] = "";

    assert_true(catalogue_match(fixture->catalogue, &match, &id, NULL));
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        assert_true(catalogue_add_game(fixture->catalogue, id, &games[i], NULL));
    }
    reopen(fixture);
    assert_false(catalogue_each_game(fixture->catalogue, id, note_game, text, NULL));
    assert_string_equal(text, "7.0 first;7.1 second;9.1 late;");
    text[0] = '\0';
    assert_true(catalogue_each_game(fixture->catalogue, id + 1, note_game, text, NULL));
    assert_string_equal(text, "");
    catalogue_close(fixture->catalogue);
    struct database *old = database_open(fixture->path, false, NULL);
    assert_true(database_script(old,
                                "DROP TABLE games; DROP TABLE fit_cells; DROP TABLE fit_terms;"
                                " DROP TABLE fit_surprises; DROP TABLE fit_windows;"
                                " PRAGMA user_version = 1",
                                NULL));
    database_close(old);
    fixture->catalogue = catalogue_open_readonly(fixture->path, NULL);
    assert_non_null(fixture->catalogue);
    assert_true(catalogue_each_game(fixture->catalogue, id, note_game, text, NULL));
    assert_string_equal(text, "");
    reopen(fixture);
    assert_true(catalogue_add_game(fixture->catalogue, id, &games[2], NULL));
    reopen(fixture);
    assert_true(catalogue_each_game(fixture->catalogue, id, note_game, text, NULL));
    assert_string_equal(text, "7.0 first;");
}

/* What a fit says of itself comes back in its order, is replaced, and is missing in a catalogue of
 * an older program, which opened for writing takes it. */
static void test_fits(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_cell cells[] = {{"pieces", "0-5", 10, 7, 0.5, 0.625, 0.25, 0.75, -1, 0.6},
                                     {"material", "+1", 20, 0, 0.75, 1, 0.125, 0, -1, 0.3}};
    struct catalogue_term terms[] = {{"man", 101, -102, 0.5, 1.5}};
    struct catalogue_surprise surprises[] = {{"W:W5:B1", 0.875, 0.5, 2.5}, {"W:W6:B1", 0, 1, 2}};
    struct catalogue_window windows[] = {{9, 6, 4, 2}};
    const struct catalogue_fit fit = {cells, terms, surprises, windows, 2, 1, 2, 1};
    struct catalogue_fit found;

    assert_true(catalogue_set_fit(fixture->catalogue, "classic", 1, &fit, NULL));
    assert_true(catalogue_set_fit(fixture->catalogue, "classic", 1, &fit, NULL));
    reopen(fixture);
    assert_true(catalogue_read_fit(fixture->catalogue, "classic", 0, &found, NULL));
    assert_int_equal(found.cell_count + found.term_count + found.window_count, 0);
    catalogue_fit_free(&found);
    assert_true(catalogue_read_fit(fixture->catalogue, "classic", 1, &found, NULL));
    assert_int_equal(found.cell_count, 2);
    assert_string_equal(found.cells[1].label, cells[1].label);
    assert_memory_equal(&found.cells[1].positions, &cells[1].positions,
                        sizeof cells[1] - offsetof(struct catalogue_cell, positions));
    assert_int_equal(found.term_count, 1);
    assert_string_equal(found.terms[0].name, terms[0].name);
    assert_memory_equal(&found.terms[0].opening, &terms[0].opening,
                        sizeof terms[0] - offsetof(struct catalogue_term, opening));
    assert_int_equal(found.surprise_count, 2);
    assert_string_equal(found.surprises[1].fen, surprises[1].fen);
    assert_memory_equal(&found.surprises[1].predicted, &surprises[1].predicted,
                        sizeof surprises[1] - offsetof(struct catalogue_surprise, predicted));
    assert_int_equal(found.window_count, 1);
    assert_memory_equal(found.windows, windows, sizeof windows);
    catalogue_fit_free(&found);
    catalogue_close(fixture->catalogue);
    struct database *old = database_open(fixture->path, false, NULL);
    assert_true(database_script(old,
                                "DROP TABLE fit_cells; DROP TABLE fit_terms; DROP TABLE"
                                " fit_surprises; DROP TABLE fit_windows; PRAGMA user_version = 2",
                                NULL));
    database_close(old);
    fixture->catalogue = catalogue_open_readonly(fixture->path, NULL);
    assert_non_null(fixture->catalogue);
    assert_true(catalogue_read_fit(fixture->catalogue, "classic", 1, &found, NULL));
    assert_int_equal(found.cell_count, 0);
    reopen(fixture);
    assert_true(catalogue_set_fit(fixture->catalogue, "classic", 1, &fit, NULL));
}

static void test_pairs_once_each(void **state)
{
    struct fixture *fixture = *state;
    struct catalogue_match match = {"flying", 0, "match", "tuned", "built-in", "nodes 100"};
    struct catalogue_match other = match;
    struct catalogue_pair pair = {.pair = 7,
                                  .opening = "9-13 22-18",
                                  .score = {2, 1},
                                  .reason = {END_NO_MOVES, END_REPETITION},
                                  .plies = {40, 61}};
    struct catalogue_pair *pairs;
    int64_t id, again, none;
    size_t count;

    other.settings = "nodes 200";
    assert_true(catalogue_match(fixture->catalogue, &match, &id, NULL));
    assert_true(catalogue_add_pair(fixture->catalogue, id, &pair, NULL));
    pair.score[0] = 0;
    assert_true(catalogue_add_pair(fixture->catalogue, id, &pair, NULL));
    pair.pair = 8;
    pair.reason[1] = END_NONE;
    pair.fault[1] = FAULT_FLOOD;
    assert_true(catalogue_add_pair(fixture->catalogue, id, &pair, NULL));
    pair.pair = 9;
    pair.fault[1] = FAULT_NONE;
    pair.adjudication[1] = ADJUDICATION_DRAWN;
    assert_true(catalogue_add_pair(fixture->catalogue, id, &pair, NULL));
    reopen(fixture);
    assert_true(catalogue_match(fixture->catalogue, &match, &again, NULL));
    assert_int_equal(again, id);
    assert_true(catalogue_find_match(fixture->catalogue, &other, &none, NULL));
    assert_int_equal(none, 0);
    struct stage_key key = {"flying", 0, "match"};
    struct catalogue_match_row *rows;
    assert_true(catalogue_matches(fixture->catalogue, &key, &rows, &count, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(rows[0].id, id);
    assert_string_equal(rows[0].first, "tuned");
    assert_string_equal(rows[0].second, "built-in");
    free(rows);
    key.stage = "calibrate";
    assert_true(catalogue_matches(fixture->catalogue, &key, &rows, &count, NULL));
    assert_int_equal(count, 0);
    free(rows);
    assert_true(catalogue_pairs(fixture->catalogue, id, &pairs, &count, NULL));
    assert_int_equal(count, 3);
    assert_int_equal(pairs[2].reason[1], END_NONE);
    assert_int_equal(pairs[2].fault[1], FAULT_NONE);
    assert_int_equal(pairs[2].adjudication[0], ADJUDICATION_NONE);
    assert_int_equal(pairs[2].adjudication[1], ADJUDICATION_DRAWN);
    assert_int_equal(pairs[1].adjudication[1], ADJUDICATION_NONE);
    assert_int_equal(pairs[1].reason[0], END_NO_MOVES);
    assert_int_equal(pairs[1].fault[0], FAULT_NONE);
    assert_int_equal(pairs[1].reason[1], END_NONE);
    assert_int_equal(pairs[1].fault[1], FAULT_FLOOD);
    assert_int_equal(pairs[0].fault[1], FAULT_NONE);
    assert_int_equal(pairs[0].pair, 7);
    assert_int_equal(pairs[0].score[0], 2);
    assert_int_equal(pairs[0].reason[1], END_REPETITION);
    assert_int_equal(pairs[0].plies[1], 61);
    assert_string_equal(pairs[0].opening, pair.opening);
    free(pairs);
}

static void test_curve_is_replaced(void **state)
{
    struct fixture *fixture = *state;
    const struct catalogue_pass passes[] = {{0, 0.7, 0.71}, {1, 0.6, 0.65}, {2, 0.5, 0.64}};
    struct catalogue_pass *back;
    size_t count;

    assert_true(catalogue_set_curve(fixture->catalogue, "classic", 0, passes, 3, NULL));
    assert_true(catalogue_set_curve(fixture->catalogue, "classic", 0, passes, 2, NULL));
    assert_true(catalogue_curve(fixture->catalogue, "classic", 0, &back, &count, NULL));
    assert_int_equal(count, 2);
    assert_true(back[1].pass == 1 && back[1].training == 0.6 && back[1].heldout == 0.65);
    free(back);
}

static void test_levels(void **state)
{
    struct fixture *fixture = *state;
    const struct stage_key key = {"classic", 1, "calibrate"};
    struct level_set levels = {.count = 2, .model = "score-logistic"}, back;

    levels.level[0] = (struct level){.number = 1, .name = "Beginner", .elo_error = 30, .games = 9};
    levels.level[1] = (struct level){2, "Easy", 50, 3, 120, 412.5, 31, 10};
    assert_true(catalogue_levels(fixture->catalogue, &key, &back, NULL));
    assert_int_equal(back.count, 0);
    assert_true(catalogue_set_levels(fixture->catalogue, &key, &levels, NULL));
    assert_true(catalogue_levels(fixture->catalogue, &key, &back, NULL));
    assert_int_equal(back.count, 2);
    assert_string_equal(back.model, "score-logistic");
    assert_string_equal(back.level[1].name, "Easy");
    assert_true(back.level[1].nodes == 50 && back.level[1].depth == 3);
    assert_true(back.level[1].noise == 120 && back.level[1].elo == 412.5);
    assert_true(back.level[1].elo_error == 31 && back.level[1].games == 10);
}

static void test_killed_transaction_leaves_nothing(void **state)
{
    struct fixture *fixture = *state;
    int status;

    catalogue_close(fixture->catalogue);
    fixture->catalogue = NULL;
    pid_t child = fork();
    if (child == 0) {
        struct catalogue *catalogue = catalogue_open(fixture->path, NULL);
        bool ok = catalogue && catalogue_set_figure(catalogue, &TUNE, "kept", 1, NULL) &&
                  catalogue_begin(catalogue, NULL) &&
                  catalogue_set_figure(catalogue, &TUNE, "lost", 1, NULL);
        _exit(ok ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    fixture->catalogue = catalogue_open_readonly(fixture->path, NULL);
    assert_non_null(fixture->catalogue);
    double value;
    bool found;
    assert_true(catalogue_figure(fixture->catalogue, &TUNE, "kept", &value, &found, NULL) && found);
    assert_true(catalogue_figure(fixture->catalogue, &TUNE, "lost", &value, &found, NULL));
    assert_false(found);
}

static void test_readonly_refuses_to_write(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};

    struct catalogue *reader = catalogue_open_readonly(fixture->path, &err);
    assert_non_null(reader);
    assert_false(catalogue_set_figure(reader, &TUNE, "scale", 1, &err));
    assert_non_null(strstr(err.text, fixture->path));
    catalogue_close(reader);
}

static void test_files_that_are_none(void **state)
{
    struct fixture *fixture = *state;
    char path[128];
    struct err err = {0};

    snprintf(path, sizeof path, "%s/other.db", fixture->directory);
    assert_null(catalogue_open_readonly(path, &err));
    assert_int_equal(err.code, ERR_USAGE);
    spit(path,
         (const uint8_t *)"no database, but long enough to have a header of its own, "
                          "which an empty file has not; and some more of it to be sure.",
         110);
    err = (struct err){0};
    assert_null(catalogue_open(path, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.text, path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_stages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_figures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shards_in_order_of_games, setup, teardown),
        cmocka_unit_test_setup_teardown(test_games, setup, teardown),
        cmocka_unit_test_setup_teardown(test_fits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pairs_once_each, setup, teardown),
        cmocka_unit_test_setup_teardown(test_curve_is_replaced, setup, teardown),
        cmocka_unit_test_setup_teardown(test_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed_transaction_leaves_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_readonly_refuses_to_write, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files_that_are_none, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
