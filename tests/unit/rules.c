/* The rules: every legal-move list of the reference positions, perft of the published tables, and
 * a comparison with the naive generator on random positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/rules/fen.h"
#include "engine/rules/notation.h"
#include "naive.h"
#include "support.h"

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The engine's moves as sorted texts. */
static int engine_moves(const struct variant *variant, const struct position *position,
                        char moves[][MOVE_TEXT])
{
    struct move_list list;

    variant->moves(position, &list);
    for (int i = 0; i < list.count; i++) {
        move_write(variant->rules, &list.move[i], moves[i]);
    }
    qsort(moves, (size_t)list.count, MOVE_TEXT, by_text);
    return list.count;
}

/* Moves joined by spaces as the reference files have them; "-" when there is none. */
static void joined_moves(const struct variant *variant, const struct position *position, char *out,
                         size_t size)
{
    char moves[MOVES_MAX][MOVE_TEXT];
    int count = engine_moves(variant, position, moves);
    size_t used = 0;

    snprintf(out, size, "-");
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "", moves[i]);
    }
}

static void check_case(char **field, int line, void *context)
{
    struct err err;
    const struct variant *variant = variant_by_name(field[0], &err);
    char moves[8192];
    bool *deep = context;

    assert_non_null(variant);
    struct position position = position_of(variant, field[1]);
    joined_moves(variant, &position, moves, sizeof moves);
    if (strcmp(moves, field[4]) != 0) {
        fail_msg("line %d: %s: %s, not %s", line, field[1], moves, field[4]);
    }
    if (*deep) {
        uint64_t leaves = perft(variant, &position, atoi(field[2]));
        if (leaves != strtoull(field[3], NULL, 10)) {
            fail_msg("line %d: %s: perft %s gives %llu, not %s", line, field[1], field[2],
                     (unsigned long long)leaves, field[3]);
        }
    }
}

static void reference_positions(void **state)
{
    bool deep = true;

    (void)state;
    assert_int_equal(each_line("rules/cases.tsv", 5, check_case, &deep), 600);
}

static void check_mistake(char **field, int line, void *context)
{
    struct err err;
    const struct variant *variant = variant_by_name(field[0], &err);
    char moves[8192];

    (void)context;
    assert_non_null(variant);
    struct position position = position_of(variant, field[1]);
    joined_moves(variant, &position, moves, sizeof moves);
    if (strcmp(moves, field[3]) != 0) {
        fail_msg("line %d (%s): %s: %s, not %s", line, field[2], field[1], moves, field[3]);
    }
}

static void usual_mistakes(void **state)
{
    (void)state;
    assert_int_equal(each_line("rules/mistakes.tsv", 4, check_mistake, NULL), 93);
}

/* rules, FEN ("start"), depth, leaves, "fast" or "slow". */
static void check_perft(char **field, int line, void *context)
{
    struct err err;
    const char *wanted = context;
    const struct variant *variant = variant_by_name(field[0], &err);

    if (strcmp(field[4], wanted) != 0) {
        return;
    }
    assert_non_null(variant);
    struct position position = strcmp(field[1], "start") == 0 ? position_start(variant->rules)
                                                              : position_of(variant, field[1]);
    uint64_t leaves = perft(variant, &position, atoi(field[2]));
    if (leaves != strtoull(field[3], NULL, 10)) {
        fail_msg("perft.tsv:%d: %s %s depth %s gives %llu, not %s", line, field[0], field[1],
                 field[2], (unsigned long long)leaves, field[3]);
    }
}

static void perft_tables(void **state)
{
    assert_int_equal(each_line("perft.tsv", 5, check_perft, *state), 72);
}

static void compare_with_naive(const struct variant *variant, const struct position *position)
{
    struct move_list list;
    char fen[FEN_SIZE];

    variant->moves(position, &list);
    if (!naive_agrees(variant, position, &list)) {
        fen_write(variant->rules, position, fen);
        fail_msg("%s %s: the two generators differ", variant->rules->name, fen);
    }
}

static void naive_generator(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        for (uint64_t number = 0; number < 12000; number++) {
            struct position played = random_position(variant_at(v), number, false);
            struct position scattered = random_position(variant_at(v), number, true);
            compare_with_naive(variant_at(v), &played);
            compare_with_naive(variant_at(v), &scattered);
        }
    }
}

/* Leaves counted by listing the moves of every position but the last ones. */
static uint64_t perft_by_lists(const struct variant *variant, const struct position *position,
                               int depth)
{
    struct move_list list;
    uint64_t leaves = 0;

    variant->moves(position, &list);
    for (int i = 0; i < list.count && depth > 1; i++) {
        struct position next = position_after(variant->rules, position, &list.move[i]);
        leaves += perft_by_lists(variant, &next, depth - 1);
    }
    return depth > 1 ? leaves : (uint64_t)list.count;
}

static void compare_with_lists(const struct variant *variant, const struct position *position)
{
    for (int depth = 1; depth <= 3; depth++) {
        uint64_t counted = perft(variant, position, depth);
        uint64_t listed = perft_by_lists(variant, position, depth);
        if (counted != listed) {
            char fen[FEN_SIZE];
            fen_write(variant->rules, position, fen);
            fail_msg("%s %s: perft %d counts %llu, the lists %llu", variant->rules->name, fen,
                     depth, (unsigned long long)counted, (unsigned long long)listed);
        }
    }
}

/* Where nobody has a king, perft counts sets of moves. */
static void perft_of_men(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        for (uint64_t number = 0; number < 3000; number++) {
            struct position played = random_position(variant, number, false);
            struct position scattered = random_position(variant, number, true);
            scattered.kings[WHITE] = scattered.kings[BLACK] = 0;
            compare_with_lists(variant, &played);
            compare_with_lists(variant, &scattered);
        }
    }
}

/* The other side of the board sees the same number of moves. */
static void mirror_symmetry(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        for (uint64_t number = 0; number < 2000; number++) {
            struct position position = random_position(variant, number, true);
            struct position mirror = position_mirror(variant->rules, &position);
            struct position back = position_mirror(variant->rules, &mirror);
            assert_true(position_equal(&position, &back));
            assert_int_equal(variant->count_moves(&position), variant->count_moves(&mirror));
        }
    }
}

int main(int argc, char *argv[])
{
    char fast[] = "fast", slow[] = "slow";
    const struct CMUnitTest usual[] = {
        cmocka_unit_test(reference_positions),
        cmocka_unit_test(usual_mistakes),
        cmocka_unit_test_prestate(perft_tables, fast),
        cmocka_unit_test(naive_generator),
        cmocka_unit_test(perft_of_men),
        cmocka_unit_test(mirror_symmetry),
    };
    const struct CMUnitTest long_ones[] = {
        cmocka_unit_test_prestate(perft_tables, slow),
    };

    if (argc > 1 && strcmp(argv[1], "slow") == 0) {
        return cmocka_run_group_tests_name("rules, slow", long_ones, NULL, NULL);
    }
    return cmocka_run_group_tests_name("rules", usual, NULL, NULL);
}
