/* Names of players: what may be one, which are the same, which look alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "daemon/people/name.h"

static int setup(void **state)
{
    struct err err;

    *state = names_create(&err);
    return *state != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    names_destroy(*state);
    return 0;
}

static struct name read_name(void **state, const char *text)
{
    struct name name;
    struct err err = {.text = ""};

    if (!name_read(*state, text, &name, &err)) {
        fail_msg("'%s': %s", text, err.text);
    }
    return name;
}

static void test_names_as_people_have_them(void **state)
{
    static const char *const NAMES[] = {
        "A",
        "Ann",
        "Jean-Luc O'Neil",
        "J. R._x",
        "7",
        "Łukasz",
        "Иван",
        "山田太郎",
        "أحمد",
        "राम",
        "Nguyễn",
        "abcdefghijklmnopqrstuvwx", /* 24 */
        "é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂é̂", /* 24 with two accents each */
    };

    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        assert_true(strlen(read_name(state, NAMES[i]).text) > 0);
    }
}

/* openstreetmap-website #3919, snek #35: invisible, endless and deceptive names. */
static void test_long_invisible_and_deceptive_names_are_refused(void **state)
{
    static const char *const NAMES[] = {
        "",
        " ",
        " Ann",
        "Ann ",
        "Ann  Bee",
        "...",
        "abcdefghijklmnopqrstuvwxy", /* 25 */
        "Ann\n",                     /* a control character */
        "A\xE2\x80\x8Bnn",           /* U+200B, no width */
        "A\xE2\x80\xAEnn",           /* U+202E, from right to left */
        "\xE3\x85\xA4",              /* U+3164, a letter without a picture */
        "Ann\xC2\xA0"
        "Bee", /* U+00A0, a space like no other */
        "\xCC\x81"
        "Ann",                       /* an accent on nothing */
        "x\xCC\x81\xCC\x81\xCC\x81", /* three accents */
        "\xF0\x9F\x98\x80",          /* a picture */
        "<b>",
        "a@b",
        "\xEE\x80\x80", /* private use */
    };
    struct name name;
    struct err err;

    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (name_read(*state, NAMES[i], &name, &err)) {
            fail_msg("name %zu is taken", i);
        }
        assert_int_equal(err.code, ERR_USAGE);
    }
}

static void test_the_same_name_has_the_same_key(void **state)
{
    static const char *const PAIRS[][2] = {
        {"Ann", "ANN"},        {"José", "JOSE\xCC\x81"}, /* composed or not */
        {"Straße", "STRASSE"}, {"Ａｎｎ", "ann"},        /* full width */
        {"ΟΔΟΣ", "οδος"},
    };

    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        assert_string_equal(read_name(state, PAIRS[i][0]).key, read_name(state, PAIRS[i][1]).key);
    }
    assert_string_equal(read_name(state, "JOSE\xCC\x81").text, "JOSÉ"); /* NFC */
    assert_string_not_equal(read_name(state, "Ann").key, read_name(state, "Anne").key);
}

static bool look_alike(const struct name *a, const struct name *b)
{
    for (int i = 0; i < NAME_LOOKS; i++) {
        for (int j = 0; j < NAME_LOOKS; j++) {
            if (strcmp(a->look[i], b->look[j]) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void test_look_alikes(void **state)
{
    static const struct {
        const char *a, *b;
        bool alike;
    } PAIRS[] = {
        {"paypal", "раураl", true},                       /* Cyrillic */
        {"paypal", "paypaI", true},                       /* capital i */
        {"paypal", "PAYPAL", true}, {"Ann", "Αnn", true}, /* Greek */
        {"Romeo", "Rome0", true},   {"modern", "rnodern", true}, {"l1I", "III", true},
        {"Ann", "Anne", false},     {"Ann", "Änn", false},       {"Иван", "Ivan", false},
        {"Bob", "Rob", false},
    };

    for (size_t i = 0; i < sizeof PAIRS / sizeof PAIRS[0]; i++) {
        struct name a = read_name(state, PAIRS[i].a), b = read_name(state, PAIRS[i].b);
        if (look_alike(&a, &b) != PAIRS[i].alike) {
            fail_msg("%s and %s", PAIRS[i].a, PAIRS[i].b);
        }
    }
}

static void test_passwords(void **state)
{
    char a[PASSWORD_BYTES], b[PASSWORD_BYTES], text[300];
    struct err err;

    (void)state;
    assert_true(password_read("correct horse", a, &err));
    assert_string_equal(a, "correct horse");
    assert_true(password_read("pässword", a, &err));
    assert_true(password_read("pa\xCC\x88ssword", b, &err));
    assert_string_equal(a, b);
    assert_false(password_read("1234567", a, &err));
    assert_false(password_read("éééé", a, &err)); /* eight bytes, four characters */
    memset(text, 'x', sizeof text);
    text[256] = '\0';
    assert_true(password_read(text, a, &err));
    text[256] = 'x';
    text[257] = '\0';
    assert_false(password_read(text, a, &err));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_as_people_have_them),
        cmocka_unit_test(test_long_invisible_and_deceptive_names_are_refused),
        cmocka_unit_test(test_the_same_name_has_the_same_key),
        cmocka_unit_test(test_look_alikes),
        cmocka_unit_test(test_passwords),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
