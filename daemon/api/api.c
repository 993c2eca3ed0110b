/* The table of paths and what each answers. */
#include "daemon/api/api.h"

#include <string.h>

#include "daemon/api/account_api.h"
#include "daemon/api/game_api.h"
#include "daemon/api/leaderboard_api.h"
#include "daemon/api/live_api.h"
#include "daemon/api/me_api.h"
#include "daemon/net/body.h"
#include "daemon/net/origin.h"
#include "daemon/net/problem.h"
#include "daemon/net/web.h"
#include "daemon/store/store_progress.h"
#include "daemon/think/describe.h"
#include "daemon/think/setup.h"

static const char JSON_TYPE[] = "application/json";

enum { PARAMETER_SIZE = 64 };

/* One request on its way: `parameter` is what stands where the path has {braces}. */
struct call {
    const struct api *api;
    const struct request *request;
    char parameter[PARAMETER_SIZE];
};

static struct response get_file(const struct call *call)
{
    return web_response(web_find(call->request->path), call->request);
}

static struct response get_healthz(const struct call *call)
{
    (void)call;
    return response_json(200, JSON_TYPE, json_pack("{s:s}", "status", "ok"));
}

static struct response get_readyz(const struct call *call)
{
    if (call->api->draining) {
        return problem(PROBLEM_NOT_READY, NULL, "shutting down");
    }
    for (int i = 0; i < VARIANT_COUNT; i++) {
        const struct artefact_slot *slot = &call->api->artefacts->slot[i];
        if (!slot->loaded || slot->artefact.levels.count == 0) {
            return problem(PROBLEM_NOT_READY, NULL, "no %s for %s",
                           slot->loaded ? "measured levels" : "weights",
                           variant_at(i)->rules->name);
        }
    }
    return response_json(200, JSON_TYPE, json_pack("{s:s}", "status", "ready"));
}

static struct response get_metrics(const struct call *call)
{
    struct level_results results[RESULTS_MAX];
    struct err err;
    int count = 0;

    if (call->api->rooms != NULL &&
        !store_results(call->api->rooms->store, results, &count, &err)) {
        return problem(PROBLEM_STORE, NULL, "%s", err.text);
    }
    return metrics_response(call->api->metrics, api_route_name, results, count);
}

static struct response get_rules(const struct call *call)
{
    json_t *list = json_array();

    for (int i = 0; i < VARIANT_COUNT; i++) {
        json_t *rules = describe_rules(&call->api->artefacts->slot[i], variant_at(i));
        if (json_array_append_new(list, rules) != 0) {
            json_decref(list);
            list = NULL;
            break;
        }
    }
    return response_json(200, JSON_TYPE, json_pack("{s:o}", "rules", list));
}

static struct response get_one_rules(const struct call *call)
{
    struct err err;
    const struct variant *variant = variant_by_name(call->parameter, &err);

    if (variant == NULL) {
        return problem(PROBLEM_NOT_FOUND, NULL, "%s", err.text);
    }
    return response_json(200, JSON_TYPE,
                         describe_rules(artefacts_of(call->api->artefacts, variant), variant));
}

static struct response get_levels(const struct call *call)
{
    struct err err;
    char name[PARAMETER_SIZE];

    if (!query_read(call->request->query, "rules", name, sizeof name)) {
        return problem(PROBLEM_BAD_REQUEST, "rules", "only rules=NAME, once, is read, not \"%s\"",
                       name);
    }
    if (name[0] == '\0') {
        return problem(PROBLEM_BAD_REQUEST, "rules",
                       "missing: /v1/levels?rules=international, classic or flying");
    }
    const struct variant *variant = variant_by_name(name, &err);
    if (variant == NULL) {
        return problem(PROBLEM_UNKNOWN_RULES, "rules", "%s", err.text);
    }
    const struct artefact_slot *slot = artefacts_of(call->api->artefacts, variant);
    if (!slot->loaded) {
        return problem(PROBLEM_NOT_SERVED, "rules", "no weights for %s are served here", name);
    }
    if (slot->artefact.levels.count == 0) {
        return problem(PROBLEM_UNMEASURED, "rules", "no levels of %s have been measured", name);
    }
    return response_json(200, JSON_TYPE, describe_levels(slot));
}

