/* The search keeps to its limits, stops when it is told to, and reports as it goes. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "engine/base/clock.h"
#include "engine/rules/notation.h"
#include "engine/search/search.h"
#include "search_support.h"
#include "support.h"

/* Seconds that a search may end late; sanitizers slow it down. */
static const double LATE = 5e-3;

/* The opening, kings wherever there is room, and the longest list of moves known: in the last two
 * depth 1 takes some 20 ms. */
enum { SLOW_POSITIONS = 3 };
static const char *const SLOW[SLOW_POSITIONS] = {
    "W:W31-50:B1-20",
    "W:WK31-50:BK1-20",
    "W:WK2,K5,K15,K46-49:BK8,K9,K18,K19,K22,K24,K27,K30,K31,K40-44",
};

static void test_node_limit(void **state)
{
    const uint64_t limits[] = {100, 1000, 1023, 1024, 12345, 100000};

    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct position start = position_start(variant->rules);
        struct search *search = make_search(variant);
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
            struct search_limits limit = {.nodes = limits[i]};
            struct search_result result = run_position(search, variant, &start, &limit);
            assert_int_equal(result.nodes, limits[i]);
            assert_true(result.has_move);
        }
        search_destroy(search);
    }
}

/* Depth 1 is searched even where the limit allows nothing. */
static void test_least(void **state)
{
    struct search_result result =
        run_fen(&variant_classic, "W:W21,22,23:B1,2,3", 0, (struct search_limits){.nodes = 1});

    (void)state;
    assert_true(result.has_move);
    assert_int_equal(result.depth, 1);
}

/* Seconds of a processor that a thread has had: on a busy machine these count, not the clock's. */
static double processor_seconds(pthread_t thread)
{
    struct timespec used;
    clockid_t id;

    assert_int_equal(pthread_getcpuclockid(thread, &id), 0);
    assert_int_equal(clock_gettime(id, &used), 0);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* The search keeps to a limit of a few milliseconds also where depth 1 alone takes longer. */
static void test_time_limit(void **state)
{
    struct search *search = make_search(&variant_international);

    (void)state;
    for (int i = 0; i < SLOW_POSITIONS; i++) {
        struct position position = position_of(&variant_international, SLOW[i]);
        for (double seconds = 1e-3; seconds < 5e-3; seconds += 1e-3) {
            struct search_limits limits = {.seconds = seconds};
            search_clear(search);
            double began = processor_seconds(pthread_self());
            struct search_result result =
                run_position(search, &variant_international, &position, &limits);
            assert_true(processor_seconds(pthread_self()) - began < seconds + LATE);
            assert_true(result.has_move && result.pv_length > 0);
            assert_true(result.seconds >= limits.seconds);
        }
    }
    search_destroy(search);
}

struct stopper {
    struct search *search;
    pthread_t searching;
    double used; /* processor_seconds of that at the stop */
};

static void *stop_soon(void *context)
{
    struct stopper *stopper = context;
    const struct timespec pause = {.tv_nsec = 5000000};

    nanosleep(&pause, NULL);
    stopper->used = processor_seconds(stopper->searching);
    search_stop(stopper->search);
    return NULL;
}

/* A stop ends the search at once, also within depth 1. */
static void test_stop(void **state)
{
    const struct search_limits limits = {.seconds = 30};
    struct stopper stopper = {.search = make_search(&variant_international),
                              .searching = pthread_self()};

    (void)state;
    for (int i = 0; i < SLOW_POSITIONS; i++) {
        struct position position = position_of(&variant_international, SLOW[i]);
        pthread_t thread;
        search_allow(stopper.search);
        assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stopper), 0);
        struct search_result result =
            run_position(stopper.search, &variant_international, &position, &limits);
        double used = processor_seconds(pthread_self());
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(result.has_move);
        assert_true(used - stopper.used < LATE);
    }
    search_destroy(stopper.search);
}

/* A stop holds until it is taken back. */
static void test_stop_holds(void **state)
{
    struct position start = position_start(variant_international.rules);
    struct search *search = make_search(&variant_international);
    struct search_limits limits = {.seconds = 30};

    (void)state;
    search_stop(search);
    for (int i = 0; i < 2; i++) {
        struct search_result result = run_position(search, &variant_international, &start, &limits);
        assert_true(result.seconds < 10);
        assert_true(result.has_move);
    }
    search_allow(search);
    limits = (struct search_limits){.depth = 4};
    struct search_result result = run_position(search, &variant_international, &start, &limits);
    assert_int_equal(result.depth, 4);
    search_destroy(search);
}

/* A limit that is set while the search runs, or just before; it counts until it is taken back. */
static void test_limit_time(void **state)
{
    struct position start = position_start(variant_international.rules);
    struct search *search = make_search(&variant_international);
    const struct search_limits endless = {.seconds = 3600}, shallow = {.depth = 4};

    (void)state;
    search_limit_time(search, 0, clock_seconds() + 0.02);
    struct search_result result = run_position(search, &variant_international, &start, &endless);
    assert_true(result.seconds < 10);
    search_allow(search);
    search_limit_time(search, clock_seconds() + 0.02, 0);
    result = run_position(search, &variant_international, &start, &endless);
    assert_true(result.seconds < 60);
    assert_true(result.depth > 1);
    search_limit_time(search, clock_seconds(), 0);
    result = run_position(search, &variant_international, &start, &endless);
    assert_int_equal(result.depth, 1);
    search_allow(search);
    result = run_position(search, &variant_international, &start, &shallow);
    assert_int_equal(result.depth, 4);
    search_destroy(search);
}

