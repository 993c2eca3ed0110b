/* Accounts without a socket: sign-up, recovery, another password, farewell; who is refused, and
 * why.
 */
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

static void test_sign_up(void **state)
{
    struct account_fixture *fixture = *state;

    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 401);
    account_sign_up(fixture, "Jose\\u0301");
    assert_string_equal(reply_text(fixture->json, "name"), "José");
    assert_int_equal(strlen(reply_text(fixture->json, "recovery_code")), 23);
    assert_string_equal(fixture->response.session, fixture->token); /* for the cookie */
    assert_int_equal(fixture->response.session_seconds, LIFE);
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 200);
    assert_string_equal(reply_text(fixture->json, "name"), "José");
}

/* openstreetmap-website #3919: look-alike names. */
static void test_look_alikes_of_a_name_are_refused(void **state)
{
    static const char *const NAMES[] = {"paypal", "PAYPAL", "раураl", "paypaI"};
    struct account_fixture *fixture = *state;
    char body[200];

    account_sign_up(fixture, "PayPal");
    fixture->token[0] = '\0';
    for (int i = 0; i < 4; i++) {
        snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"correct horse\"}", NAMES[i]);
        account_post(fixture, "/v1/players", body);
        assert_problem_kind(&fixture->response, fixture->json, 409, "name-taken");
    }
}

static void test_sign_ups_refused(void **state)
{
    struct account_fixture *fixture = *state;

    account_sign_up(fixture, "Ann");
    account_post(fixture, "/v1/players", "{\"name\":\"Other\",\"password\":\"correct horse\"}");
    assert_problem_kind(&fixture->response, fixture->json, 409, "signed-in");
    fixture->token[0] = '\0';
    account_post(fixture, "/v1/players", "{\"name\":\"a  b\",\"password\":\"correct horse\"}");
    assert_problem_kind(&fixture->response, fixture->json, 400, "bad-field");
    assert_string_equal(reply_text(fixture->json, "field"), "/name");
    account_post(fixture, "/v1/players", "{\"name\":\"Ben\",\"password\":\"short\"}");
    assert_string_equal(reply_text(fixture->json, "field"), "/password");
    account_post(fixture, "/v1/players", "{\"name\":\"Benjamin\",\"password\":\"benjamin\"}");
    assert_string_equal(reply_text(fixture->json, "field"), "/password");
}

/* Two who want one name at the same time: the store decides. */
static void test_one_of_two_gets_the_name(void **state)
{
    struct account_fixture *fixture = *state;
    static const char BODY[] = "{\"name\":\"Ann\",\"password\":\"correct horse\"}";
    struct request request = {.method = METHOD_POST,
                              .path = "/v1/players",
                              .content_type = "application/json",
                              .body = BODY,
                              .body_size = sizeof BODY - 1};
    struct hash_work work = {.fresh = "correct horse"};
    struct change *changes[2];

    hash_work_do(&work);
    request.hashed = &work;
    for (int i = 0; i < 2; i++) {
        memset(request.random, 100 + i, sizeof request.random);
        changes[i] = api_handle(&fixture->api, &request).change;
        assert_non_null(changes[i]);
    }
    changes[0]->next = changes[1];
    store_write(fixture->rooms.store, changes[0]);
    assert_int_equal(changes[0]->status, CHANGE_STORED);
    assert_int_equal(changes[1]->status, CHANGE_CONFLICT);
    fixture->response = account_changed(changes[1]);
    assert_int_equal(fixture->response.status, 409);
    free(changes[0]);
    free(changes[1]);
}

static void test_a_recovery_code_works_once(void **state)
{
    struct account_fixture *fixture = *state;
    char body[200], code[SECRET_TEXT], old[SECRET_TEXT];

    account_sign_up(fixture, "Ann");
    snprintf(code, sizeof code, "%s", reply_text(fixture->json, "recovery_code"));
    memcpy(old, fixture->token, sizeof old);
    fixture->token[0] = '\0';
    account_post(fixture, "/v1/recovery",
                 "{\"name\":\"Ann\",\"recovery_code\":\"aaaaa\",\"password\":\"new password\"}");
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    for (char *c = code; *c != '\0'; c++) {
        *c = (char)(*c == '-' ? ' ' : *c >= 'a' ? *c - 'a' + 'A' : *c); /* as people type */
    }
    snprintf(body, sizeof body,
             "{\"name\":\"Ann\",\"recovery_code\":\"%s\",\"password\":\"new password\"}", code);
    assert_int_equal(account_post(fixture, "/v1/recovery", body), 201);
    assert_int_equal(strlen(reply_text(fixture->json, "recovery_code")), 23);
    assert_token_renewed(fixture, old);
    fixture->token[0] = '\0';
    account_post(fixture, "/v1/recovery", body);
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    assert_int_equal(
        account_post(fixture, "/v1/sessions", "{\"name\":\"Ann\",\"password\":\"new password\"}"),
        201);
}

static void test_another_password(void **state)
{
    struct account_fixture *fixture = *state;
    char old[SECRET_TEXT];

    account_sign_up(fixture, "Ann");
    memcpy(old, fixture->token, sizeof old);
    account_post(fixture, "/v1/me/password",
                 "{\"password\":\"wrong horse\",\"new_password\":\"new password\"}");
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    assert_int_equal(
        account_post(fixture, "/v1/me/password",
                     "{\"password\":\"correct horse\",\"new_password\":\"new password\"}"),
        201);
    assert_true(change_ends_session(&fixture->change, fixture->change.person,
                                    (unsigned char[TOKEN_HASH]){0}));
    assert_token_renewed(fixture, old);
}

static void test_farewell(void **state)
{
    struct account_fixture *fixture = *state;

    account_sign_up(fixture, "Ann");
    account_post(fixture, "/v1/me/delete", "{\"password\":\"wrong horse\"}");
    assert_problem_kind(&fixture->response, fixture->json, 401, "bad-login");
    assert_int_equal(account_post(fixture, "/v1/me/delete", "{\"password\":\"correct horse\"}"),
                     204);
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 401);
    fixture->token[0] = '\0';
    account_sign_up(fixture, "Ann"); /* the name is free again */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sign_up, account_setup, account_teardown),
        cmocka_unit_test_setup_teardown(test_look_alikes_of_a_name_are_refused, account_setup,
                                        account_teardown),
        cmocka_unit_test_setup_teardown(test_sign_ups_refused, account_setup, account_teardown),
        cmocka_unit_test_setup_teardown(test_one_of_two_gets_the_name, account_setup,
                                        account_teardown),
        cmocka_unit_test_setup_teardown(test_a_recovery_code_works_once, account_setup,
                                        account_teardown),
        cmocka_unit_test_setup_teardown(test_another_password, account_setup, account_teardown),
        cmocka_unit_test_setup_teardown(test_farewell, account_setup, account_teardown),
    };
    struct err err;

    return identity_init(&err) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
