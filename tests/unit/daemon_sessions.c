/* Who a request is from, without a socket: sessions, their cookie, other services' users, limits;
 * who is refused, and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account_support.h"
#include "daemon/api/account_api.h"
#include "daemon/api/identity.h"

static void test_nobody_is_told_of_as_a_guest(void **state)
{
    struct account_fixture *fixture = *state;
    struct request request = {.method = METHOD_GET, .path = "/v1/me", .query = "guest=yes"};

    account_handle(fixture, &request);
    fixture->json = reply_json(&fixture->response);
    assert_int_equal(fixture->response.status, 200);
    assert_true(json_is_null(json_object_get(fixture->json, "name")));
    assert_true(json_is_true(json_object_get(fixture->json, "guest")));
    assert_int_equal(json_integer_value(json_object_get(fixture->json, "created")), 0);
    assert_int_equal(json_array_size(json_object_get(fixture->json, "progress")), VARIANT_COUNT);
    account_forget(fixture);
    request.path = "/v1/me/export";
    account_handle(fixture, &request);
    assert_int_equal(fixture->response.status, 401);
    account_forget(fixture);
    request.path = "/v1/me";
    request.query = "guest=no";
    account_handle(fixture, &request);
    assert_int_equal(fixture->response.status, 400);
}

/* lets-chat #159: a session not renewed at log-in. */
static void test_a_log_in_renews_the_session(void **state)
{
    struct account_fixture *fixture = *state;
    char first[SECRET_TEXT];

    account_sign_up(fixture, "José");
    memcpy(first, fixture->token, sizeof first);
    assert_int_equal(
        account_post(fixture, "/v1/sessions", "{\"name\":\"JOSÉ\",\"password\":\"correct horse\"}"),
        201);
    assert_token_renewed(fixture, first);
}

static void test_a_wrong_password_and_an_unknown_name_are_one(void **state)
{
    struct account_fixture *fixture = *state;

    account_sign_up(fixture, "Ann");
    fixture->token[0] = '\0';
    account_post(fixture, "/v1/sessions", "{\"name\":\"Ann\",\"password\":\"correct horsf\"}");
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    char *said = strdup(reply_text(fixture->json, "detail"));
    account_post(fixture, "/v1/sessions", "{\"name\":\"Ben\",\"password\":\"correct horse\"}");
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    assert_string_equal(reply_text(fixture->json, "detail"), said);
    free(said);
    account_post(fixture, "/v1/sessions", "{\"name\":\"\",\"password\":\"\"}");
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
}

static void test_log_out(void **state)
{
    struct account_fixture *fixture = *state;
    char first[SECRET_TEXT], second[SECRET_TEXT];
    unsigned char hash[TOKEN_HASH];

    account_sign_up(fixture, "Ann");
    memcpy(first, fixture->token, sizeof first);
    fixture->token[0] = '\0';
    account_post(fixture, "/v1/sessions", "{\"name\":\"ann\",\"password\":\"correct horse\"}");
    account_take_token(fixture);
    memcpy(second, fixture->token, sizeof second);
    memcpy(hash, fixture->change.token, sizeof hash);

    assert_int_equal(account_send(fixture, METHOD_DELETE, "/v1/sessions", ""), 204);
    assert_true(fixture->response.session_over);
    assert_true(change_ends_session(&fixture->change, fixture->change.person, hash));
    hash[0] ^= 1; /* another session of theirs */
    assert_false(change_ends_session(&fixture->change, fixture->change.person, hash));
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 401);
    memcpy(fixture->token, first, sizeof first);
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 200);

    fixture->api.now = NOW + LIFE; /* over by itself */
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 401);
}

static void test_limits(void **state)
{
    struct account_fixture *fixture = *state;
    static const char WRONG[] = "{\"name\":\"Ann\",\"password\":\"wrong horse\"}";
    static const char RIGHT[] = "{\"name\":\"Ann\",\"password\":\"correct horse\"}";

    account_sign_up(fixture, "Ann");
    fixture->token[0] = '\0';
    for (int i = 0; i < 2 * LOGINS; i++) { /* what is right does not count */
        assert_int_equal(account_post(fixture, "/v1/sessions", RIGHT), 201);
    }
    for (int i = 0; i < LOGINS; i++) {
        account_post(fixture, "/v1/sessions", WRONG);
        assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    }
    account_post(fixture, "/v1/sessions", RIGHT);
    assert_problem_kind(&fixture->response, fixture->json, 429, "too-many");
    assert_int_equal(fixture->response.retry_after, 3600 / LOGINS);
    fixture->address = "192.0.2.2"; /* from elsewhere, for the same name */
    account_post(fixture, "/v1/sessions", RIGHT);
    assert_problem_kind(&fixture->response, fixture->json, 429, "too-many");

    fixture->address = "2001:db8::1"; /* one site has many addresses */
    for (int i = 0; i < SIGNUPS; i++) {
        char name[8] = {(char)('b' + i), 'x'};
        account_sign_up(fixture, name);
        fixture->token[0] = '\0';
    }
    fixture->address = "2001:db8::2";
    account_post(fixture, "/v1/players", "{\"name\":\"Zoe\",\"password\":\"correct horse\"}");
    assert_problem_kind(&fixture->response, fixture->json, 429, "too-many");
    fixture->address = "2001:db8:1::2";
    account_sign_up(fixture, "Zoe");
}

