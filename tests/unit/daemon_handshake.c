/* The opening handshake of WebSockets: SHA-1 by its published vectors, the RFC's example, what is
 * refused, and whose pages may connect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "daemon/net/handshake.h"
#include "daemon/net/origin.h"
#include "daemon/net/sha1.h"

static const struct origin_lists LISTS = {.hosts = "draughts.example, other.example",
                                          .origins = "https://friend.example"};

/* RFC 6455, section 1.3, with what HTTP wants. */
static const struct request GOOD = {.method = METHOD_GET,
                                    .path = "/v1/echo",
                                    .host = "127.0.0.1:8080",
                                    .upgrade = "websocket",
                                    .connection = "keep-alive, Upgrade",
                                    .socket_key = "dGhlIHNhbXBsZSBub25jZQ==",
                                    .socket_version = "13"};

static void assert_digest(const char *data, size_t size, const char *hex)
{
    static const char DIGITS[] = "0123456789abcdef";
    unsigned char digest[SHA1_BYTES];

    sha1((const unsigned char *)data, size, digest);
    for (int i = 0; i < SHA1_BYTES; i++) {
        assert_int_equal(hex[2 * i], DIGITS[digest[i] >> 4]);
        assert_int_equal(hex[2 * i + 1], DIGITS[digest[i] & 15]);
    }
}

/* FIPS 180 and RFC 3174; lengths around the end of a block from hashlib. */
static void test_sha1(void **state)
{
    static const char TWO_BLOCKS[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char a[119];

    (void)state;
    memset(a, 'a', sizeof a);
    assert_digest("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    assert_digest("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert_digest(TWO_BLOCKS, 56, "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    assert_digest(a, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    assert_digest(a, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    assert_digest(a, 119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56");
}

static void test_the_rfcs_example(void **state)
{
    char accept[HANDSHAKE_ACCEPT];
    struct response refusal;

    (void)state;
    assert_true(handshake_check(&GOOD, &refusal));
    handshake_accept(GOOD.socket_key, accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

static void assert_refused(struct request request, int status, const char *field)
{
    struct response refusal;

    assert_false(handshake_check(&request, &refusal));
    assert_int_equal(refusal.status, status);
    assert_non_null(strstr(refusal.body, field));
    response_fini(&refusal);
}

static void test_refusals(void **state)
{
    static const char *const KEYS[] = {NULL,
                                       "",
                                       "dGhlIHNhbXBsZSBub25jZQ",
                                       "dGhlIHNhbXBsZSBub25j",
                                       "dGhlIHNhbXBsZSBub25jZQ=!",
                                       "dGhlIHNhbXBsZSBub25jZWE="};
    struct request request = GOOD;

    (void)state;
    request.upgrade = NULL;
    assert_refused(request, 426, "\"Upgrade\"");
    request.upgrade = "websocket2";
    assert_refused(request, 426, "\"Upgrade\"");
    request = GOOD;
    request.connection = "keep-alive";
    assert_refused(request, 426, "\"Upgrade\"");
    request = GOOD;
    request.socket_version = "8";
    assert_refused(request, 426, "\"Sec-WebSocket-Version\"");
    request.socket_version = NULL;
    assert_refused(request, 426, "\"Sec-WebSocket-Version\"");
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        request = GOOD;
        request.socket_key = KEYS[i];
        assert_refused(request, 400, "\"Sec-WebSocket-Key\"");
    }
}

static void test_hosts(void **state)
{
    static const char *const GOOD_HOSTS[] = {
        "127.0.0.1",   "127.0.0.1:8080", "[::1]:8080",       "localhost",
        "LocalHost:1", "[2001:db8::1]",  "draughts.example", "other.example:443"};
    static const char *const BAD_HOSTS[] = {"",
                                            "evil.example",
                                            "127.0.0.1.evil.example",
                                            "[::1",
                                            "::1",
                                            "[::1]x",
                                            "localhost:x",
                                            "localhost.evil",
                                            "draughts.example.evil",
                                            "[]",
                                            ",",
                                            "127.0.0"};

    (void)state;
    for (size_t i = 0; i < sizeof GOOD_HOSTS / sizeof GOOD_HOSTS[0]; i++) {
        assert_true(origin_host_allowed(GOOD_HOSTS[i], LISTS.hosts));
    }
    for (size_t i = 0; i < sizeof BAD_HOSTS / sizeof BAD_HOSTS[0]; i++) {
        assert_false(origin_host_allowed(BAD_HOSTS[i], LISTS.hosts));
    }
    assert_false(origin_host_allowed(NULL, LISTS.hosts));
    assert_false(origin_host_allowed("draughts.example", ""));
}

/* keryx #83: Origin not checked. */
static void test_origins_are_checked(void **state)
{
    (void)state;
    assert_true(origin_allowed(NULL, "h:1", ""));
    assert_true(origin_allowed("http://h:1", "h:1", ""));
    assert_true(origin_allowed("https://H:1", "h:1", ""));
    assert_true(origin_allowed("https://friend.example", "h:1", LISTS.origins));
    assert_false(origin_allowed("http://friend.example", "h:1", LISTS.origins));
    assert_false(origin_allowed("http://h:2", "h:1", ""));
    assert_false(origin_allowed("null", "h:1", ""));
    assert_false(origin_allowed("", "h:1", LISTS.origins));
    assert_false(origin_allowed("http://h:1.evil", "h:1", ""));
    assert_false(origin_allowed("ftp://h:1", "h:1", ""));
}

static void test_lists_in_headers(void **state)
{
    char rest[8];

    (void)state;
    assert_true(handshake_has("a, B ,c", "b"));
    assert_true(handshake_has(",,b", "b"));
    assert_false(handshake_has("ab, b c", "b"));
    assert_false(handshake_has("", "b"));
    assert_false(handshake_has(NULL, "b"));
    assert_true(handshake_rest("draughtsmith.v1, bearer.xyz", "bearer.", rest, sizeof rest));
    assert_string_equal(rest, "xyz");
    assert_false(handshake_rest("bearer.12345678", "bearer.", rest, sizeof rest));
    assert_true(handshake_rest("bearer.1234567", "bearer.", rest, sizeof rest));
    assert_false(handshake_rest("draughtsmith.v1", "bearer.", rest, sizeof rest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sha1),
        cmocka_unit_test(test_the_rfcs_example),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_origins_are_checked),
        cmocka_unit_test(test_lists_in_headers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
