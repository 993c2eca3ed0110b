/* What the tests of matches share. */
#include "match_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games_support.h"

int match_setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    make_scratch(fixture->directory);
    snprintf(fixture->path, sizeof fixture->path, "%s/run.db", fixture->directory);
    fixture->catalogue = catalogue_open(fixture->path, NULL);
    assert_non_null(fixture->catalogue);
    weights_builtin(variant_classic.rules, &fixture->weights);
    fixture->player[0] = (struct match_player){.name = "random", .weights = &fixture->weights};
    fixture->player[1] = (struct match_player){
        .name = "short", .level = {.nodes = 50}, .weights = &fixture->weights};
    fixture->player[2] = (struct match_player){
        .name = "long", .level = {.nodes = 200}, .weights = &fixture->weights};
    fixture->pool = (struct match_pool){.variant = &variant_classic,
                                        .stage = "calibrate",
                                        .use = OPENING_CALIBRATION,
                                        .seed = 5,
                                        .opening = {.plies = 4},
                                        .pairs = PAIRS,
                                        .players = 3,
                                        .player = fixture->player};
    *state = fixture;
    return 0;
}

int match_teardown(void **state)
{
    struct fixture *fixture = *state;

    catalogue_close(fixture->catalogue);
    remove_scratch(fixture->directory);
    free(fixture);
    return 0;
}

void play(struct fixture *fixture, int pairing, int64_t number, struct catalogue_pair *pair)
{
    struct match_crew crew;
    struct match_result result;
    bool finished = false;

    assert_true(match_crew_init(&crew, &fixture->pool, NULL));
    assert_true(
        match_play_pair(&fixture->pool, pairing, number, &crew, NULL, &result, &finished, NULL));
    assert_true(finished);
    match_crew_fini(&crew);
    *pair = result.pair;
    match_result_fini(&result);
}

static void count_pair(void *context, int64_t done, int64_t total, double rate)
{
    (void)done;
    (void)total;
    (void)rate;
    ++*(int *)context;
}

bool match_counted(struct fixture *fixture, bool *stopped, int *played)
{
    const struct match_watch watch = {count_pair, played};
    struct comm comm = {.rank = 0, .size = 1};
    struct stop stop = {0};
    struct err err = {0};

    *played = 0;
    bool ok =
        match_play(&comm, &stop, NULL, fixture->catalogue, &fixture->pool, &watch, stopped, &err);
    if (!ok) {
        print_error("%s\n", err.text);
    }
    return ok;
}

bool match(struct fixture *fixture, bool *stopped)
{
    int played;

    return match_counted(fixture, stopped, &played);
}

int start_ranks(void **state)
{
    (void)state;
    comm_start(NULL, NULL);
    return 0;
}

int finish_ranks(void **state)
{
    (void)state;
    comm_finish();
    return 0;
}