static struct response post_moves(const struct call *call)
{
    static const char *const MEMBERS[] = {"rules", "fen", "moves", "quiet_plies"};
    struct response response;
    struct game game;
    json_t *body = body_read(call->request, MEMBERS, sizeof MEMBERS / sizeof MEMBERS[0], &response);

    if (body == NULL) {
        return response;
    }
    if (setup_read(body, &game, &response)) {
        struct json_out out = out_begin(ANSWER_ROOM);
        describe_moves_out(&game, &out);
        response = out_response(&out, 200);
        game_fini(&game);
    }
    json_decref(body);
    return response;
}

static struct task *post_bestmove(const struct call *call, struct response *refusal)
{
    return task_read(call->request, call->api->artefacts, refusal);
}

static struct task *post_analysis(const struct call *call, struct response *refusal)
{
    return task_read_analysis(call->request, call->api->artefacts, call->api->analysis_seconds,
                              refusal);
}

/* A path answers at once, by a search, or with all that an answer can hold. */
typedef struct response answer_now(const struct call *call);
typedef struct task *answer_by_search(const struct call *call, struct response *refusal);
typedef struct answer answer_fully(const struct api *api, const struct request *request,
                                   const char *id);

enum { READS = METHOD_GET | METHOD_HEAD };

static const struct {
    const char *path;
    unsigned methods;
    answer_now *now;
    answer_by_search *search;
    answer_fully *full;
} ROUTES[] = {
    {"/", READS, get_file, NULL, NULL},
    {"/healthz", READS, get_healthz, NULL, NULL},
    {"/readyz", READS, get_readyz, NULL, NULL},
    {"/metrics", READS, get_metrics, NULL, NULL},
    {"/openapi.json", READS, get_file, NULL, NULL},
    {"/v1/rules", READS, get_rules, NULL, NULL},
    {"/v1/rules/{rules}", READS, get_one_rules, NULL, NULL},
    {"/v1/levels", READS, get_levels, NULL, NULL},
    {"/v1/moves", METHOD_POST, post_moves, NULL, NULL},
    {"/v1/bestmove", METHOD_POST, NULL, post_bestmove, NULL},
    {"/v1/analysis", METHOD_POST, NULL, post_analysis, NULL},
    {"/v1/players", METHOD_POST, NULL, NULL, account_post_players},
    {"/v1/sessions", METHOD_POST | METHOD_DELETE, NULL, NULL, account_sessions},
    {"/v1/recovery", METHOD_POST, NULL, NULL, account_post_recovery},
    {"/v1/me", READS, NULL, NULL, me_get},
    {"/v1/leaderboard", READS, NULL, NULL, leaderboard_get},
    {"/v1/me/export", READS, NULL, NULL, me_get_export},
    {"/v1/me/password", METHOD_POST, NULL, NULL, account_post_password},
    {"/v1/me/delete", METHOD_POST, NULL, NULL, account_post_forget},
    {"/v1/games", METHOD_POST, NULL, NULL, game_post},
    {"/v1/games/{id}", READS, NULL, NULL, game_get},
    {"/v1/games/{id}/pdn", READS, NULL, NULL, game_get_pdn},
    {"/v1/games/{id}/moves", METHOD_POST, NULL, NULL, game_post_move},
    {"/v1/games/{id}/undo", METHOD_POST, NULL, NULL, game_post_undo},
    {"/v1/games/{id}/hint", METHOD_POST, NULL, NULL, game_post_hint},
    {"/v1/games/{id}/resign", METHOD_POST, NULL, NULL, game_post_resign},
    {"/v1/games/{id}/draw", METHOD_POST, NULL, NULL, game_post_draw},
    {"/v1/games/{id}/join", METHOD_POST, NULL, NULL, game_post_join},
    {"/v1/games/{id}/rematch", METHOD_POST, NULL, NULL, game_post_rematch},
    {"/v1/games/{id}/claim", METHOD_POST, NULL, NULL, game_post_claim},
    {"/v1/games/{id}/live", METHOD_GET, NULL, NULL, live_open_game},
    {"/v1/echo", METHOD_GET, NULL, NULL, echo_open},
};
enum { ROUTE_PAGE = 0 }; /* and of all files that belong to it */
enum { ROUTE_COUNT = sizeof ROUTES / sizeof ROUTES[0], ROUTE_OTHER = ROUTE_COUNT };
_Static_assert((int)ROUTE_COUNT < (int)METRICS_ROUTES,
               "metrics have a row for each path and for the rest");

