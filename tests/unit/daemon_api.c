/* The paths of the daemon's API and what all have in common, without a socket: requests as values
 * in, responses as values out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "api_support.h"

static void test_operations(void **state)
{
    struct api_fixture *fixture = *state;

    api_get(fixture, "/healthz", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_string_equal(reply_text(fixture->json, "status"), "ok");
    fixture->metrics.requests[8][2] = 7;
    api_get(fixture, "/metrics", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_true(fixture->response.body_size > 0);
    assert_non_null(strstr(fixture->response.body,
                           "\ndraughtsd_requests_total{path=\"/v1/moves\",status=\"2xx\"} 7\n"));
}

static void test_ready_only_with_all_levels_and_not_draining(void **state)
{
    struct api_fixture *fixture = *state;
    struct artefact artefact = fixture->artefacts->slot[0].artefact;

    api_get(fixture, "/readyz", NULL);
    assert_problem(fixture, 503, "not-ready", NULL, "measured levels for classic");
    artefact.variant = &variant_classic;
    artefacts_put(fixture->artefacts, &artefact);
    api_get(fixture, "/readyz", NULL);
    assert_problem(fixture, 503, "not-ready", NULL, "weights for flying");
    artefact.variant = &variant_flying;
    artefacts_put(fixture->artefacts, &artefact);
    api_get(fixture, "/readyz", NULL);
    assert_int_equal(fixture->response.status, 200);
    fixture->api.draining = true;
    api_get(fixture, "/readyz", NULL);
    assert_problem(fixture, 503, "not-ready", NULL, "shutting down");
}

static void test_rules(void **state)
{
    struct api_fixture *fixture = *state;

    api_get(fixture, "/v1/rules", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(json_array_size(json_object_get(fixture->json, "rules")), VARIANT_COUNT);
    api_get(fixture, "/v1/rules/classic", NULL);
    assert_string_equal(reply_text(fixture->json, "opener"), "black");
    assert_int_equal(reply_number(fixture->json, "rows"), 8);
    assert_int_equal(reply_number(fixture->json, "men"), 12);
    assert_true(json_is_false(json_object_get(fixture->json, "levels")));
    assert_true(json_array_size(json_object_get(fixture->json, "text")) >= 8);
    api_get(fixture, "/v1/rules/international", NULL);
    assert_true(json_is_true(json_object_get(fixture->json, "levels")));
    api_get(fixture, "/v1/rules/chess", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "international");
    api_get(fixture, "/v1/rules/", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "no such path");
    api_get(fixture, "/v1/rules/classic/", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "no such path");
}

static void test_levels(void **state)
{
    struct api_fixture *fixture = *state;

    api_get(fixture, "/v1/levels", "rules=international");
    assert_int_equal(fixture->response.status, 200);
    assert_string_equal(reply_text(fixture->json, "model"), "score-logistic");
    const json_t *levels = json_object_get(fixture->json, "levels");
    assert_int_equal(json_array_size(levels), LEVELS_MAX);
    const json_t *third = json_array_get(levels, 2);
    assert_int_equal(reply_number(third, "number"), 3);
    assert_string_equal(json_string_value(json_object_get(third, "name")), "Medium");
    assert_true(json_real_value(json_object_get(third, "elo")) == 301.5);
    assert_int_equal(reply_number(json_object_get(third, "plays_by"), "depth"), 2);
    api_get(fixture, "/v1/levels", NULL);
    assert_problem(fixture, 400, "bad-request", "rules", "missing");
    api_get(fixture, "/v1/levels", "rules=chess");
    assert_problem(fixture, 400, "unknown-rules", "rules", "chess");
    api_get(fixture, "/v1/levels", "rules=classic&rules=flying");
    assert_problem(fixture, 400, "bad-request", "rules", "rules=flying");
    api_get(fixture, "/v1/levels", "rules=classic");
    assert_problem(fixture, 503, "unmeasured", "rules", "classic");
    api_get(fixture, "/v1/levels", "rules=flying");
    assert_problem(fixture, 503, "not-served", "rules", "flying");
}

static void test_paths_and_methods(void **state)
{
    struct api_fixture *fixture = *state;
    struct request request = {.method = METHOD_GET, .path = "/v1/moves"};

    api_get(fixture, "/v2/moves", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "/openapi.json");
    api_send(fixture, &request);
    assert_problem(fixture, 405, "method-not-allowed", NULL, "/v1/moves");
    assert_string_equal(fixture->response.allow, "POST, OPTIONS");
    request.method = METHOD_OPTIONS;
    api_send(fixture, &request);
    assert_int_equal(fixture->response.status, 204);
    assert_string_equal(fixture->response.allow, "POST, OPTIONS");
    request = (struct request){.method = METHOD_DELETE, .path = "/v1/rules"};
    api_send(fixture, &request);
    assert_int_equal(fixture->response.status, 405);
    assert_string_equal(fixture->response.allow, "GET, HEAD, OPTIONS");
}

/* Pages of other sites, and other names that are made to point here. */
static void test_who_may_come(void **state)
{
    static const struct {
        struct request request;
        int status;
    } CASES[] = {
        {{.method = METHOD_GET, .host = "localhost:1"}, 200},
        {{.method = METHOD_GET, .host = "rebound.example"}, 403},
        {{.method = METHOD_GET, .host = "localhost:1", .origin = "http://evil.example"}, 200},
        {{.method = METHOD_OPTIONS, .host = "localhost:1", .origin = "http://evil.example"}, 204},
        {{.method = METHOD_POST, .host = "localhost:1", .origin = "http://evil.example"}, 403},
        {{.method = METHOD_POST, .host = "localhost:1", .origin = "http://localhost:1"}, 405},
        {{.method = METHOD_GET,
          .host = "localhost:1",
          .origin = "http://evil.example",
          .upgrade = "websocket"},
         403},
    };
    struct api_fixture *fixture = *state;

    fixture->api.lists = (struct origin_lists){.hosts = "", .origins = ""};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct request request = CASES[i].request;
        request.path = "/healthz";
        api_send(fixture, &request);
        assert_int_equal(fixture->response.status, CASES[i].status);
    }
}

