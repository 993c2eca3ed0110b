/* Files of openings: what is read, what is refused and where, and the order they are taken in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/file.h"
#include "engine/rules/fen.h"
#include "selfplay/game/opening.h"
#include "selfplay/game/opening_file.h"

static const char FENS[] = "# three\n"
                           "W:W31,32:B1,2\n"
                           "\n"
                           "  B:W30:BK5  # a king\r\n"
                           "B:W21-32:B1-12";

static const char GAMES[] = "[GameType \"21\"]\n\n11-15 23-19 8-11 *\n\n"
                            "[GameType \"21\"]\n[FEN \"W:W31,32:B1,2\"]\n\n32-27 *\n";

static bool reads(struct opening_file *file, const char *path, const char *text, struct err *err)
{
    return opening_file_read(file, &variant_classic, path, text, strlen(text), err);
}

static void assert_now(const struct opening_file *file, int64_t number, const char *fen)
{
    struct game game;
    char text[FEN_SIZE];

    assert_true(opening_file_play(file, number, &game, NULL));
    fen_write(file->variant->rules, game_now(&game), text);
    assert_string_equal(text, fen);
    game_fini(&game);
}

static void test_positions(void **state)
{
    (void)state;
    struct opening_file file;

    assert_true(reads(&file, "x.fen", FENS, NULL));
    assert_int_equal(file.count, 3);
    assert_now(&file, 0, "W:W31,32:B1,2");
    assert_now(&file, 1, "B:W30:BK5");
    assert_now(&file, 5, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
    opening_file_fini(&file);
}

static void test_games(void **state)
{
    (void)state;
    struct opening_file file;
    struct game game;

    assert_true(reads(&file, "x.PDN", GAMES, NULL));
    assert_int_equal(file.count, 2);
    assert_true(opening_file_play(&file, 0, &game, NULL));
    assert_int_equal(game.plies, 3);
    game_fini(&game);
    assert_now(&file, 1, "B:W27,31:B1,2");
    opening_file_fini(&file);
}

/* Faults are told with file and line, and leave nothing behind. */
static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *path, *text, *said;
    } CASES[] = {
        {"a.fen", "W:W31:B1\n\nW:W33:B1\n", "a.fen:3: "},
        {"a.fen", "hello\n", "a.fen:1: "},
        {"a.fen", "# nothing\n", "a.fen: no opening"},
        {"a.fen", "W:W31:B1\nW:W31:B\nB:W31:B\n", "a.fen:3: the game is over"},
        {"a.pdn", /* open at its end, but the third occurrence was before */
         "[GameType \"21\"]\n[FEN \"W:WK32,31:BK1,2\"]\n\n32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1 "
         "32-27 *\n",
         "a.pdn:1: the game is over"},
        {"a.pdn", "", "a.pdn: no opening"},
        {"a.pdn", "[GameType \"21\"]\n\n11-15 23-19 *\n\n[GameType \"21\"]\n\n11-15\n23-18 1-2 *\n",
         "a.pdn:8: game 2: "},
        {"a.pdn", "[GameType \"20\"]\n\n32-28 *\n", "a.pdn:1: game 1 is of the rules 'inter"},
        {"a.pdn", "[GameType \"25\"]\n\n11-15 *\n", "a.pdn:1: game 1: GameType \"25\" is not"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct opening_file file;
        struct err err = {0};
        assert_false(reads(&file, CASES[i].path, CASES[i].text, &err));
        assert_int_equal(err.code, ERR_USAGE);
        if (strncmp(err.text, CASES[i].said, strlen(CASES[i].said)) != 0) {
            fail_msg("'%s', not '%s'", err.text, CASES[i].said);
        }
        assert_null(file.opening);
    }
}

