/* Each idea by a position that has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "daemon/game/idea.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"

static void test_ideas(void **state)
{
    static const struct {
        const char *fen, *move, *name;
    } CASES[] = {
        {"W:WK4:B13,20,32,37", "4x15x13x20x32", "takes"},
        {"W:W31:B1", "31-26", "quiet"},
        {"W:W46:B1", "46-41", "only-move"},
        {"W:W7,44:B45", "7-1", "crowns"},
        {"W:W39,44:B6,35", "39-33", "quiet"},
        {"W:W33,34:B24", "34-29", "threatens"},
        {"W:W29,38:B20,24", "38-33", "guards"},
        {"W:W44,45:B35", "45-40", "ends-the-game"},
        {"W:W32,38,43:B21,23", "32-28", "shot"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        const struct variant *variant = &variant_international;
        struct position position;
        struct move move;
        struct err err;
        char text[IDEA_TEXT];
        assert_true(fen_read(variant->rules, CASES[i].fen, &position, &err));
        if (!move_read(variant, &position, CASES[i].move, &move, &err)) {
            fail_msg("%s", err.text);
        }
        enum idea idea = idea_of(variant, &position, &move);
        if (strcmp(idea_name(idea), CASES[i].name) != 0) {
            fail_msg("%s %s: %s, not %s", CASES[i].fen, CASES[i].move, idea_name(idea),
                     CASES[i].name);
        }
        idea_write(idea, &move, text);
        assert_true(strlen(text) > 10 && text[strlen(text) - 1] == '.');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ideas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