/* A service's key with the user that it names is somebody, the same one each time. */
static void test_services_bring_their_own_users(void **state)
{
    struct account_fixture *fixture = *state;
    struct change service = {.parts = CHANGE_SERVICE, .label = "club", .at = NOW};
    const unsigned char bytes[TOKEN_BYTES] = {3};
    char authorization[80];
    struct request request = {.method = METHOD_GET, .authorization = authorization};
    struct identity first, again, other;
    struct response refusal;

    token_make(bytes, service.secret, service.token);
    store_one(fixture->rooms.store, service, CHANGE_STORED);
    store_one(fixture->rooms.store, service, CHANGE_CONFLICT);
    snprintf(authorization, sizeof authorization, "Bearer %s", service.secret);
    static const char *const WRONG[] = {NULL, "", "a b", "\xC3\xA9"};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        request.user = WRONG[i];
        assert_false(identity_read(&request, fixture->rooms.store, NOW, &first, &refusal));
        assert_int_equal(refusal.status, 400);
        response_fini(&refusal);
    }
    request.user = "user-17";
    assert_true(identity_read(&request, fixture->rooms.store, NOW, &first, &refusal));
    assert_true(identity_read(&request, fixture->rooms.store, NOW, &again, &refusal));
    request.user = "user-18";
    assert_true(identity_read(&request, fixture->rooms.store, NOW, &other, &refusal));
    assert_true(first.person != NOBODY && first.service != 0);
    assert_int_equal(first.person, again.person);
    assert_int_not_equal(first.person, other.person);

    /* The user's row is made with the first game, and there it is found again. */
    struct change user = {.at = NOW};
    change_asker(&user, &fixture->api, &request, &first);
    assert_int_equal(user.parts, CHANGE_USER);
    store_one(fixture->rooms.store, user, CHANGE_STORED);
    store_one(fixture->rooms.store, user, CHANGE_STORED);

    struct change revoke = {.parts = CHANGE_REVOKE, .label = "club", .at = NOW};
    store_one(fixture->rooms.store, revoke, CHANGE_STORED);
    store_one(fixture->rooms.store, revoke, CHANGE_CONFLICT);
    assert_false(identity_read(&request, fixture->rooms.store, NOW, &first, &refusal));
    assert_int_equal(refusal.status, 401);
    response_fini(&refusal);
}

static void test_the_cookie(void **state)
{
    struct account_fixture *fixture = *state;
    char cookie[160];
    struct request request = {.method = METHOD_GET, .path = "/v1/me"};

    account_sign_up(fixture, "Ann");
    snprintf(cookie, sizeof cookie, "theme=dark; draughtsd=%s; x=y", fixture->token);
    account_forget(fixture);
    request.cookie = cookie;
    account_handle(fixture, &request);
    assert_int_equal(fixture->response.status, 200);
    account_forget(fixture);
    request.authorization = "Bearer nobody"; /* wins over the cookie */
    account_handle(fixture, &request);
    assert_int_equal(fixture->response.status, 401);
    account_forget(fixture);
    request.authorization = NULL;
    request.cookie = "xdraughtsd=1; draughtsd=stale"; /* no session */
    account_handle(fixture, &request);
    assert_int_equal(fixture->response.status, 401);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nobody_is_told_of_as_a_guest, account_setup,
                                        account_teardown),
        cmocka_unit_test_setup_teardown(test_a_log_in_renews_the_session, account_setup,
                                        account_teardown),
        cmocka_unit_test_setup_teardown(test_a_wrong_password_and_an_unknown_name_are_one,
                                        account_setup, account_teardown),
        cmocka_unit_test_setup_teardown(test_log_out, account_setup, account_teardown),
        cmocka_unit_test_setup_teardown(test_limits, account_setup, account_teardown),
        cmocka_unit_test_setup_teardown(test_services_bring_their_own_users, account_setup,
                                        account_teardown),
        cmocka_unit_test_setup_teardown(test_the_cookie, account_setup, account_teardown),
    };
    struct err err;

    return identity_init(&err) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