/* What stands behind a zero byte is not lost in silence; a byte order mark is no fault. */
static void test_odd_bytes(void **state)
{
    (void)state;
    static const char ZERO[] = "W:W31:B1\nW:W30:B1\0\nhello\n", MARK[] = "\xef\xbb\xbfW:W31:B1\n";
    struct opening_file file;
    struct err err;

    assert_false(opening_file_read(&file, &variant_classic, "a.fen", ZERO, sizeof ZERO - 1, &err));
    assert_string_equal(err.text, "a.fen:2: holds a zero byte, a text file is needed");
    assert_false(opening_file_read(&file, &variant_classic, "a.fen", "\0", 1, &err));
    assert_true(reads(&file, "a.fen", MARK, &err));
    assert_now(&file, 0, "W:W31:B1");
    opening_file_fini(&file);
}

/* `count` positions, all different. */
static void make(struct opening_file *file, int count)
{
    char text[1024] = "";
    size_t length = 0;

    for (int i = 0; i < count; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "W:WK%d:BK32\n", i + 1);
    }
    assert_true(reads(file, "x", text, NULL));
}

static int key_at(const struct opening_file *file, int64_t place)
{
    return (int)(position_key(&file->opening[place].positions[0]) >> 33);
}

/* The same order for the same seed, each opening once, and another for another seed. */
static void test_order(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    struct opening_file plain, one, again, other;
    int moved = 0, differs = 0;

    make(&plain, COUNT);
    make(&one, COUNT);
    make(&again, COUNT);
    make(&other, COUNT);
    opening_file_shuffle(&one, 7, 1);
    opening_file_shuffle(&again, 7, 1);
    opening_file_shuffle(&other, 8, 1);
    assert_true(one.hash == plain.hash);
    for (int64_t i = 0; i < COUNT; i++) {
        int found = 0;
        for (int64_t j = 0; j < COUNT; j++) {
            found += key_at(&one, j) == key_at(&plain, i);
        }
        assert_int_equal(found, 1);
        assert_int_equal(key_at(&one, i), key_at(&again, i));
        moved += key_at(&one, i) != key_at(&plain, i);
        differs += key_at(&one, i) != key_at(&other, i);
    }
    assert_true(moved > COUNT / 2 && differs > COUNT / 2);
    opening_file_fini(&plain);
    opening_file_fini(&one);
    opening_file_fini(&again);
    opening_file_fini(&other);
}

/* Other positions, another order or other moves: another hash. */
static void test_hash(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"11-15 *", "11-16 *", "11-15 22-18 *", "11-15 * 11-16 *",
                                        "11-16 * 11-15 *"};
    enum { COUNT = sizeof TEXTS / sizeof TEXTS[0] };
    uint64_t hash[COUNT];

    for (int i = 0; i < COUNT; i++) {
        struct opening_file file;
        assert_true(reads(&file, "x.pdn", TEXTS[i], NULL));
        hash[i] = file.hash;
        opening_file_fini(&file);
        for (int j = 0; j < i; j++) {
            assert_true(hash[i] != hash[j]);
        }
    }
}

/* What ships: read whole, enough of it, no position twice. */
static void test_shipped(void **state)
{
    (void)state;
    for (int index = 0; index < VARIANT_COUNT; index++) {
        const struct variant *variant = variant_at(index);
        struct opening_file file = {0};
        struct err err = {0};
        char path[FILE_PATH];
        size_t size;
        snprintf(path, sizeof path, DATA "/openings/%s.fen", variant->rules->name);
        char *text = file_read(path, 1 << 20, &size, &err);
        if (!text || !opening_file_read(&file, variant, path, text, size, &err)) {
            fail_msg("%s", err.text);
        }
        free(text);
        assert_in_range(file.count, 100, 200);
        for (int64_t i = 0; i < file.count; i++) {
            for (int64_t j = 0; j < i; j++) {
                assert_true(key_at(&file, i) != key_at(&file, j));
            }
        }
        opening_file_fini(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions), cmocka_unit_test(test_games),
        cmocka_unit_test(test_faults),    cmocka_unit_test(test_odd_bytes),
        cmocka_unit_test(test_order),     cmocka_unit_test(test_hash),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
