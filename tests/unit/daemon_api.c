/* Every path of the daemon's API and every refusal, without a socket: requests as values in,
 * responses as values out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/api.h"
#include "engine/rules/fen.h"
#include "engine/rules/notation.h"

struct fixture {
    struct artefacts *artefacts;
    struct metrics metrics;
    struct api api;
    struct response response; /* of the last request */
    json_t *json;             /* its body */
};

/* International has weights and six levels, classic weights only, flying nothing. */
static int setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct artefact artefact;

    assert_non_null(fixture);
    fixture->artefacts = artefacts_create();
    assert_non_null(fixture->artefacts);
    memset(&artefact, 0, sizeof artefact);
    for (int i = 0; i < 2; i++) {
        artefact.variant = variant_at(i);
        weights_builtin(artefact.variant->rules, &artefact.weights);
        artefact.levels.count = i == 0 ? LEVELS_MAX : 0;
        for (int n = 1; n <= artefact.levels.count; n++) {
            artefact.levels.level[n - 1] =
                (struct level){.number = n, .depth = n - 1, .elo = 100.5 * n, .games = 10};
            snprintf(artefact.levels.level[n - 1].name, LEVEL_NAME, "%s", level_name(n));
        }
        snprintf(artefact.levels.model, LEVEL_MODEL, "score-logistic");
        artefact.provenance.scale = 0.5;
        artefacts_put(fixture->artefacts, &artefact);
    }
    fixture->api = (struct api){
        .artefacts = fixture->artefacts, .metrics = &fixture->metrics, .analysis_seconds = 30.0};
    *state = fixture;
    return 0;
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
    artefacts_release(fixture->artefacts);
    free(fixture);
    return 0;
}

/* Sends a request and runs the search it asks for, if any; the response is kept. */
static void send(struct fixture *fixture, const struct request *request)
{
    forget(fixture);
    struct answer answer = api_handle(&fixture->api, request);
    if (answer.task != NULL) {
        struct err err;
        uint64_t nodes;
        const struct variant *variant = answer.task->game.variant;
        const struct artefact *artefact = &artefacts_of(answer.task->artefacts, variant)->artefact;
        struct search *search = search_create(variant, &artefact->weights, LEVEL_TABLE_BITS, &err);
        assert_non_null(search);
        answer.response = task_run(answer.task, search, &nodes);
        search_destroy(search);
        task_destroy(answer.task);
    }
    fixture->response = answer.response;
    const void *body = answer.response.fixed != NULL ? answer.response.fixed : answer.response.body;
    fixture->json = body != NULL ? json_loadb(body, answer.response.body_size, 0, NULL) : NULL;
}

static void get(struct fixture *fixture, const char *path, const char *query)
{
    const struct request request = {.method = METHOD_GET, .path = path, .query = query};

    send(fixture, &request);
}

static void post(struct fixture *fixture, const char *path, const char *body)
{
    const struct request request = {.method = METHOD_POST,
                                    .path = path,
                                    .content_type = "application/json",
                                    .body = body,
                                    .body_size = strlen(body),
                                    .seed = UINT64_MAX};

    send(fixture, &request);
}

static const char *text(const struct fixture *fixture, const char *member)
{
    const char *value = json_string_value(json_object_get(fixture->json, member));

    assert_non_null(value);
    return value;
}

