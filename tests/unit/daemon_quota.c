/* Limits: a burst, then one at a time, each key on its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemon/api/identity.h"
#include "daemon/people/quota.h"

enum { PER_HOUR = 6, EACH = 600, START = 1000000 };

static int setup(void **state)
{
    static const unsigned char SECRET[16] = {7};

    *state = quota_create(SECRET);
    return *state != NULL ? 0 : -1;
}

static int teardown(void **state)
{
    quota_destroy(*state);
    return 0;
}

static void test_a_burst_then_one_at_a_time(void **state)
{
    for (int i = 0; i < PER_HOUR; i++) {
        assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START), 0);
    }
    assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START), EACH);
    assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START + 100), EACH - 100);
    assert_int_equal(quota_take(*state, "log-in", "ben", PER_HOUR, START), 0);
    assert_int_equal(quota_take(*state, "sign-up", "ann", PER_HOUR, START), 0);
    assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START + EACH), 0);
    assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START + EACH), EACH);
    for (int i = 0; i < PER_HOUR; i++) { /* all forgotten */
        assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START + 10000), 0);
    }
}

static void test_what_is_given_back_does_not_count(void **state)
{
    for (int i = 0; i < 10 * PER_HOUR; i++) {
        assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START), 0);
        quota_give_back(*state, "log-in", "ann", PER_HOUR);
    }
}

static void test_no_limit(void **state)
{
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(quota_take(*state, "log-in", "ann", 0, START), 0);
    }
}

/* A flood of others does not free somebody who is at the limit. */
static void test_the_harmless_are_forgotten_first(void **state)
{
    char other[16];

    for (int i = 0; i < PER_HOUR; i++) {
        assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START), 0);
    }
    for (int i = 0; i < 200000; i++) {
        snprintf(other, sizeof other, "%d", i);
        quota_take(*state, "log-in", other, PER_HOUR, START);
    }
    assert_int_equal(quota_take(*state, "log-in", "ann", PER_HOUR, START), EACH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_burst_then_one_at_a_time, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_given_back_does_not_count, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_limit, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_harmless_are_forgotten_first, setup, teardown),
    };
    struct err err;

    return identity_init(&err) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
