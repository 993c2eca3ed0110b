/* Accounts without a socket: sign-up, log-in, log-out, recovery, another password, farewell; who is
 * refused, and why. Passwords are hashed and changes stored in between, as the daemon does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/api/identity.h"
#include "tests/unit/store_support.h"

enum { NOW = 1000000, LIFE = 1000, SIGNUPS = 4, LOGINS = 4 };

struct fixture {
    struct place place;
    struct artefacts *artefacts;
    struct metrics metrics;
    struct names *names;
    struct rooms rooms;
    struct api api;
    const char *address;
    unsigned char random;
    char token[SECRET_TEXT];  /* sent when it is not "" */
    struct response response; /* of the last request */
    json_t *json;             /* its body */
    struct change change;     /* the last one stored */
};

static int setup(void **state)
{
    static const unsigned char SECRET[16] = {7};
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct err err;

    assert_non_null(fixture);
    place_make(&fixture->place);
    rooms_init(&fixture->rooms, place_open(&fixture->place), 10);
    fixture->artefacts = artefacts_create();
    fixture->names = names_create(&err);
    fixture->address = "192.0.2.1";
    fixture->api = (struct api){.artefacts = fixture->artefacts,
                                .metrics = &fixture->metrics,
                                .rooms = &fixture->rooms,
                                .now = NOW,
                                .names = fixture->names,
                                .quota = quota_create(SECRET),
                                .session_seconds = LIFE,
                                .signups_per_hour = SIGNUPS,
                                .logins_per_hour = LOGINS};
    *state = fixture;
    return fixture->names != NULL && fixture->api.quota != NULL ? 0 : -1;
}

static void forget(struct fixture *fixture)
{
    json_decref(fixture->json);
    fixture->json = NULL;
    response_fini(&fixture->response);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    forget(fixture);
    rooms_fini(&fixture->rooms);
    artefacts_release(fixture->artefacts);
    names_destroy(fixture->names);
    quota_destroy(fixture->api.quota);
    place_remove(&fixture->place);
    free(fixture);
    return 0;
}

/* Handles a request until it is answered, hashing and storing what it asks for. */
static void handle(struct fixture *fixture, struct request *request)
{
    struct answer answer = api_handle(&fixture->api, request);

    if (answer.hashing != NULL) {
        hash_work_do(answer.hashing);
        request->hashed = answer.hashing;
        handle(fixture, request);
        hash_work_destroy(answer.hashing);
        return;
    }
    if (answer.change != NULL) {
        assert_null(answer.room);
        store_write(fixture->rooms.store, answer.change);
        answer.response = account_changed(answer.change);
        fixture->change = *answer.change;
        free(answer.change);
    }
    fixture->response = answer.response;
}

static int send(struct fixture *fixture, enum method method, const char *path, const char *body)
{
    char authorization[80];
    struct request request = {.method = method,
                              .path = path,
                              .content_type = "application/json",
                              .body = body,
                              .body_size = strlen(body),
                              .address = fixture->address};

    forget(fixture);
    memset(request.random, ++fixture->random, sizeof request.random);
    snprintf(authorization, sizeof authorization, "Bearer %s", fixture->token);
    request.authorization = fixture->token[0] != '\0' ? authorization : NULL;
    handle(fixture, &request);
    fixture->json = json_loadb(fixture->response.body != NULL ? fixture->response.body : "",
                               fixture->response.body_size, 0, NULL);
    return fixture->response.status;
}

static int post(struct fixture *fixture, const char *path, const char *body)
{
    return send(fixture, METHOD_POST, path, body);
}

static const char *text(const struct fixture *fixture, const char *member)
{
    const char *value = json_string_value(json_object_get(fixture->json, member));

    assert_non_null(value);
    return value;
}

static void take_token(struct fixture *fixture)
{
    snprintf(fixture->token, sizeof fixture->token, "%s", text(fixture, "token"));
}