static json_int_t number(const json_t *object, const char *member)
{
    const json_t *value = json_object_get(object, member);

    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

/* The last response is a problem of this status and kind that points to `field` (NULL: none) and
 * whose detail has `said` in it. */
static void assert_problem(const struct fixture *fixture, int status, const char *slug,
                           const char *field, const char *said)
{
    char type[80];

    snprintf(type, sizeof type, "urn:draughtsmith:problem:%s", slug);
    assert_int_equal(fixture->response.status, status);
    assert_string_equal(fixture->response.content_type, "application/problem+json");
    assert_string_equal(text(fixture, "type"), type);
    assert_int_equal(number(fixture->json, "status"), status);
    assert_true(strlen(text(fixture, "title")) > 0);
    if (strstr(text(fixture, "detail"), said) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", text(fixture, "detail"), said);
    }
    if (field != NULL) {
        assert_string_equal(text(fixture, "field"), field);
    } else {
        assert_null(json_object_get(fixture->json, "field"));
    }
}

static void test_operations(void **state)
{
    struct fixture *fixture = *state;

    get(fixture, "/healthz", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_string_equal(text(fixture, "status"), "ok");
    fixture->metrics.requests[8][2] = 7;
    get(fixture, "/metrics", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_true(fixture->response.body_size > 0);
    assert_non_null(strstr(fixture->response.body,
                           "\ndraughtsd_requests_total{path=\"/v1/moves\",status=\"2xx\"} 7\n"));
}

static void test_ready_only_with_all_levels_and_not_draining(void **state)
{
    struct fixture *fixture = *state;
    struct artefact artefact = fixture->artefacts->slot[0].artefact;

    get(fixture, "/readyz", NULL);
    assert_problem(fixture, 503, "not-ready", NULL, "measured levels for classic");
    artefact.variant = &variant_classic;
    artefacts_put(fixture->artefacts, &artefact);
    get(fixture, "/readyz", NULL);
    assert_problem(fixture, 503, "not-ready", NULL, "weights for flying");
    artefact.variant = &variant_flying;
    artefacts_put(fixture->artefacts, &artefact);
    get(fixture, "/readyz", NULL);
    assert_int_equal(fixture->response.status, 200);
    fixture->api.draining = true;
    get(fixture, "/readyz", NULL);
    assert_problem(fixture, 503, "not-ready", NULL, "shutting down");
}

static void test_rules(void **state)
{
    struct fixture *fixture = *state;

    get(fixture, "/v1/rules", NULL);
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(json_array_size(json_object_get(fixture->json, "rules")), VARIANT_COUNT);
    get(fixture, "/v1/rules/classic", NULL);
    assert_string_equal(text(fixture, "opener"), "black");
    assert_int_equal(number(fixture->json, "rows"), 8);
    assert_int_equal(number(fixture->json, "men"), 12);
    assert_true(json_is_false(json_object_get(fixture->json, "levels")));
    assert_true(json_array_size(json_object_get(fixture->json, "text")) >= 8);
    get(fixture, "/v1/rules/international", NULL);
    assert_true(json_is_true(json_object_get(fixture->json, "levels")));
    get(fixture, "/v1/rules/chess", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "international");
    get(fixture, "/v1/rules/", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "no such path");
    get(fixture, "/v1/rules/classic/", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "no such path");
}

static void test_levels(void **state)
{
    struct fixture *fixture = *state;

    get(fixture, "/v1/levels", "rules=international");
    assert_int_equal(fixture->response.status, 200);
    assert_string_equal(text(fixture, "model"), "score-logistic");
    const json_t *levels = json_object_get(fixture->json, "levels");
    assert_int_equal(json_array_size(levels), LEVELS_MAX);
    const json_t *third = json_array_get(levels, 2);
    assert_int_equal(number(third, "number"), 3);
    assert_string_equal(json_string_value(json_object_get(third, "name")), "Medium");
    assert_true(json_real_value(json_object_get(third, "elo")) == 301.5);
    assert_int_equal(number(json_object_get(third, "plays_by"), "depth"), 2);
    get(fixture, "/v1/levels", NULL);
    assert_problem(fixture, 400, "bad-request", "rules", "missing");
    get(fixture, "/v1/levels", "rules=chess");
    assert_problem(fixture, 400, "unknown-rules", "rules", "chess");
    get(fixture, "/v1/levels", "rules=classic&rules=flying");
    assert_problem(fixture, 400, "bad-request", "rules", "rules=flying");
    get(fixture, "/v1/levels", "rules=classic");
    assert_problem(fixture, 503, "unmeasured", "rules", "classic");
    get(fixture, "/v1/levels", "rules=flying");
    assert_problem(fixture, 503, "not-served", "rules", "flying");
}

static void test_paths_and_methods(void **state)
{
    struct fixture *fixture = *state;
    struct request request = {.method = METHOD_GET, .path = "/v1/moves"};

    get(fixture, "/v2/moves", NULL);
    assert_problem(fixture, 404, "not-found", NULL, "/openapi.json");
    send(fixture, &request);
    assert_problem(fixture, 405, "method-not-allowed", NULL, "/v1/moves");
    assert_string_equal(fixture->response.allow, "POST, OPTIONS");
    request.method = METHOD_OPTIONS;
    send(fixture, &request);
    assert_int_equal(fixture->response.status, 204);
    assert_string_equal(fixture->response.allow, "POST, OPTIONS");
    request = (struct request){.method = METHOD_DELETE, .path = "/v1/rules"};
    send(fixture, &request);
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
    struct fixture *fixture = *state;

    fixture->api.lists = (struct origin_lists){.hosts = "", .origins = ""};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct request request = CASES[i].request;
        request.path = "/healthz";
        send(fixture, &request);
        assert_int_equal(fixture->response.status, CASES[i].status);
    }
}

static void test_moves(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/moves", "{\"rules\":\"flying\"}"); /* needs no weights */
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(json_array_size(json_object_get(fixture->json, "moves")), 7);
    post(fixture, "/v1/moves", "{\"rules\":\"international\",\"moves\":[\"32-28\",\"19-23\"]}");
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(number(fixture->json, "ply"), 2);
    assert_string_equal(text(fixture, "turn"), "white");
    assert_true(json_is_null(json_object_get(fixture->json, "outcome")));
    const json_t *moves = json_object_get(fixture->json, "moves");
    assert_int_equal(json_array_size(moves), 1);
    const json_t *move = json_array_get(moves, 0);
    assert_string_equal(json_string_value(json_object_get(move, "move")), "28x19x23");
    assert_int_equal(number(move, "from"), 28);
    assert_int_equal(number(move, "to"), 19);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(move, "captures"), 0)), 23);
}