/* After the soft limit no iteration is begun; the one under way is completed. */
static void test_soft_limit(void **state)
{
    (void)state;
    for (int i = 0; i < SLOW_POSITIONS; i++) {
        const struct search_limits limits = {.seconds = 3600, .soft_seconds = 1e-9};
        struct search_result result = run_fen(&variant_international, SLOW[i], 0, limits);
        assert_int_equal(result.depth, 1);
        assert_true(result.seconds < 60);
    }
}

static bool go_on(void *context)
{
    return --*(int *)context > 0;
}

/* The caller's question ends a search, is asked often, and only while it is wanted. */
static void test_watch(void **state)
{
    struct position start = position_start(variant_international.rules);
    struct search *search = make_search(&variant_international);
    const struct search_limits limits = {.seconds = 30};
    int left = 100;

    (void)state;
    search_watch(search, go_on, &left);
    struct search_result result = run_position(search, &variant_international, &start, &limits);
    assert_int_equal(left, 0);
    assert_true(result.has_move && result.seconds < 10);
    assert_in_range(result.nodes, 100, 100000);
    left = 10;
    result = run_position(search, &variant_international, &start, &limits);
    assert_int_equal(left, 0);
    search_watch(search, NULL, NULL);
    const struct search_limits shallow = {.depth = 5};
    result = run_position(search, &variant_international, &start, &shallow);
    assert_int_equal(result.depth, 5);
    assert_int_equal(left, 0);
    search_destroy(search);
}

static bool is_legal(const struct variant *variant, const struct position *position,
                     const struct move *move)
{
    struct move_list list;

    variant->moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        if (move_equal(&list.move[i], move)) {
            return true;
        }
    }
    return false;
}

/* Limits and stops hold for several threads; each iteration is complete. */
static void test_threads(void **state)
{
    enum { THREADS = 4, NODES = 40000 };
    const struct search_limits limits[] = {
        {.depth = 9}, {.nodes = NODES}, {.seconds = 0.03}, {.depth = 1}};

    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct position start = position_start(variant->rules);
        struct search *search = make_search(variant);
        assert_true(search_use_threads(search, THREADS, NULL));
        for (size_t i = 0; i < 5 * sizeof limits / sizeof limits[0]; i++) {
            const struct search_limits *limit = &limits[i % (sizeof limits / sizeof limits[0])];
            struct search_result result = run_position(search, variant, &start, limit);
            assert_true(result.has_move && is_legal(variant, &start, &result.best));
            assert_true(limit->depth == 0 || result.depth == limit->depth);
            assert_true(limit->nodes == 0 ||
                        (result.nodes >= NODES && result.nodes < NODES + THREADS * 2000));
            assert_true(limit->seconds == 0 || result.seconds >= limit->seconds);
        }
        search_stop(search);
        const struct search_limits endless = {.depth = 0};
        assert_true(run_position(search, variant, &start, &endless).has_move);
        search_allow(search);
        /* Again alone, it is the pure function that it was. */
        assert_true(search_use_threads(search, 1, NULL));
        struct search *other = make_search(variant);
        struct search_result a = run_position(search, variant, &start, &limits[1]);
        struct search_result b = run_position(other, variant, &start, &limits[1]);
        assert_true(a.nodes == b.nodes && a.score == b.score && move_equal(&a.best, &b.best));
        search_destroy(search);
        search_destroy(other);
    }
}

struct reports {
    int count, last_depth;
};

static void count_report(void *context, const struct search_result *so_far)
{
    struct reports *reports = context;

    reports->count++;
    assert_int_equal(so_far->depth, reports->last_depth + 1);
    assert_true(so_far->has_move && so_far->pv_length > 0);
    reports->last_depth = so_far->depth;
}

/* The line reported is playable, and each iteration reports. */
static void test_report(void **state)
{
    const struct variant *variant = &variant_international;
    struct position start = position_start(variant->rules);
    struct search *search = make_search(variant);
    struct search_limits limits = {.depth = 7};
    struct reports reports = {0};
    struct game game;

    (void)state;
    assert_true(game_init(&game, variant, &start));
    struct search_result result = search_run(search, &game, &limits, count_report, &reports);
    assert_int_equal(reports.count, 7);
    for (int i = 0; i < result.pv_length; i++) {
        char text[MOVE_TEXT];
        move_write(variant->rules, &result.pv[i], text);
        assert_true(game_play_text(&game, text, NULL));
    }
    assert_in_range(result.seldepth, 7, SEARCH_PLIES);
    game_fini(&game);
    search_destroy(search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_node_limit),
        cmocka_unit_test(test_least),      cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_stop),       cmocka_unit_test(test_stop_holds),
        cmocka_unit_test(test_watch),      cmocka_unit_test(test_limit_time),
        cmocka_unit_test(test_soft_limit), cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
