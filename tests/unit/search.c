/* The search: against a plain minimax, on ends of games, within its limits. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "engine/base/clock.h"
#include "engine/base/rng.h"
#include "engine/notation.h"
#include "engine/search.h"
#include "support.h"

enum { TABLE_BITS = 14 };

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

/* The built-in weights, and small ones, all different, for all else. */
static struct weights test_weights(const struct variant *variant)
{
    struct rng rng = rng_make(4, RNG_TEST, 0);
    struct weights weights;

    weights_builtin(variant->rules, &weights);
    for (int i = feature_range(variant->rules, FEATURE_TURN).first; i < FEATURES_MAX; i++) {
        weights.opening[i] = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i, 21) - 10);
        weights.ending[i] = (int16_t)((int)rng_below(&rng, 2 * (uint64_t)i + 1, 21) - 10);
    }
    return weights;
}

static struct search *make_search(const struct variant *variant)
{
    struct weights weights = test_weights(variant);
    struct search *search = search_create(variant, &weights, TABLE_BITS, NULL);

    assert_non_null(search);
    return search;
}

static struct search_result run_position(struct search *search, const struct variant *variant,
                                         const struct position *position,
                                         const struct search_limits *limits)
{
    struct game game;

    assert_true(game_init(&game, variant, position));
    search_clear(search);
    struct search_result result = search_run(search, &game, limits, NULL, NULL);
    game_fini(&game);
    return result;
}

static struct search_result run_fen(const struct variant *variant, const char *fen, int quiet_plies,
                                    struct search_limits limits)
{
    struct position position = position_of(variant, fen);
    struct search *search = make_search(variant);

    position.quiet_plies = (uint8_t)quiet_plies;
    struct search_result result = run_position(search, variant, &position, &limits);
    search_destroy(search);
    return result;
}

static void assert_best(const struct variant *variant, const struct search_result *result,
                        const char *expected)
{
    char text[MOVE_TEXT];

    assert_true(result->has_move);
    assert_true(result->pv_length > 0 && move_equal(&result->best, &result->pv[0]));
    move_write(variant->rules, &result->best, text);
    assert_string_equal(text, expected);
}

/* What the search means by a score, without window, order or table. */
static int plain(const struct variant *variant, const struct weights *weights,
                 const struct position *position, int depth, int ply)
{
    struct move_list list;
    enum colour them = colour_other((enum colour)position->turn);
    int best = -SCORE_WON;

    variant->moves(position, &list);
    if (list.count == 0) {
        return -(SCORE_WON - ply);
    }
    int most = SCORE_WON;
    if (depth <= 0 && list.move[0].taken == 0) {
        most = variant->evaluate(position, weights);
        if (depth < 0 || !variant->can_capture(position, them)) {
            return most;
        }
    } else if (list.count == 1) {
        depth++;
    }
    for (int i = 0; i < list.count; i++) {
        struct position next = position_after(variant->rules, position, &list.move[i]);
        int score = -plain(variant, weights, &next, depth - 1, ply + 1);
        best = score > best ? score : best;
    }
    return best < most ? best : most;
}

static void test_plain(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct weights weights = test_weights(variant);
        struct search *search = make_search(variant);
        for (uint64_t n = 0; n < 600; n++) {
            struct position position = random_position(variant, n, n % 2 == 0);
            struct search_limits limits = {.depth = 1 + (int)(n / 2 % 2)};
            if (n % 2 == 0 && bit_count(pieces_all(&position)) > 9) {
                continue;
            }
            struct search_result result = run_position(search, variant, &position, &limits);
            if (result.has_move && result.depth == limits.depth) {
                int expected = plain(variant, &weights, &position, limits.depth, 0);
                assert_int_equal(result.score, expected);
            }
        }
        search_destroy(search);
    }
}

/* The end within `depth` plies with best play, else 0. */
static int forced_end(const struct variant *variant, const struct position *position, int depth,
                      int ply, int alpha, int beta)
{
    struct move_list list;

    variant->moves(position, &list);
    if (list.count == 0) {
        return -(SCORE_WON - ply);
    }
    if (depth == 0) {
        return 0;
    }
    for (int i = 0; i < list.count && alpha < beta; i++) {
        struct position next = position_after(variant->rules, position, &list.move[i]);
        int score = -forced_end(variant, &next, depth - 1, ply + 1, -beta, -alpha);
        alpha = score > alpha ? score : alpha;
    }
    return alpha;
}