static void test_every_path_of_a_capture(void **state)
{
    struct fixture *fixture = *state;

    /* The same four men can be taken clockwise or the other way round. */
    post(fixture, "/v1/moves", "{\"rules\":\"international\",\"fen\":\"W:W48:B42,43,32,33\"}");
    assert_int_equal(fixture->response.status, 200);
    const json_t *moves = json_object_get(fixture->json, "moves");
    assert_int_equal(json_array_size(moves), 1);
    const json_t *paths = json_object_get(json_array_get(moves, 0), "paths");
    assert_int_equal(json_array_size(paths), 2);
    assert_int_equal(json_array_size(json_array_get(paths, 0)), 4);
}

static void test_outcome_is_told(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/moves", "{\"rules\":\"classic\",\"fen\":\"W:W:B5\"}");
    assert_int_equal(fixture->response.status, 200);
    const json_t *outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "result")), "black wins");
    assert_string_equal(json_string_value(json_object_get(outcome, "reason")), "no pieces");
    assert_int_equal(json_array_size(json_object_get(fixture->json, "moves")), 0);
    /* Two kings walk to and fro until the position stands for the third time. */
    post(fixture, "/v1/moves",
         "{\"rules\":\"classic\",\"fen\":\"W:WK32:BK1\",\"moves\":"
         "\"32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1\"}");
    outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "reason")), "repetition");
    assert_int_equal(json_array_size(json_object_get(fixture->json, "moves")), 0);
    post(fixture, "/v1/moves",
         "{\"rules\":\"classic\",\"fen\":\"W:WK32:BK1\",\"moves\":"
         "\"32-28 1-5 28-32 5-1 32-28 1-5 28-32 5-1 32-28\"}");
    assert_problem(fixture, 409, "game-over", "/moves", "before move 9");
    outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "result")), "draw");
}

static void test_bestmove(void **state)
{
    struct fixture *fixture = *state;
    struct position start = position_start(variant_international.rules), after;
    struct move move;
    struct err err;
    char fen[FEN_SIZE];

    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":4,\"seed\":11}");
    assert_int_equal(fixture->response.status, 200);
    assert_true(move_read(&variant_international, &start, text(fixture, "move"), &move, &err));
    after = position_after(variant_international.rules, &start, &move);
    fen_write(variant_international.rules, &after, fen);
    assert_string_equal(text(fixture, "fen"), fen);
    assert_int_equal(number(fixture->json, "seed"), 11);
    assert_int_equal(number(fixture->json, "level"), 4);
    assert_int_equal(number(fixture->json, "depth"), 3);
    assert_int_equal(strlen(text(fixture, "weights")), 16);
    const json_t *score = json_object_get(fixture->json, "score");
    assert_string_equal(json_string_value(json_object_get(score, "side")), "white");
    double expected = json_real_value(json_object_get(score, "expected"));
    assert_true(expected > 0.0 && expected < 1.0);
    char *first = strdup(fixture->response.body);
    assert_non_null(first);
    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":4,\"seed\":11}");
    assert_string_equal(fixture->response.body, first);
    free(first);
}

