/* Requests as values: a digit for who asks (Ann, Ben, a back end, else nobody), the method and the
 * target in the first line, the body behind it. Every answer is one that the API may give, with
 * well-formed JSON; what is to be stored fits its game. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/api/api.h"
#include "daemon/api/game_api.h"
#include "served.h"

enum { NOW = 1500000000 };

struct asked {
    struct served served;
    struct rooms rooms;
    struct metrics metrics;
    struct search *search[VARIANT_COUNT];
    struct api api;
};

/* One for all inputs: none of them is stored, so that each finds the same. */
static struct asked *make(void)
{
    static const unsigned char SECRET[16] = {1};
    struct asked *asked = calloc(1, sizeof *asked);
    struct err err = {0};

    fuzz_require(asked != NULL, "there is memory");
    served_make(&asked->served);
    struct store *store = store_open(asked->served.store, 0, &err);
    fuzz_require(store != NULL, err.text);
    rooms_init(&asked->rooms, store, 100);
    served_remove(&asked->served); /* open all the same */
    asked->api = (struct api){.artefacts = asked->served.artefacts,
                              .metrics = &asked->metrics,
                              .rooms = &asked->rooms,
                              .now = NOW,
                              .claim_patience = 300,
                              .expire_patience = INT64_C(1) << 40,
                              .analysis_seconds = 1.0,
                              .lists = {.hosts = "draughts.example", .origins = ""},
                              .echo = true,
                              .names = names_create(&err),
                              .quota = quota_create(SECRET),
                              .session_seconds = 1000};
    fuzz_require(asked->api.names != NULL && asked->api.quota != NULL, "there is memory");
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct variant *variant = variant_at(i);
        asked->search[i] =
            search_create(variant, &asked->api.artefacts->slot[i].artefact.weights, 10, &err);
        fuzz_require(asked->search[i] != NULL, err.text);
    }
    return asked;
}

static enum method read_method(const char *text)
{
    for (unsigned method = METHOD_GET; method < METHOD_OTHER; method *= 2) {
        if (strcmp(method_name((enum method)method), text) == 0) {
            return (enum method)method;
        }
    }
    return METHOD_OTHER;
}

static bool may_be_answered(int status)
{
    static const int STATUS[] = {101, 200, 201, 204, 304, 400, 401, 403, 404,
                                 405, 409, 411, 413, 415, 422, 426, 429, 503};

    for (size_t i = 0; i < sizeof STATUS / sizeof STATUS[0]; i++) {
        if (STATUS[i] == status) {
            return true;
        }
    }
    return false;
}

static void check_problem(const json_t *problem, int status)
{
    static const char TYPE[] = "urn:draughtsmith:problem:";
    const char *type = json_string_value(json_object_get(problem, "type"));
    const char *title = json_string_value(json_object_get(problem, "title"));
    const char *detail = json_string_value(json_object_get(problem, "detail"));

    fuzz_require(type != NULL && strncmp(type, TYPE, sizeof TYPE - 1) == 0, "a problem has a type");
    fuzz_require(title != NULL && title[0] != '\0', "a title");
    fuzz_require(json_integer_value(json_object_get(problem, "status")) == status, "its status");
    fuzz_require(detail != NULL, "a detail");
    fuzz_require_line(detail);
}

static void check_response(struct response *response)
{
    const void *body = response->fixed != NULL ? response->fixed : response->body;
    const char *type = response->content_type != NULL ? response->content_type : "";

    fuzz_require(may_be_answered(response->status), "a status that is documented");
    if (response->status >= 400) {
        fuzz_require(strcmp(type, "application/problem+json") == 0, "a refusal is a problem");
    }
    if (strstr(type, "json") != NULL && !response->packed) {
        json_t *json = json_loadb(body, response->body_size, JSON_REJECT_DUPLICATES, NULL);
        fuzz_require(json_is_object(json), "what says so is JSON");
        if (response->status >= 400) {
            check_problem(json, response->status);
        }
        json_decref(json);
    }
    response_fini(response);
}

/* Adds the event to the game, has it described, and takes it back. */
static void check_event(struct room *room, struct change *change)
{
    struct hosted before = room->hosted;
    struct err err = {0};

    fuzz_require(hosted_copy(&room->hosted, &before), "there is memory");
    fuzz_require(hosted_apply(&room->hosted, &change->event, &err), err.text);
    fuzz_require_position(before.setup.variant->rules, game_now(&room->hosted.game));
    change->status = CHANGE_STORED;
    struct response response = game_changed(room, change);
    check_response(&response);
    hosted_fini(&room->hosted);
    room->hosted = before;
}

static void check_change(struct answer *answer)
{
    struct change *change = answer->change;

    if (change->parts & CHANGE_EVENT) {
        fuzz_require(answer->room != NULL, "an event is of a game");
        check_event(answer->room, change);
    } else if (change->parts & CHANGE_GAME) {
        fuzz_require(answer->fresh != NULL, "a game has a room");
        fuzz_require_position(change->setup.variant->rules, &change->setup.start);
    } else {
        change->status = CHANGE_STORED;
        struct response response = account_changed(change);
        check_response(&response);
    }
    room_destroy(answer->fresh);
    change_destroy(change);
}

static void check_task(struct asked *asked, struct task *task)
{
    const bool quick = task->purpose == PURPOSE_ANSWER || task->limits.depth == 1;
    uint64_t nodes;

    if (quick) {
        struct response response =
            task_run(task, asked->search[variant_index(task->game.variant)], &nodes);
        check_response(&response);
    }
    task_destroy(task);
}

static void check_answer(struct asked *asked, const struct request *request)
{
    struct answer answer = api_handle(&asked->api, request);

    if (answer.hashing != NULL) { /* as if the password were right */
        struct hash_work work = *answer.hashing;
        struct request again = *request;
        fuzz_require(request->hashed == NULL, "a password is hashed once");
        hash_work_destroy(answer.hashing);
        work.matches = true;
        snprintf(work.made, sizeof work.made, "hash");
        again.hashed = &work;
        check_answer(asked, &again);
    } else if (answer.change != NULL) {
        check_change(&answer);
    } else if (answer.task != NULL) {
        check_task(asked, answer.task);
    } else if (!(answer.wait > 0.0)) {
        check_response(&answer.response);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct asked *asked;
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;

    if (asked == NULL) {
        asked = make();
    }
    if (end == NULL) {
        return 0;
    }
    char *line = fuzz_text(data, (size_t)(end - data));
    char *method = line + (line[0] != '\0'), *target = strchr(method, ' ');
    char authorization[TOKEN_TEXT + 8];
    const int who = line[0] - '0';
    if (target != NULL) {
        *target++ = '\0';
        char *query = strchr(target, '?');
        if (query != NULL) {
            *query++ = '\0';
        }
        struct request request = {.method = read_method(method),
                                  .path = target,
                                  .query = query,
                                  .content_type = "application/json",
                                  .body = (const char *)end + 1,
                                  .body_size = size - (size_t)(end + 1 - data),
                                  .user = who == SERVED_SHOP ? "17" : NULL,
                                  .address = "192.0.2.1",
                                  .seed = 4711};
        memset(request.random, 7, sizeof request.random);
        if (who >= 0 && who < SERVED_PEOPLE) {
            snprintf(authorization, sizeof authorization, "Bearer %s", asked->served.token[who]);
            request.authorization = authorization;
        }
        check_answer(asked, &request);
    }
    free(line);
    return 0;
}