static void assert_problem(const struct fixture *fixture, int status, const char *slug)
{
    assert_int_equal(fixture->response.status, status);
    assert_string_equal(text(fixture, "type") + strlen("urn:draughtsmith:problem:"), slug);
}

static void sign_up(struct fixture *fixture, const char *name)
{
    char body[200];

    snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"correct horse\"}", name);
    assert_int_equal(post(fixture, "/v1/players", body), 201);
    take_token(fixture);
}

static void test_sign_up(void **state)
{
    struct fixture *fixture = *state;

    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
    sign_up(fixture, "Jose\\u0301");
    assert_string_equal(text(fixture, "name"), "José");
    assert_int_equal(strlen(text(fixture, "recovery_code")), 23);
    assert_string_equal(fixture->response.session, fixture->token); /* for the cookie */
    assert_int_equal(fixture->response.session_seconds, LIFE);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 200);
    assert_string_equal(text(fixture, "name"), "José");
}

static void test_nobody_is_told_of_as_a_guest(void **state)
{
    struct fixture *fixture = *state;
    struct request request = {.method = METHOD_GET, .path = "/v1/me", .query = "guest=yes"};

    handle(fixture, &request);
    fixture->json = json_loadb(fixture->response.body, fixture->response.body_size, 0, NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_true(json_is_null(json_object_get(fixture->json, "name")));
    assert_true(json_is_true(json_object_get(fixture->json, "guest")));
    assert_int_equal(json_integer_value(json_object_get(fixture->json, "created")), 0);
    assert_int_equal(json_array_size(json_object_get(fixture->json, "progress")), VARIANT_COUNT);
    forget(fixture);
    request.path = "/v1/me/export";
    handle(fixture, &request);
    assert_int_equal(fixture->response.status, 401);
    forget(fixture);
    request.path = "/v1/me";
    request.query = "guest=no";
    handle(fixture, &request);
    assert_int_equal(fixture->response.status, 400);
}

/* lets-chat #159: a session not renewed at log-in. */
static void test_a_log_in_renews_the_session(void **state)
{
    struct fixture *fixture = *state;
    char first[SECRET_TEXT];

    sign_up(fixture, "José");
    memcpy(first, fixture->token, sizeof first);
    assert_int_equal(
        post(fixture, "/v1/sessions", "{\"name\":\"JOSÉ\",\"password\":\"correct horse\"}"), 201);
    take_token(fixture);
    assert_string_not_equal(fixture->token, first);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 200);
    memcpy(fixture->token, first, sizeof first);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
}

static void test_a_wrong_password_and_an_unknown_name_are_one(void **state)
{
    struct fixture *fixture = *state;

    sign_up(fixture, "Ann");
    fixture->token[0] = '\0';
    post(fixture, "/v1/sessions", "{\"name\":\"Ann\",\"password\":\"correct horsf\"}");
    assert_problem(fixture, 401, "bad-login");
    char *said = strdup(text(fixture, "detail"));
    post(fixture, "/v1/sessions", "{\"name\":\"Ben\",\"password\":\"correct horse\"}");
    assert_problem(fixture, 401, "bad-login");
    assert_string_equal(text(fixture, "detail"), said);
    free(said);
    post(fixture, "/v1/sessions", "{\"name\":\"\",\"password\":\"\"}");
    assert_problem(fixture, 401, "bad-login");
}

/* openstreetmap-website #3919: look-alike names. */
static void test_look_alikes_of_a_name_are_refused(void **state)
{
    static const char *const NAMES[] = {"paypal", "PAYPAL", "раураl", "paypaI"};
    struct fixture *fixture = *state;
    char body[200];

    sign_up(fixture, "PayPal");
    fixture->token[0] = '\0';
    for (int i = 0; i < 4; i++) {
        snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"correct horse\"}", NAMES[i]);
        post(fixture, "/v1/players", body);
        assert_problem(fixture, 409, "name-taken");
    }
}