static void test_bestmove_draws_a_seed(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":1}");
    assert_int_equal(fixture->response.status, 200);
    assert_int_equal(number(fixture->json, "seed"), ((json_int_t)1 << SEED_BITS) - 1);
    assert_true(json_is_null(json_object_get(fixture->json, "score")));
}

static void test_bestmove_refusals(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/bestmove", "{\"rules\":\"international\"}");
    assert_problem(fixture, 400, "bad-field", "/level", "missing");
    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":0}");
    assert_problem(fixture, 400, "bad-field", "/level", "1 to 6");
    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":7}");
    assert_problem(fixture, 400, "bad-field", "/level", "1 to 6");
    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":2.0}");
    assert_problem(fixture, 400, "bad-field", "/level", "whole number");
    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":1,\"seed\":-1}");
    assert_problem(fixture, 400, "bad-field", "/seed", "whole number");
    post(fixture, "/v1/bestmove", "{\"rules\":\"classic\",\"level\":1}");
    assert_problem(fixture, 503, "unmeasured", "/level", "classic");
    post(fixture, "/v1/bestmove", "{\"rules\":\"flying\",\"level\":1}");
    assert_problem(fixture, 503, "not-served", "/rules", "flying");
    post(fixture, "/v1/bestmove", "{\"rules\":\"international\",\"level\":1,\"fen\":\"B:W31:B\"}");
    assert_problem(fixture, 409, "game-over", NULL, "no move");
    const json_t *outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "result")), "white wins");
}

static void test_analysis(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/analysis",
         "{\"rules\":\"classic\",\"moves\":\"9-13\",\"depth\":5}"); /* needs no levels */
    assert_int_equal(fixture->response.status, 200);
    assert_string_equal(text(fixture, "turn"), "white");
    assert_int_equal(number(fixture->json, "depth"), 5);
    const json_t *line = json_object_get(fixture->json, "line");
    assert_true(json_array_size(line) >= 1);
    assert_string_equal(json_string_value(json_array_get(line, 0)), text(fixture, "move"));
    const json_t *score = json_object_get(fixture->json, "score");
    assert_string_equal(json_string_value(json_object_get(score, "side")), "white");
    assert_string_equal(json_string_value(json_object_get(score, "unit")), "hundredths of a man");
    double win = json_real_value(json_object_get(score, "win"));
    double draw = json_real_value(json_object_get(score, "draw"));
    double loss = json_real_value(json_object_get(score, "loss"));
    double expected = json_real_value(json_object_get(score, "expected"));
    assert_true(win >= 0.0 && draw >= 0.0 && loss >= 0.0);
    assert_true(fabs(win + draw + loss - 1.0) < 1e-4);
    assert_true(fabs(win + draw / 2.0 - expected) < 1e-4);
    char *first = strdup(json_string_value(json_object_get(fixture->json, "move")));
    json_int_t nodes = number(fixture->json, "nodes");
    post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"moves\":\"9-13\",\"depth\":5}");
    assert_string_equal(text(fixture, "move"), first);
    assert_int_equal(number(fixture->json, "nodes"), nodes);
    free(first);
}

static void test_analysis_takes_no_longer_than_it_may(void **state)
{
    struct fixture *fixture = *state;

    fixture->api.analysis_seconds = 0.02;
    post(fixture, "/v1/analysis", "{\"rules\":\"international\",\"time_ms\":3600000}");
    assert_int_equal(fixture->response.status, 200);
    assert_true(number(fixture->json, "depth") >= 1);
    post(fixture, "/v1/analysis", "{\"rules\":\"international\",\"depth\":127}");
    assert_int_equal(fixture->response.status, 200);
    assert_true(number(fixture->json, "depth") < 127);
}

