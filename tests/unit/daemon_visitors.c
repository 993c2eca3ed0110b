/* What one address may have open and how quickly it may ask; whose request it is behind a proxy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "daemon/loop/connection.h"
#include "daemon/people/visitors.h"

static const unsigned char SECRET[16] = {1, 2, 3};

static struct visitors *make(int64_t connections, double requests)
{
    const struct visitors_limits limits = {
        .connections = connections, .requests = requests, .unlimited = "127.0.0.1 ::1"};
    struct visitors *visitors = visitors_create(&limits, SECRET);

    assert_non_null(visitors);
    return visitors;
}

static void test_connections_of_an_address(void **state)
{
    struct visitors *visitors = make(2, 0);

    (void)state;
    assert_true(visitors_enter(visitors, "192.0.2.1"));
    assert_true(visitors_enter(visitors, "192.0.2.1"));
    assert_false(visitors_enter(visitors, "192.0.2.1"));
    assert_true(visitors_enter(visitors, "192.0.2.2"));
    visitors_leave(visitors, "192.0.2.1");
    assert_true(visitors_enter(visitors, "192.0.2.1"));
    for (int i = 0; i < 10; i++) {
        assert_true(visitors_enter(visitors, "127.0.0.1"));
        assert_true(visitors_enter(visitors, "::1"));
    }
    visitors_destroy(visitors);
}

static void test_a_network_of_ipv6_counts_as_one(void **state)
{
    struct visitors *visitors = make(1, 0);

    (void)state;
    assert_true(visitors_enter(visitors, "2001:db8:0:1::1"));
    assert_false(visitors_enter(visitors, "2001:db8:0:1:ffff::2"));
    assert_true(visitors_enter(visitors, "2001:db8:0:2::1"));
    visitors_destroy(visitors);
}

static void test_requests_of_an_address(void **state)
{
    struct visitors *visitors = make(0, 2);
    int granted = 0;

    (void)state;
    while (visitors_ask(visitors, "192.0.2.1", 100.0) == 0) {
        granted++;
    }
    assert_in_range(granted, 2 * VISITORS_BURST, 2 * VISITORS_BURST + 1);
    assert_int_equal(visitors_ask(visitors, "192.0.2.1", 100.0), 1);
    assert_int_equal(visitors_ask(visitors, "192.0.2.2", 100.0), 0);
    assert_int_equal(visitors_ask(visitors, "192.0.2.1", 100.6), 0);
    assert_int_equal(visitors_ask(visitors, "192.0.2.1", 100.6), 1);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(visitors_ask(visitors, "127.0.0.1", 100.0), 0);
    }
    visitors_destroy(visitors);
}

/* More addresses than there are seats: those with connections keep theirs. */
static void test_a_full_table_forgets_the_idle(void **state)
{
    struct visitors *visitors = make(1, 1);
    char address[32];

    (void)state;
    assert_true(visitors_enter(visitors, "192.0.2.1"));
    for (int i = 0; i < 200000; i++) {
        snprintf(address, sizeof address, "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
        visitors_ask(visitors, address, 1.0);
    }
    assert_false(visitors_enter(visitors, "192.0.2.1"));
    visitors_destroy(visitors);
}

static void test_forwarded_for(void **state)
{
    static const struct {
        const char *header, *address; /* NULL: none */
    } CASES[] = {
        {"192.0.2.1", "192.0.2.1"},
        {"203.0.113.9, 192.0.2.1 ", "192.0.2.1"},
        {"unknown,2001:db8::1", "2001:db8::1"},
        {NULL, NULL},
        {"", NULL},
        {"192.0.2.1, unknown", NULL},
        {"192.0.2.1:80", NULL},
        {"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa", NULL},
    };
    char address[ADDRESS_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        bool found = visitors_forwarded(CASES[i].header, address, sizeof address);
        assert_int_equal(found, CASES[i].address != NULL);
        if (found) {
            assert_string_equal(address, CASES[i].address);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connections_of_an_address),
        cmocka_unit_test(test_a_network_of_ipv6_counts_as_one),
        cmocka_unit_test(test_requests_of_an_address),
        cmocka_unit_test(test_a_full_table_forgets_the_idle),
        cmocka_unit_test(test_forwarded_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
