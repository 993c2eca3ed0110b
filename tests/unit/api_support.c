#include "api_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int api_setup(void **state)
{
    struct api_fixture *fixture = calloc(1, sizeof *fixture);
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

int api_teardown(void **state)
{
    struct api_fixture *fixture = *state;

    reply_forget(&fixture->response, &fixture->json);
    artefacts_release(fixture->artefacts);
    free(fixture);
    return 0;
}

void api_send(struct api_fixture *fixture, const struct request *request)
{
    reply_forget(&fixture->response, &fixture->json);
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
    fixture->json = reply_json(&fixture->response);
}

void api_get(struct api_fixture *fixture, const char *path, const char *query)
{
    const struct request request = {.method = METHOD_GET, .path = path, .query = query};

    api_send(fixture, &request);
}

void api_post(struct api_fixture *fixture, const char *path, const char *body)
{
    const struct request request = {.method = METHOD_POST,
                                    .path = path,
                                    .content_type = "application/json",
                                    .body = body,
                                    .body_size = strlen(body),
                                    .seed = UINT64_MAX};

    api_send(fixture, &request);
}

void assert_problem(const struct api_fixture *fixture, int status, const char *slug,
                    const char *field, const char *said)
{
    assert_problem_kind(&fixture->response, fixture->json, status, slug);
    if (strstr(reply_text(fixture->json, "detail"), said) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", reply_text(fixture->json, "detail"), said);
    }
    if (field != NULL) {
        assert_string_equal(reply_text(fixture->json, "field"), field);
    } else {
        assert_null(json_object_get(fixture->json, "field"));
    }
}
