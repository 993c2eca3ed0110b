/* The files that are compiled in, and when a client need not be sent them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "daemon/net/web.h"

static void test_files_are_found_and_typed(void **state)
{
    (void)state;
    assert_ptr_equal(web_find("/"), web_find("/index.html"));
    assert_string_equal(web_find("/")->type, "text/html; charset=utf-8");
    assert_string_equal(web_find("/openapi.json")->type, "application/json");
    assert_null(web_find(""));
    assert_null(web_find("/index"));
    assert_null(web_find("/../web.c"));
    for (size_t i = 0; i < web_file_count; i++) {
        assert_true(web_files[i].plain_size > 0);
        assert_int_equal(strlen(web_files[i].tag), 16);
        assert_true(web_files[i].gzip == NULL || web_files[i].gzip_size < web_files[i].plain_size);
    }
}

static void test_each_form_has_its_tag(void **state)
{
    const struct web_file *file = web_find("/openapi.json");
    struct request request = {.method = METHOD_GET};

    (void)state;
    struct response plain = web_response(file, &request);
    assert_int_equal(plain.status, 200);
    assert_ptr_equal(plain.fixed, file->plain);
    request.accept_encoding = "gzip, deflate, br";
    struct response packed = web_response(file, &request);
    assert_true(packed.packed && packed.varies);
    assert_ptr_equal(packed.fixed, file->gzip);
    assert_string_not_equal(plain.etag, packed.etag);
    request.if_none_match = plain.etag;
    assert_int_equal(web_response(file, &request).status, 200);
    request.if_none_match = packed.etag;
    struct response kept = web_response(file, &request);
    assert_int_equal(kept.status, 304);
    assert_null(kept.fixed);
    assert_int_equal(kept.body_size, 0);
    assert_string_equal(kept.etag, packed.etag);
}

static void test_a_page_for_what_is_not_there(void **state)
{
    struct request request = {.method = METHOD_GET, .if_none_match = "*"};

    (void)state;
    struct response nothing = web_nothing(&request);
    assert_int_equal(nothing.status, 404);
    assert_true(nothing.page && nothing.body_size > 0);
    assert_string_equal(nothing.content_type, "text/html; charset=utf-8");
    assert_string_equal(nothing.etag, "");
}

static void test_accept(void **state)
{
    (void)state;
    assert_true(accepts_html("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"));
    assert_true(accepts_html("application/json, TEXT/HTML;q=0.1"));
    assert_false(accepts_html("*/*"));
    assert_false(accepts_html("application/json"));
    assert_false(accepts_html("text/html;q=0"));
    assert_false(accepts_html(NULL));
}

static void test_if_none_match(void **state)
{
    static const char *const SAME[] = {"\"a\"", "W/\"a\"", "*", "\"b\", \"a\"", "\"b\" ,W/\"a\" "};
    static const char *const OTHER[] = {"", "\"b\"", "a", "\"ab\"", "\"a", "W/", ",", "\"b\","};

    (void)state;
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        assert_true(etag_matches(SAME[i], "\"a\""));
    }
    for (size_t i = 0; i < sizeof OTHER / sizeof OTHER[0]; i++) {
        assert_false(etag_matches(OTHER[i], "\"a\""));
    }
    assert_false(etag_matches(NULL, "\"a\""));
}

static void test_accept_encoding(void **state)
{
    static const char *const TAKES[] = {"gzip", "br, GZIP", "gzip;q=0.5", "deflate,gzip ; q=1.0",
                                        "*",    "br;q=0, *"};
    static const char *const NOT[] = {"",       "br",      "gzip;q=0", "gzip; q=0.000",
                                      "x-gzip", "gzipped", "identity"};

    (void)state;
    for (size_t i = 0; i < sizeof TAKES / sizeof TAKES[0]; i++) {
        assert_true(accepts_gzip(TAKES[i]));
    }
    for (size_t i = 0; i < sizeof NOT / sizeof NOT[0]; i++) {
        assert_false(accepts_gzip(NOT[i]));
    }
    assert_false(accepts_gzip(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_are_found_and_typed),
        cmocka_unit_test(test_each_form_has_its_tag),
        cmocka_unit_test(test_a_page_for_what_is_not_there),
        cmocka_unit_test(test_accept),
        cmocka_unit_test(test_if_none_match),
        cmocka_unit_test(test_accept_encoding),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