/* Whether a path fits a pattern in which {name} stands for one segment, which is kept. */
static bool path_fits(const char *pattern, const char *path, char parameter[PARAMETER_SIZE])
{
    size_t fixed = strcspn(pattern, "{");

    if (pattern[fixed] == '\0') {
        return strcmp(pattern, path) == 0;
    }
    if (strncmp(pattern, path, fixed) != 0) {
        return false;
    }
    size_t length = strcspn(path + fixed, "/");
    if (length == 0 || length >= PARAMETER_SIZE ||
        strcmp(path + fixed + length, strchr(pattern + fixed, '}') + 1) != 0) {
        return false;
    }
    memcpy(parameter, path + fixed, length);
    parameter[length] = '\0';
    return true;
}

static struct answer answer_route(struct call *call, size_t route)
{
    struct answer answer = {.route = route};
    unsigned allowed = ROUTES[route].methods | METHOD_OPTIONS;

    if (call->request->method == METHOD_OPTIONS) {
        answer.response.status = 204;
        methods_write(allowed, answer.response.allow);
    } else if (!(ROUTES[route].methods & call->request->method)) {
        answer.response =
            problem(PROBLEM_METHOD, NULL, "%s does not take this method", ROUTES[route].path);
        methods_write(allowed, answer.response.allow);
    } else if (ROUTES[route].full != NULL) {
        answer = ROUTES[route].full(call->api, call->request, call->parameter);
        answer.route = route;
    } else if (ROUTES[route].search != NULL) {
        answer.task = ROUTES[route].search(call, &answer.response);
    } else {
        answer.response = ROUTES[route].now(call);
    }
    return answer;
}

/* Whether the request may come at all: by a name of ours, and, where it changes something or opens
 * a WebSocket, not from a page of another site. What only reads is kept from such pages by the
 * browser. */
static bool may_come(const struct api *api, const struct request *request, struct response *refusal)
{
    const bool harmless = (request->method & (READS | METHOD_OPTIONS)) && request->upgrade == NULL;

    if (request->host != NULL && !origin_host_allowed(request->host, api->lists.hosts)) {
        *refusal = problem(PROBLEM_ORIGIN, "Host",
                           "not a name of this service; http.hosts lists its names");
        return false;
    }
    if (!harmless && !origin_allowed(request->origin, request->host, api->lists.origins)) {
        *refusal =
            problem(PROBLEM_ORIGIN, "Origin",
                    "pages of this origin may change and open nothing; http.origins lists who may");
        return false;
    }
    return true;
}

/* Whether a path that is not there was asked for by a person in a browser, not by a program. */
static bool is_persons(const struct request *request)
{
    return (request->method & READS) && accepts_html(request->accept) &&
           strncmp(request->path, "/v1/", 4) != 0;
}

struct answer api_handle(const struct api *api, const struct request *request)
{
    struct call call = {.api = api, .request = request};
    struct answer refused = {.route = ROUTE_OTHER};

    if (!may_come(api, request, &refused.response)) {
        return refused;
    }
    for (size_t route = 0; route < ROUTE_COUNT; route++) {
        if (path_fits(ROUTES[route].path, request->path, call.parameter)) {
            return answer_route(&call, route);
        }
    }
    if (web_find(request->path) != NULL) {
        return answer_route(&call, ROUTE_PAGE);
    }
    return (struct answer){
        .route = ROUTE_OTHER,
        .response = is_persons(request) ? web_nothing(request)
                                        : problem(PROBLEM_NOT_FOUND, NULL,
                                                  "no such path; /openapi.json lists them"),
    };
}

const char *api_route_name(size_t route)
{
    return route < ROUTE_COUNT ? ROUTES[route].path : route == ROUTE_OTHER ? "other" : NULL;
}

size_t api_route_other(void)
{
    return ROUTE_OTHER;
}

unsigned api_route_methods(size_t route)
{
    return route < ROUTE_COUNT ? ROUTES[route].methods : 0;
}
