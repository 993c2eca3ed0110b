/* The board as it is drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/board/board_text.h"
#include "support.h"

static const char FEN[] = "W:W29,32,K3:B1,K30";

static void test_white_below(void **state)
{
    struct position position = position_of(&variant_classic, FEN);
    char text[BOARD_TEXT];

    (void)state;
    board_text(variant_classic.rules, &position, (struct board_style){0}, text);
    assert_string_equal(text, "  +---------------------------------+\n"
                              "  |      b       2      [W]      4  |  1-4\n"
                              "  |  5       6       7       8      |  5-8\n"
                              "  |      9      10      11      12  |  9-12\n"
                              "  | 13      14      15      16      |  13-16\n"
                              "  |     17      18      19      20  |  17-20\n"
                              "  | 21      22      23      24      |  21-24\n"
                              "  |     25      26      27      28  |  25-28\n"
                              "  |  w      [B]     31       w      |  29-32\n"
                              "  +---------------------------------+\n");
}

static void test_turned(void **state)
{
    struct position position = position_of(&variant_classic, FEN);
    char text[BOARD_TEXT];

    (void)state;
    board_text(variant_classic.rules, &position, (struct board_style){.turned = true}, text);
    assert_non_null(strstr(text, "-+\n  |      w      31      [B]      w  |  32-29\n"));
    assert_non_null(strstr(text, "  |  4      [W]      2       b      |  4-1\n  +-"));
}

/* Colours add escape sequences and change nothing else. */
static void test_colour(void **state)
{
    char text[BOARD_TEXT], plain[BOARD_TEXT], stripped[BOARD_TEXT];

    (void)state;
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct rules *rules = variant_at(i)->rules;
        struct position position = position_start(rules);
        size_t used = 0;
        board_text(rules, &position, (struct board_style){.colour = true}, text);
        board_text(rules, &position, (struct board_style){0}, plain);
        assert_true(strlen(text) > strlen(plain) && strlen(text) < BOARD_TEXT - 1);
        for (const char *at = text; *at; at++) {
            if (*at == '\033') {
                at = strchr(at, 'm');
            } else {
                stripped[used++] = *at;
            }
        }
        stripped[used] = '\0';
        assert_string_equal(stripped, plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_white_below),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
