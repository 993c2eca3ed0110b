/* Moves in and out of text, and the paths of captures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/board/path.h"
#include "engine/rules/notation.h"
#include "support.h"

struct reading {
    const struct variant *variant;
    const char *fen, *text;
    const char *expected; /* the move in the machine form, or a part of the refusal */
};

static void check_reading(const struct reading *reading, bool readable)
{
    struct position position = position_of(reading->variant, reading->fen);
    struct move move;
    struct err err = {0};
    char text[MOVE_TEXT];
    bool read = move_read(reading->variant, &position, reading->text, &move, &err);

    if (read != readable) {
        fail_msg("%s in %s: %s", reading->text, reading->fen, read ? "was read" : err.text);
    }
    if (read) {
        move_write(reading->variant->rules, &move, text);
        assert_string_equal(text, reading->expected);
    } else if (!strstr(err.text, reading->expected)) {
        fail_msg("%s in %s: %s", reading->text, reading->fen, err.text);
    } else {
        assert_int_equal(err.code, ERR_USAGE);
    }
}

#define START10 "W:W31-50:B1-20"
/* A king on 4 takes 13 and 20, and on the way 32 or 37. */
#define TWO_WAYS "W:WK4:B13,32,37,20"
/* A man takes two, by way of 17. */
#define BEND "W:W28:B22,12"

