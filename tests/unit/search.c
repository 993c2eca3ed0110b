/* The search: against a plain minimax, and on ends of games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/rules/notation.h"
#include "engine/search/search.h"
#include "search_support.h"
#include "support.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_forced_end),
        cmocka_unit_test(test_forced_end_by_threads),
        cmocka_unit_test(test_won_soon),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_single_move),
        cmocka_unit_test(test_no_move),
        cmocka_unit_test(test_quiet_rule),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