static void test_analysis_refusals(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/analysis", "{\"rules\":\"classic\"}");
    assert_problem(fixture, 400, "bad-field", "/depth", "time_ms");
    post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"depth\":3,\"time_ms\":5}");
    assert_problem(fixture, 400, "bad-field", "/time_ms", "either");
    post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"depth\":0}");
    assert_problem(fixture, 400, "bad-field", "/depth", "1 to 127");
    post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"time_ms\":0}");
    assert_problem(fixture, 400, "bad-field", "/time_ms", "whole number");
    post(fixture, "/v1/analysis", "{\"rules\":\"flying\",\"depth\":1}");
    assert_problem(fixture, 503, "not-served", "/rules", "flying");
    post(fixture, "/v1/analysis", "{\"rules\":\"classic\",\"depth\":1,\"fen\":\"W:W:B5\"}");
    assert_problem(fixture, 409, "game-over", NULL, "no move");
}

static void test_quiet_plies_are_counted_on(void **state)
{
    struct fixture *fixture = *state;

    post(fixture, "/v1/moves", "{\"rules\":\"classic\",\"fen\":\"W:WK32:BK1\",\"quiet_plies\":49}");
    assert_int_equal(number(fixture->json, "quiet_plies"), 49);
    assert_true(json_is_null(json_object_get(fixture->json, "outcome")));
    post(fixture, "/v1/bestmove",
         "{\"rules\":\"international\",\"level\":1,\"fen\":\"W:WK50:BK6\",\"quiet_plies\":49}");
    const json_t *outcome = json_object_get(fixture->json, "outcome");
    assert_string_equal(json_string_value(json_object_get(outcome, "reason")), "25-move rule");
    assert_int_equal(number(fixture->json, "quiet_plies"), 50);
    post(fixture, "/v1/moves", "{\"rules\":\"classic\",\"quiet_plies\":51}");
    assert_problem(fixture, 400, "bad-field", "/quiet_plies", "0 to 50");
    post(fixture, "/v1/moves", "{\"rules\":\"classic\",\"quiet_plies\":50,\"moves\":[\"9-13\"]}");
    assert_problem(fixture, 409, "game-over", "/moves/0", "before move 1");
}

static void test_bodies_refused(void **state)
{
    struct fixture *fixture = *state;
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
        post(fixture, "/v1/moves", CASES[i].body);
        assert_problem(fixture, 400, CASES[i].slug, CASES[i].field, CASES[i].said);
    }
}

static void test_media_type_and_size(void **state)
{
    struct fixture *fixture = *state;
    char *large = malloc(BODY_MAX + 1);
    struct request request = {.method = METHOD_POST,
                              .path = "/v1/moves",
                              .content_type = "text/plain",
                              .body = "{\"rules\":\"classic\"}",
                              .body_size = 19};

    assert_non_null(large);
    send(fixture, &request);
    assert_problem(fixture, 415, "media-type", "Content-Type", "application/json");
    request.content_type = NULL;
    send(fixture, &request);
    assert_problem(fixture, 415, "media-type", "Content-Type", "application/json");
    memset(large, ' ', BODY_MAX + 1);
    memcpy(large, request.body, request.body_size);
    request.content_type = "application/json";
    request.body = large;
    request.body_size = BODY_MAX;
    send(fixture, &request);
    assert_int_equal(fixture->response.status, 200);
    request.body_size = BODY_MAX + 1;
    send(fixture, &request);
    assert_problem(fixture, 413, "too-large", NULL, "65536");
    free(large);
}

/* The description lists exactly the paths and methods that are served. */
static void test_openapi_is_what_is_served(void **state)
{
    struct fixture *fixture = *state;
    size_t route = 0;

    get(fixture, "/openapi.json", NULL);
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
        cmocka_unit_test_setup_teardown(test_operations, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ready_only_with_all_levels_and_not_draining, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_rules, setup, teardown),
        cmocka_unit_test_setup_teardown(test_levels, setup, teardown),
        cmocka_unit_test_setup_teardown(test_paths_and_methods, setup, teardown),
        cmocka_unit_test_setup_teardown(test_who_may_come, setup, teardown),
        cmocka_unit_test_setup_teardown(test_moves, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_path_of_a_capture, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outcome_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bestmove, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bestmove_draws_a_seed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bestmove_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_analysis, setup, teardown),
        cmocka_unit_test_setup_teardown(test_analysis_takes_no_longer_than_it_may, setup, teardown),
        cmocka_unit_test_setup_teardown(test_analysis_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_quiet_plies_are_counted_on, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bodies_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_media_type_and_size, setup, teardown),
        cmocka_unit_test_setup_teardown(test_openapi_is_what_is_served, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