static void test_bodies_refused(void **state)
{
    struct api_fixture *fixture = *state;
    static const struct {
        const char *body, *slug, *field, *said;
    } CASES[] = {
        {"", "bad-json", NULL, "line 1"},
        {"{\"rules\":\"classic\"", "bad-json", NULL, "line 1, column 18"},
        {"{\"rules\":\"classic\"}\n x", "bad-json", NULL, "line 2"},
        {"[]", "bad-json", NULL, "one JSON object"},
        {"{\"rules\":\"classic\",\"rules\":\"flying\"}", "bad-json", NULL, "duplicate"},
        {"{\"rules\":\"cl\\u0000\"}", "bad-json", NULL, "\\u0000"},
        {"{\"rules\":\"\xff\"}", "bad-json", NULL, "0xff"},
        {"{}", "bad-field", "/rules", "missing"},
        {"{\"rules\":1}", "bad-field", "/rules", "not a text"},
        {"{\"rules\":\"chess\"}", "unknown-rules", "/rules", "classic"},
        {"{\"rules\":\"classic\",\"a/b~\":1}", "bad-field", "/a~1b~0", "known are: rules, fen"},
        {"{\"rules\":\"classic\",\"z\xc3\xbcge\":1}", "bad-field", "/z??ge", "unknown member"},
        {"{\"rules\":\"classic\",\"fen\":3}", "bad-field", "/fen", "not a text"},
        {"{\"rules\":\"classic\",\"fen\":\"\"}", "bad-fen", "/fen", "FEN"},
        {"{\"rules\":\"classic\",\"fen\":\"W:W33:B1\"}", "bad-fen", "/fen", "33"},
        {"{\"rules\":\"classic\",\"fen\":\"W:W\xc3\xbc:B1\"}", "bad-fen", "/fen", "FEN"},
        {"{\"rules\":\"classic\",\"moves\":1}", "bad-field", "/moves", "array"},
        {"{\"rules\":\"classic\",\"moves\":[\"9-13\",1]}", "bad-field", "/moves/1", "move 2"},
        {"{\"rules\":\"classic\",\"moves\":[\"9-13\",\"9-13\"]}", "illegal-move", "/moves/1",
         "move 2"},
        {"{\"rules\":\"classic\",\"moves\":\"9-13  22-18 x\"}", "illegal-move", "/moves", "move 3"},
    };

    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        api_post(fixture, "/v1/moves", CASES[i].body);
        assert_problem(fixture, 400, CASES[i].slug, CASES[i].field, CASES[i].said);
    }
}

static void test_media_type_and_size(void **state)
{
    struct api_fixture *fixture = *state;
    char *large = malloc(BODY_MAX + 1);
    struct request request = {.method = METHOD_POST,
                              .path = "/v1/moves",
                              .content_type = "text/plain",
                              .body = "{\"rules\":\"classic\"}",
                              .body_size = 19};

    assert_non_null(large);
    api_send(fixture, &request);
    assert_problem(fixture, 415, "media-type", "Content-Type", "application/json");
    request.content_type = NULL;
    api_send(fixture, &request);
    assert_problem(fixture, 415, "media-type", "Content-Type", "application/json");
    memset(large, ' ', BODY_MAX + 1);
    memcpy(large, request.body, request.body_size);
    request.content_type = "application/json";
    request.body = large;
    request.body_size = BODY_MAX;
    api_send(fixture, &request);
    assert_int_equal(fixture->response.status, 200);
    request.body_size = BODY_MAX + 1;
    api_send(fixture, &request);
    assert_problem(fixture, 413, "too-large", NULL, "65536");
    free(large);
}

/* The description lists exactly the paths and methods that are served. */
static void test_openapi_is_what_is_served(void **state)
{
    struct api_fixture *fixture = *state;
    size_t route = 0;

    api_get(fixture, "/openapi.json", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_non_null(fixture->json);
    const json_t *paths = json_object_get(fixture->json, "paths");
    for (; api_route_methods(route) != 0; route++) {
        const json_t *path = json_object_get(paths, api_route_name(route));
        assert_non_null(path);
        assert_int_equal(json_object_get(path, "get") != NULL,
                         (api_route_methods(route) & METHOD_GET) != 0);
        assert_int_equal(json_object_get(path, "post") != NULL,
                         (api_route_methods(route) & METHOD_POST) != 0);
        assert_int_equal(json_object_get(path, "delete") != NULL,
                         (api_route_methods(route) & METHOD_DELETE) != 0);
    }
    assert_int_equal(json_object_size(paths), route);
    assert_int_equal(route, api_route_other());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_operations, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_ready_only_with_all_levels_and_not_draining, api_setup,
                                        api_teardown),
        cmocka_unit_test_setup_teardown(test_rules, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_levels, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_paths_and_methods, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_who_may_come, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_bodies_refused, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_media_type_and_size, api_setup, api_teardown),
        cmocka_unit_test_setup_teardown(test_openapi_is_what_is_served, api_setup, api_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