static void test_sign_ups_refused(void **state)
{
    struct fixture *fixture = *state;

    sign_up(fixture, "Ann");
    post(fixture, "/v1/players", "{\"name\":\"Other\",\"password\":\"correct horse\"}");
    assert_problem(fixture, 409, "signed-in");
    fixture->token[0] = '\0';
    post(fixture, "/v1/players", "{\"name\":\"a  b\",\"password\":\"correct horse\"}");
    assert_problem(fixture, 400, "bad-field");
    assert_string_equal(text(fixture, "field"), "/name");
    post(fixture, "/v1/players", "{\"name\":\"Ben\",\"password\":\"short\"}");
    assert_string_equal(text(fixture, "field"), "/password");
    post(fixture, "/v1/players", "{\"name\":\"Benjamin\",\"password\":\"benjamin\"}");
    assert_string_equal(text(fixture, "field"), "/password");
}

/* Two who want one name at the same time: the store decides. */
static void test_one_of_two_gets_the_name(void **state)
{
    struct fixture *fixture = *state;
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

static void test_log_out(void **state)
{
    struct fixture *fixture = *state;
    char first[SECRET_TEXT], second[SECRET_TEXT];
    unsigned char hash[TOKEN_HASH];

    sign_up(fixture, "Ann");
    memcpy(first, fixture->token, sizeof first);
    fixture->token[0] = '\0';
    post(fixture, "/v1/sessions", "{\"name\":\"ann\",\"password\":\"correct horse\"}");
    take_token(fixture);
    memcpy(second, fixture->token, sizeof second);
    memcpy(hash, fixture->change.token, sizeof hash);

    assert_int_equal(send(fixture, METHOD_DELETE, "/v1/sessions", ""), 204);
    assert_true(fixture->response.session_over);
    assert_true(change_ends_session(&fixture->change, fixture->change.person, hash));
    hash[0] ^= 1; /* another session of theirs */
    assert_false(change_ends_session(&fixture->change, fixture->change.person, hash));
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
    memcpy(fixture->token, first, sizeof first);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 200);

    fixture->api.now = NOW + LIFE; /* over by itself */
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
}

static void test_a_recovery_code_works_once(void **state)
{
    struct fixture *fixture = *state;
    char body[200], code[SECRET_TEXT], old[SECRET_TEXT];

    sign_up(fixture, "Ann");
    snprintf(code, sizeof code, "%s", text(fixture, "recovery_code"));
    memcpy(old, fixture->token, sizeof old);
    fixture->token[0] = '\0';
    post(fixture, "/v1/recovery",
         "{\"name\":\"Ann\",\"recovery_code\":\"aaaaa\",\"password\":\"new password\"}");
    assert_problem(fixture, 401, "bad-login");
    for (char *c = code; *c != '\0'; c++) {
        *c = (char)(*c == '-' ? ' ' : *c >= 'a' ? *c - 'a' + 'A' : *c); /* as people type */
    }
    snprintf(body, sizeof body,
             "{\"name\":\"Ann\",\"recovery_code\":\"%s\",\"password\":\"new password\"}", code);
    assert_int_equal(post(fixture, "/v1/recovery", body), 201);
    assert_int_equal(strlen(text(fixture, "recovery_code")), 23);
    take_token(fixture);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 200);
    memcpy(fixture->token, old, sizeof old);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
    fixture->token[0] = '\0';
    post(fixture, "/v1/recovery", body);
    assert_problem(fixture, 401, "bad-login");
    assert_int_equal(
        post(fixture, "/v1/sessions", "{\"name\":\"Ann\",\"password\":\"new password\"}"), 201);
}

static void test_another_password(void **state)
{
    struct fixture *fixture = *state;
    char old[SECRET_TEXT];

    sign_up(fixture, "Ann");
    memcpy(old, fixture->token, sizeof old);
    post(fixture, "/v1/me/password",
         "{\"password\":\"wrong horse\",\"new_password\":\"new password\"}");
    assert_problem(fixture, 401, "bad-login");
    assert_int_equal(post(fixture, "/v1/me/password",
                          "{\"password\":\"correct horse\",\"new_password\":\"new password\"}"),
                     201);
    assert_true(change_ends_session(&fixture->change, fixture->change.person,
                                    (unsigned char[TOKEN_HASH]){0}));
    take_token(fixture);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 200);
    memcpy(fixture->token, old, sizeof old);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
}

