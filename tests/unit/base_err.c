/* The error value: filled, prefixed, cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/base/err.h"

static void set_fills_code_and_text(void **state)
{
    (void)state;
    struct err err = {0};
    assert_false(err_set(&err, ERR_USAGE, "%s: %d", "line", 7));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, "line: 7");
}

static void null_is_allowed(void **state)
{
    (void)state;
    assert_false(err_set(NULL, ERR_FAILED, "lost"));
    assert_false(err_prefix(NULL, "lost"));
}

static void prefix_keeps_the_code(void **state)
{
    (void)state;
    struct err err = {0};
    err_set(&err, ERR_USAGE, "no such key");
    assert_false(err_prefix(&err, "%s:%d", "demo.ini", 3));
    assert_int_equal(err.code, ERR_USAGE);
    assert_string_equal(err.text, "demo.ini:3: no such key");
}

static void long_texts_keep_both_ends(void **state)
{
    (void)state;
    char text[2 * ERR_TEXT];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct err err = {0};
    err_set(&err, ERR_FAILED, "path %s: no such file", text);
    assert_int_equal(strlen(err.text), ERR_TEXT - 1);
    assert_memory_equal(err.text, "path xxx", 8);
    assert_string_equal(err.text + ERR_TEXT - 1 - 17, "xxx: no such file");
    err_prefix(&err, "%s", text);
    assert_int_equal(strlen(err.text), ERR_TEXT - 1);
    assert_memory_equal(err.text, "xxx", 3);
    assert_string_equal(err.text + ERR_TEXT - 1 - 17, "xxx: no such file");
}

static void a_text_is_one_line(void **state)
{
    (void)state;
    struct err err = {0};
    err_set(&err, ERR_USAGE, "unknown command '%s'", "a\nb\033[1m\x7f\u00e9");
    assert_string_equal(err.text, "unknown command 'a?b?[1m?\u00e9'");
    err_prefix(&err, "%s", "x\ny");
    assert_string_equal(err.text, "x?y: unknown command 'a?b?[1m?\u00e9'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_fills_code_and_text), cmocka_unit_test(null_is_allowed),
        cmocka_unit_test(prefix_keeps_the_code),   cmocka_unit_test(long_texts_keep_both_ends),
        cmocka_unit_test(a_text_is_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