/* Wins and losses within PLIES: none is announced that is not there, none sooner than it comes, and
 * though the search is selective it finds nearly all when it is a little deeper; by any number of
 * threads. */
static void assert_forced_ends(int threads, uint64_t positions)
{
    enum { PLIES = 6 };

    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct search *search = make_search(variant);
        struct search_limits limits = {.depth = PLIES + 4};
        uint64_t ends = 0, exact = 0;
        assert_true(search_use_threads(search, threads, NULL));
        for (uint64_t n = 0; n < positions; n++) {
            struct position position = random_position(variant, n, true);
            if (bit_count(pieces_all(&position)) > 5 || variant->count_moves(&position) < 2) {
                continue;
            }
            int end = forced_end(variant, &position, PLIES, 0, -SCORE_WON, SCORE_WON);
            int score = run_position(search, variant, &position, &limits).score;
            if (abs(score) > SCORE_OPEN_MAX && end != 0) {
                assert_true((score > 0) == (end > 0));
            }
            assert_true(abs(score) < SCORE_WON - PLIES || abs(score) <= abs(end));
            ends += end != 0;
            exact += end != 0 && score == end;
        }
        assert_in_range(ends, positions / 120, positions);
        assert_in_range(exact, ends - ends / 10, ends);
        search_destroy(search);
    }
}

static void test_forced_end(void **state)
{
    (void)state;
    assert_forced_ends(1, 6000);
}

static void test_forced_end_by_threads(void **state)
{
    (void)state;
    assert_forced_ends(3, 2000);
}

/* Where a win has been found, the search for a shorter one is as selective as any other: this one
 * took a hundred million nodes when moves were not reduced there. */
static void test_won_soon(void **state)
{
    (void)state;
    struct search_limits limits = {.depth = 24, .nodes = 4000000};
    const struct variant *variant = &variant_international;
    struct position position = position_of(variant, "W:WK2,26,28,44,45:B10,24,25,30,35");
    struct weights weights;
    weights_builtin(variant->rules, &weights);
    struct search *search = search_create(variant, &weights, 20, NULL);
    assert_non_null(search);
    struct search_result result = run_position(search, variant, &position, &limits);
    assert_true(result.score > SCORE_OPEN_MAX);
    assert_in_range(result.nodes, 1, limits.nodes - 1);
    search_destroy(search);
}

static void test_same_again(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        struct search *one = make_search(variant), *two = make_search(variant);
        struct search_limits limits = {.nodes = 20000, .noise = 10, .noise_seed = 3};
        for (uint64_t n = 0; n < 10; n++) {
            struct position position = random_position(variant, n, n % 2 == 0);
            struct search_result a = run_position(one, variant, &position, &limits);
            struct search_result b = run_position(one, variant, &position, &limits);
            struct search_result c = run_position(two, variant, &position, &limits);
            assert_true(a.nodes == b.nodes && a.nodes == c.nodes);
            assert_true(a.score == b.score && a.score == c.score);
            assert_true(move_equal(&a.best, &b.best) && move_equal(&a.best, &c.best));
        }
        search_destroy(one);
        search_destroy(two);
    }
}

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
    (void)state;
    for (int i = 0; i < SLOW_POSITIONS; i++) {
        for (double seconds = 1e-3; seconds < 5e-3; seconds += 1e-3) {
            struct search_limits limits = {.seconds = seconds};
            double began = processor_seconds(pthread_self());
            struct search_result result = run_fen(&variant_international, SLOW[i], 0, limits);
            assert_true(processor_seconds(pthread_self()) - began < seconds + LATE);
            assert_true(result.has_move && result.pv_length > 0);
            assert_true(result.seconds >= limits.seconds);
        }
    }
}

