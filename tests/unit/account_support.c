#include "account_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/account_api.h"

int account_setup(void **state)
{
    static const unsigned char SECRET[16] = {7};
    struct account_fixture *fixture = calloc(1, sizeof *fixture);
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

void account_forget(struct account_fixture *fixture)
{
    reply_forget(&fixture->response, &fixture->json);
}

int account_teardown(void **state)
{
    struct account_fixture *fixture = *state;

    account_forget(fixture);
    rooms_fini(&fixture->rooms);
    artefacts_release(fixture->artefacts);
    names_destroy(fixture->names);
    quota_destroy(fixture->api.quota);
    place_remove(&fixture->place);
    free(fixture);
    return 0;
}

void account_handle(struct account_fixture *fixture, struct request *request)
{
    struct answer answer = api_handle(&fixture->api, request);

    if (answer.hashing != NULL) {
        hash_work_do(answer.hashing);
        request->hashed = answer.hashing;
        account_handle(fixture, request);
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

int account_send(struct account_fixture *fixture, enum method method, const char *path,
                 const char *body)
{
    char authorization[80];
    struct request request = {.method = method,
                              .path = path,
                              .content_type = "application/json",
                              .body = body,
                              .body_size = strlen(body),
                              .address = fixture->address};

    account_forget(fixture);
    memset(request.random, ++fixture->random, sizeof request.random);
    snprintf(authorization, sizeof authorization, "Bearer %s", fixture->token);
    request.authorization = fixture->token[0] != '\0' ? authorization : NULL;
    account_handle(fixture, &request);
    fixture->json = reply_json(&fixture->response);
    return fixture->response.status;
}

int account_post(struct account_fixture *fixture, const char *path, const char *body)
{
    return account_send(fixture, METHOD_POST, path, body);
}

void account_take_token(struct account_fixture *fixture)
{
    snprintf(fixture->token, sizeof fixture->token, "%s", reply_text(fixture->json, "token"));
}

void assert_token_renewed(struct account_fixture *fixture, const char old[SECRET_TEXT])
{
    account_take_token(fixture);
    assert_string_not_equal(fixture->token, old);
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 200);
    memcpy(fixture->token, old, SECRET_TEXT);
    assert_int_equal(account_send(fixture, METHOD_GET, "/v1/me", ""), 401);
}

void account_sign_up(struct account_fixture *fixture, const char *name)
{
    char body[200];

    snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"correct horse\"}", name);
    assert_int_equal(account_post(fixture, "/v1/players", body), 201);
    account_take_token(fixture);
}