static void test_farewell(void **state)
{
    struct fixture *fixture = *state;

    sign_up(fixture, "Ann");
    post(fixture, "/v1/me/delete", "{\"password\":\"wrong horse\"}");
    assert_problem(fixture, 401, "bad-login");
    assert_int_equal(post(fixture, "/v1/me/delete", "{\"password\":\"correct horse\"}"), 204);
    assert_int_equal(send(fixture, METHOD_GET, "/v1/me", ""), 401);
    fixture->token[0] = '\0';
    sign_up(fixture, "Ann"); /* the name is free again */
}

static void test_limits(void **state)
{
    struct fixture *fixture = *state;
    static const char WRONG[] = "{\"name\":\"Ann\",\"password\":\"wrong horse\"}";
    static const char RIGHT[] = "{\"name\":\"Ann\",\"password\":\"correct horse\"}";

    sign_up(fixture, "Ann");
    fixture->token[0] = '\0';
    for (int i = 0; i < 2 * LOGINS; i++) { /* what is right does not count */
        assert_int_equal(post(fixture, "/v1/sessions", RIGHT), 201);
    }
    for (int i = 0; i < LOGINS; i++) {
        post(fixture, "/v1/sessions", WRONG);
        assert_problem(fixture, 401, "bad-login");
    }
    post(fixture, "/v1/sessions", RIGHT);
    assert_problem(fixture, 429, "too-many");
    assert_int_equal(fixture->response.retry_after, 3600 / LOGINS);
    fixture->address = "192.0.2.2"; /* from elsewhere, for the same name */
    post(fixture, "/v1/sessions", RIGHT);
    assert_problem(fixture, 429, "too-many");

    fixture->address = "2001:db8::1"; /* one site has many addresses */
    for (int i = 0; i < SIGNUPS; i++) {
        char name[8] = {(char)('b' + i), 'x'};
        sign_up(fixture, name);
        fixture->token[0] = '\0';
    }
    fixture->address = "2001:db8::2";
    post(fixture, "/v1/players", "{\"name\":\"Zoe\",\"password\":\"correct horse\"}");
    assert_problem(fixture, 429, "too-many");
    fixture->address = "2001:db8:1::2";
    sign_up(fixture, "Zoe");
}

/* A service's key with the user that it names is somebody, the same one each time. */
static void test_services_bring_their_own_users(void **state)
{
    struct fixture *fixture = *state;
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
    struct fixture *fixture = *state;
    char cookie[160];
    struct request request = {.method = METHOD_GET, .path = "/v1/me"};

    sign_up(fixture, "Ann");
    snprintf(cookie, sizeof cookie, "theme=dark; draughtsd=%s; x=y", fixture->token);
    forget(fixture);
    request.cookie = cookie;
    handle(fixture, &request);
    assert_int_equal(fixture->response.status, 200);
    forget(fixture);
    request.authorization = "Bearer nobody"; /* wins over the cookie */
    handle(fixture, &request);
    assert_int_equal(fixture->response.status, 401);
    forget(fixture);
    request.authorization = NULL;
    request.cookie = "xdraughtsd=1; draughtsd=stale"; /* no session */
    handle(fixture, &request);
    assert_int_equal(fixture->response.status, 401);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sign_up, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nobody_is_told_of_as_a_guest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_log_in_renews_the_session, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_wrong_password_and_an_unknown_name_are_one, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_look_alikes_of_a_name_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sign_ups_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_of_two_gets_the_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_log_out, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_recovery_code_works_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_password, setup, teardown),
        cmocka_unit_test_setup_teardown(test_farewell, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_services_bring_their_own_users, setup, teardown),
        cmocka_unit_test_setup_teardown(test_the_cookie, setup, teardown),
    };
    struct err err;

    return identity_init(&err) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
