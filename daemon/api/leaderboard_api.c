/* A page of the leaderboard, with one's own row. */
#include "daemon/api/leaderboard_api.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/api/identity.h"
#include "daemon/net/problem.h"
#include "daemon/store/store_progress.h"

enum { PAGE = 50, PAGE_MAX = 100, OFFSET_DIGITS = 9 };

/* What the query asks for. */
struct wanted {
    char rules[QUERY_TEXT]; /* "": all */
    int64_t offset;
    int limit;
};

static bool read_number(const char *text, int64_t max, int64_t *out)
{
    size_t length = strlen(text);

    if (length == 0) {
        return true;
    }
    if (length > OFFSET_DIGITS || text[strspn(text, "0123456789")] != '\0') {
        return false;
    }
    *out = strtoll(text, NULL, 10);
    return *out <= max;
}

static bool read_query(const struct request *request, struct wanted *wanted,
                       struct response *refusal)
{
    static const char *const NAMES[] = {"rules", "offset", "limit"};
    char values[3][QUERY_TEXT], wrong[QUERY_TEXT];
    int64_t limit = PAGE;
    struct err err;

    wanted->offset = 0;
    if (!query_read_all(request->query, NAMES, values, 3, wrong)) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "rules",
                           "only rules=NAME, offset=N and limit=N, each once, are read, not \"%s\"",
                           wrong);
        return false;
    }
    memcpy(wanted->rules, values[0], QUERY_TEXT);
    if (values[0][0] != '\0' && variant_by_name(values[0], &err) == NULL) {
        *refusal = problem(PROBLEM_UNKNOWN_RULES, "rules", "%s", err.text);
        return false;
    }
    if (!read_number(values[1], INT32_MAX, &wanted->offset)) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "offset", "rows to be skipped, a whole number");
        return false;
    }
    if (!read_number(values[2], PAGE_MAX, &limit) || limit == 0) {
        *refusal = problem(PROBLEM_BAD_REQUEST, "limit", "rows, from 1 to %d", PAGE_MAX);
        return false;
    }
    wanted->limit = (int)limit;
    return true;
}

static json_t *describe_standing(const struct standing *row)
{
    int level = row->beaten < LEVELS_MAX ? row->beaten + 1 : LEVELS_MAX;

    return json_pack("{s:I, s:s, s:{s:i, s:s}, s:i, s:I, s:I, s:I}", "rank", (json_int_t)row->rank,
                     "player", row->name, "level", "number", level, "name", level_name(level),
                     "beaten", row->beaten, "wins", (json_int_t)row->wins, "games",
                     (json_int_t)row->games, "reached", (json_int_t)row->reached);
}

static json_t *describe_rows(const struct standing *rows, int count)
{
    json_t *list = json_array();

    for (int i = 0; i < count; i++) {
        if (json_array_append_new(list, describe_standing(&rows[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

struct answer leaderboard_get(const struct api *api, const struct request *request, const char *id)
{
    struct answer answer = {.task = NULL};
    struct standing rows[PAGE_MAX + 1], own;
    struct identity who;
    struct wanted wanted;
    struct err err;
    bool found;
    int count;

    (void)id;
    if (!read_query(request, &wanted, &answer.response) ||
        !identity_read(request, api->rooms->store, api->now, &who, &answer.response)) {
        return answer;
    }
    if (!store_leaders(api->rooms->store, wanted.rules, wanted.offset, wanted.limit + 1, rows,
                       &count, &err) ||
        !store_standing(api->rooms->store, wanted.rules, who.person, &own, &found, &err)) {
        answer.response = problem(PROBLEM_STORE, NULL, "%s", err.text);
        return answer;
    }
    const bool more = count > wanted.limit;
    answer.response = response_json(
        200, "application/json",
        json_pack("{s:s?, s:o, s:o, s:o}", "rules", wanted.rules[0] != '\0' ? wanted.rules : NULL,
                  "rows", describe_rows(rows, more ? wanted.limit : count), "next",
                  more ? json_integer(wanted.offset + wanted.limit) : json_null(), "me",
                  found ? describe_standing(&own) : json_null()));
    return answer;
}
