/* The small texts of HTTP: queries, media types, methods, and the headers that must not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <event2/http.h>
#include <string.h>

#include "daemon/net/framing.h"
#include "daemon/net/http.h"

static void test_query(void **state)
{
    char out[16];

    (void)state;
    assert_true(query_read(NULL, "rules", out, sizeof out));
    assert_string_equal(out, "");
    assert_true(query_read("rules=classic", "rules", out, sizeof out));
    assert_string_equal(out, "classic");
    assert_true(query_read("rules=%63l+%7E", "rules", out, sizeof out));
    assert_string_equal(out, "cl ~");
    assert_true(query_read("rules=", "rules", out, sizeof out));
    assert_string_equal(out, "");
    assert_false(query_read("rule=classic", "rules", out, sizeof out));
    assert_string_equal(out, "rule=classic");
    assert_false(query_read("rules", "rules", out, sizeof out));
    assert_false(query_read("rules=a&rules=b", "rules", out, sizeof out));
    assert_false(query_read("rules=%0", "rules", out, sizeof out));
    assert_false(query_read("rules=%00", "rules", out, sizeof out));
    assert_false(query_read("rules=%zz", "rules", out, sizeof out));
    assert_false(query_read("rules=0123456789abcdef", "rules", out, sizeof out));
}

static void test_content_type(void **state)
{
    (void)state;
    assert_true(content_type_is_json("application/json"));
    assert_true(content_type_is_json("Application/JSON; charset=UTF-8"));
    assert_true(content_type_is_json("application/json;charset=\"utf-8\""));
    assert_false(content_type_is_json(NULL));
    assert_false(content_type_is_json(""));
    assert_false(content_type_is_json("text/json"));
    assert_false(content_type_is_json("application/jsonp"));
    assert_false(content_type_is_json("application/json; charset=latin1"));
    assert_false(content_type_is_json("application/x-www-form-urlencoded"));
}

static void test_methods(void **state)
{
    char allow[ALLOW_SIZE];

    (void)state;
    methods_write(METHOD_GET | METHOD_HEAD, allow);
    assert_string_equal(allow, "GET, HEAD");
    methods_write(2 * METHOD_OTHER - 1, allow);
    assert_string_equal(allow, "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    assert_string_equal(method_name(METHOD_OTHER), "?");
}

/* Header lines as pairs of name and value, ended by NULL. Returns the status: 0 when they pass. */
static int framing_status(const char *const *pairs, bool host_wanted, bool body_wanted)
{
    struct response refusal = {.status = 0};
    struct evkeyvalq headers = {.tqh_first = NULL, .tqh_last = &headers.tqh_first};

    for (; *pairs != NULL; pairs += 2) {
        assert_int_equal(evhttp_add_header(&headers, pairs[0], pairs[1]), 0);
    }
    bool passed = framing_check(&headers, host_wanted, body_wanted, &refusal);
    assert_int_equal(passed, refusal.status == 0);
    evhttp_clear_headers(&headers);
    response_fini(&refusal);
    return refusal.status;
}

static void test_framing(void **state)
{
    static const struct {
        int status;
        const char *headers[8];
    } CASES[] = {
        {0, {"Host", "a", "Content-Length", "12", NULL}},
        {0, {"Host", "a", "Transfer-Encoding", "Chunked", NULL}},
        {400, {"Content-Length", "12", NULL}},
        {400, {"Host", "a", "host", "b", "Content-Length", "12", NULL}},
        {400, {"Host", "a", "Content-Length", "+12", NULL}},
        {400, {"Host", "a", "Content-Length", "12 ", NULL}},
        {400, {"Host", "a", "Content-Length", "1,2", NULL}},
        {400, {"Host", "a", "Content-Length", "", NULL}},
        {400, {"Host", "a", "Content-Length", "00000000000000000012", NULL}},
        {400, {"Host", "a", "Content-Length", "12", "content-length", "12", NULL}},
        {400, {"Host", "a", "Content-Length", "12", "Transfer-Encoding", "chunked", NULL}},
        {400, {"Host", "a", "Transfer-Encoding", "gzip, chunked", NULL}},
        {400, {"Host", "a", "Content-Length ", "12", NULL}},
        {411, {"Host", "a", NULL}},
    };
    static const char *const BARE[] = {NULL};

    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        assert_int_equal(framing_status(CASES[i].headers, true, true), CASES[i].status);
    }
    assert_int_equal(framing_status(BARE, false, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query),
        cmocka_unit_test(test_content_type),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_framing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