static void test_single_move(void **state)
{
    struct search_result result = run_fen(&variant_international, "W:W28,38,48:B23,1", 0,
                                          (struct search_limits){.nodes = 1000000});

    (void)state;
    assert_best(&variant_international, &result, "28x19x23");
    assert_int_equal(result.depth, 1);
    result = run_fen(&variant_international, "W:W28,38,48:B23,1", 0,
                     (struct search_limits){.depth = 5, .analyse = true});
    assert_best(&variant_international, &result, "28x19x23");
    assert_int_equal(result.depth, 5);
}

static void test_no_move(void **state)
{
    struct search_result result =
        run_fen(&variant_classic, "B:WK32:B28", 0, (struct search_limits){.depth = 3});

    (void)state;
    assert_false(result.has_move);
    assert_int_equal(result.score, -SCORE_WON);
}

/* The last half-move before the 25-move rule: the king's is a draw, the man's goes on, the one
 * that leaves no move wins. */
static void test_quiet_rule(void **state)
{
    const struct search_limits limits = {.depth = 5};
    struct search_result result;

    (void)state;
    result = run_fen(&variant_classic, "B:WK32,K31,K30:BK1", 49, limits);
    assert_int_equal(result.score, 0);
    result = run_fen(&variant_classic, "B:WK32,K31,K30:BK1", 0, limits);
    assert_in_range(-result.score, 300, SCORE_WON);
    result = run_fen(&variant_classic, "W:WK32,21:BK1", 49, limits);
    assert_best(&variant_classic, &result, "21-17");
    result = run_fen(&variant_classic, "W:WK27:B28", 49, limits);
    assert_best(&variant_classic, &result, "27-32");
    assert_int_equal(result.score, SCORE_WON - 1);
    result =
        run_fen(&variant_classic, "B:WK5,K17,K30:BK8,20", 42, (struct search_limits){.depth = 12});
    assert_int_equal(result.score, 0); /* not what the table knows of earlier half-moves */
    result = run_fen(&variant_classic, "W:WK27:BK1", 60, limits);
    assert_true(result.has_move);
    assert_int_equal(result.score, 0);
}

/* Black, far behind, may bring about a position for the third time. */
static void test_repetition(void **state)
{
    const struct variant *variant = &variant_classic;
    struct position position = position_of(variant, "W:WK32,K31,K30:BK1");
    struct search *search = make_search(variant);
    struct search_limits limits = {.depth = 4};
    struct game game;

    (void)state;
    assert_true(game_init(&game, variant, &position));
    assert_true(game_play_text(&game, "32-28 1-6 28-32 6-1 32-28 1-6 28-32", NULL));
    struct search_result result = search_run(search, &game, &limits, NULL, NULL);
    assert_best(variant, &result, "6-1");
    assert_int_equal(result.score, 0);

    game_take_back(&game);
    game_take_back(&game);
    game_take_back(&game);
    game_take_back(&game);
    search_clear(search);
    result = search_run(search, &game, &limits, NULL, NULL);
    assert_in_range(-result.score, 300, SCORE_WON);
    game_fini(&game);
    search_destroy(search);
}

/* No score is shifted by more than the noise, and another seed shifts it otherwise. */
static void test_noise(void **state)
{
    const struct variant *variant = &variant_flying;
    struct search *search = make_search(variant);
    int shifted = 0, searched = 0;

    (void)state;
    for (uint64_t n = 0; n < 200; n++) {
        struct position position = random_position(variant, n, false);
        struct search_limits limits = {.depth = 2};
        struct search_result clear = run_position(search, variant, &position, &limits);
        limits.noise = 25;
        limits.noise_seed = n;
        struct search_result blurred = run_position(search, variant, &position, &limits);
        assert_in_range(blurred.score - clear.score + 25, 0, 50);
        shifted += blurred.score != clear.score;
        searched += clear.has_move;
    }
    assert_in_range(shifted, searched / 2, searched);
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
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_forced_end),
        cmocka_unit_test(test_forced_end_by_threads),
        cmocka_unit_test(test_won_soon),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_node_limit),
        cmocka_unit_test(test_least),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_single_move),
        cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_quiet_rule),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_holds),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_limit_time),
        cmocka_unit_test(test_soft_limit),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