static void forms_that_are_read(void **state)
{
    static const struct reading READ[] = {
        {&variant_international, START10, "32-28", "32-28"},
        {&variant_international, START10, "032-28", "32-28"},
        {&variant_classic, "B:W21-32:B1-12", "11-15", "11-15"},
        {&variant_international, "W:W37,38:B32", "37x28", "37x28x32"},
        {&variant_international, "W:W37,38:B32", "37x28x32", "37x28x32"},
        {&variant_international, BEND, "28x8x12x22", "28x8x12x22"},
        {&variant_international, BEND, "28x8x22x12", "28x8x12x22"},
        {&variant_international, BEND, "28x8", "28x8x12x22"},
        {&variant_international, BEND, "28x17x8", "28x8x12x22"},
        {&variant_international, TWO_WAYS, "4x15x32x20x13", "4x15x13x20x32"},
        {&variant_international, "W:WK20,25,31,37:B2,K6,14,17,24,26,27", "20x20x14x17x24x27",
         "20x20x14x17x24x27"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof READ / sizeof READ[0]; i++) {
        check_reading(&READ[i], true);
    }
}

static void forms_that_are_refused(void **state)
{
    static const struct reading REFUSED[] = {
        {&variant_international, START10, "", "is not a move"},
        {&variant_international, START10, "32", "is not a move"},
        {&variant_international, START10, "32-", "is not a move"},
        {&variant_international, START10, "-28", "is not a move"},
        {&variant_international, START10, "32-28-23", "is not a move"},
        {&variant_international, START10, "32-28x23", "is not a move"},
        {&variant_international, START10, "32-28 ", "is not a move"},
        {&variant_international, START10, "32:28", "is not a move"},
        {&variant_international, START10, "32-51", "unknown square, squares are 1 to 50"},
        {&variant_classic, "B:W21-32:B1-12", "32-33", "unknown square, squares are 1 to 32"},
        {&variant_international, START10, "0-28", "unknown square"},
        {&variant_international, START10, "32-99999999999999999999", "unknown square"},
        {&variant_international, START10, "32-27-", "is not a move"},
        {&variant_international, START10, "32x28", "is not legal here; legal are 31-26, "},
        {&variant_international, START10, "32-22", "is not legal here"},
        {&variant_international, "W:W37,38:B32", "38-33", "a capture is compulsory, 37x28x32, "},
        {&variant_international, BEND, "28x17", "is not legal here; legal are 28x8x12x22"},
        {&variant_international, BEND, "28x8x12", "is not legal here"},
        {&variant_international, BEND, "28x8x12x12x22", "is not legal here"},
        {&variant_international, BEND, "28x17x22", "is not legal here"},
        {&variant_international, TWO_WAYS, "4x15",
         "is ambiguous: it fits 4x15x13x20x32, 4x15x13x20x37"},
        {&variant_international, "W:W:B5", "32-28", "has no legal move"},
        {&variant_international, "W:W28:B22",
         "1x2x3x4x5x6x7x8x9x10x11x12x13x14x15x16x17x18x19x20x21x22x23x24x25x26x27x28x29x30"
         "x31x32x33x34x35",
         "more squares"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        check_reading(&REFUSED[i], false);
    }
}

/* Each legal move's machine form reads back as that move, in any position. */
static void out_and_in(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        for (uint64_t number = 0; number < 2000; number++) {
            struct position position = random_position(variant, number, number % 2 == 0);
            struct move_list list;
            variant->moves(&position, &list);
            for (int i = 0; i < list.count; i++) {
                char text[MOVE_TEXT];
                struct move move;
                struct err err = {0};
                move_write(variant->rules, &list.move[i], text);
                assert_true(move_read(variant, &position, text, &move, &err));
                assert_true(move_equal(&move, &list.move[i]));
            }
        }
    }
}

static bool captures_alike(const struct move_list *list, const struct move *move)
{
    int alike = 0;

    for (int i = 0; i < list->count; i++) {
        alike += list->move[i].from == move->from && list->move[i].to == move->to;
    }
    return alike > 1;
}

/* Every path of every legal move, written as PDN, is read as that move or is refused because it
 * fits another with the same start and end as well. */
static void paths_read_back(void **state)
{
    int several = 0;

    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        const struct variant *variant = variant_at(v);
        for (uint64_t number = 0; number < 3000; number++) {
            struct position position = random_position(variant, number, true);
            struct move_list list;
            variant->moves(&position, &list);
            for (int i = 0; i < list.count && list.move[0].taken; i++) {
                struct path paths[16];
                int count = path_find(variant->rules, &position, &list.move[i], NULL, 0, paths, 16);
                assert_true(count > 0);
                several += count > 1;
                for (int p = 0; p < count; p++) {
                    char text[128];
                    int used = snprintf(text, sizeof text, "%d",
                                        bit_to_square(variant->rules, list.move[i].from));
                    for (int s = 0; paths[p].square[s]; s++) {
                        used += snprintf(text + used, sizeof text - (size_t)used, "x%d",
                                         paths[p].square[s]);
                    }
                    struct move move;
                    struct err err = {0};
                    bool read = move_read(variant, &position, text, &move, &err);
                    if (!read && !captures_alike(&list, &list.move[i])) {
                        fail_msg("%s: %s", text, err.text);
                    }
                    if (read && !captures_alike(&list, &list.move[i])) {
                        assert_true(move_equal(&move, &list.move[i]));
                    }
                }
            }
        }
    }
    assert_true(several > 100);
}

static void paths_of_one_capture(void **state)
{
    struct position position = position_of(&variant_international, "W:WK46:B32,23");
    struct move_list list;
    struct path paths[16];

    (void)state;
    variant_international.moves(&position, &list);
    for (int i = 0; i < list.count; i++) {
        /* It lands on 28 between the two, then beyond 23 on the square that the move names. */
        int count =
            path_find(variant_international.rules, &position, &list.move[i], NULL, 0, paths, 16);
        assert_int_equal(count, 1);
        assert_int_equal(paths[0].square[0], 28);
        assert_int_equal(paths[0].square[2], 0);
    }
    assert_int_equal(list.count, 4);
    assert_int_equal(
        path_find(variant_international.rules, &position, &list.move[0], NULL, 0, paths, 0), 0);
    uint8_t through = 27;
    assert_int_equal(
        path_find(variant_international.rules, &position, &list.move[0], &through, 1, paths, 16),
        0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_that_are_read),  cmocka_unit_test(forms_that_are_refused),
        cmocka_unit_test(out_and_in),           cmocka_unit_test(paths_read_back),
        cmocka_unit_test(paths_of_one_capture),
    };
    return cmocka_run_group_tests_name("notation", tests, NULL, NULL);
}
