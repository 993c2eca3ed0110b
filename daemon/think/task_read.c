/* From the bodies of /v1/bestmove and /v1/analysis to tasks. */
#include <stdlib.h>

#include "daemon/net/body.h"
#include "daemon/net/problem.h"
#include "daemon/think/setup.h"
#include "daemon/think/task.h"
#include "engine/search/score.h"

/* Chooses the level that the body names. */
static bool read_level(const json_t *body, const struct artefact_slot *slot,
                       const struct variant *variant, struct level *out, struct response *refusal)
{
    int64_t number = 0;

    if (!body_integer(body, "level", true, 1, LEVELS_MAX, &number, refusal)) {
        return false;
    }
    if (slot->artefact.levels.count < number) {
        *refusal = problem(PROBLEM_UNMEASURED, "/level", "no levels of %s have been measured",
                           variant->rules->name);
        return false;
    }
    *out = slot->artefact.levels.level[number - 1];
    return true;
}

/* Reads depth or time_ms; the search may take `most` seconds in any case. */
static bool read_limits(const json_t *body, double most, struct search_limits *out,
                        struct response *refusal)
{
    const bool has_depth = json_object_get(body, "depth") != NULL;
    const bool has_time = json_object_get(body, "time_ms") != NULL;
    int64_t depth = 0, milliseconds = 0;

    if (has_depth == has_time) {
        *refusal = problem(PROBLEM_BAD_FIELD, has_depth ? "/time_ms" : "/depth",
                           "either depth, in plies, or time_ms, in milliseconds, is to be there");
        return false;
    }
    if (!body_integer(body, "depth", false, 1, SEARCH_PLIES - 1, &depth, refusal) ||
        !body_integer(body, "time_ms", false, 1, 3600000, &milliseconds, refusal)) {
        return false;
    }
    double seconds = has_time ? (double)milliseconds / 1e3 : most;
    *out = (struct search_limits){.analyse = true, .depth = (int)depth};
    out->seconds = seconds < most ? seconds : most;
    return true;
}

static bool still_open(const struct game *game, struct response *refusal)
{
    if (game_outcome(game, NULL) == OUTCOME_OPEN) {
        return true;
    }
    *refusal = setup_game_over(game, NULL, "there is no move to be found");
    return false;
}

static bool is_served(const struct task *task, struct response *refusal)
{
    const struct variant *variant = task->game.variant;

    if (artefacts_of(task->artefacts, variant)->loaded) {
        return true;
    }
    *refusal = problem(PROBLEM_NOT_SERVED, "/rules", "no weights for %s are served here",
                       variant->rules->name);
    return false;
}

/* Reads what only a level's move has. */
static bool read_choice(const json_t *body, struct task *task, struct response *refusal)
{
    const struct variant *variant = task->game.variant;
    int64_t seed = (int64_t)task->seed;

    if (!read_level(body, artefacts_of(task->artefacts, variant), variant, &task->level, refusal) ||
        !body_integer(body, "seed", false, 0, ((int64_t)1 << SEED_BITS) - 1, &seed, refusal)) {
        return false;
    }
    task->seed = (uint64_t)seed;
    return true;
}

/* Fills a task whose purpose, artefacts and seed are set; `most` is of an analysis. On failure
 * task->game holds nothing. */
static bool fill(struct task *task, const json_t *body, double most, struct response *refusal)
{
    if (!setup_read(body, &task->game, refusal)) {
        return false;
    }
    if (is_served(task, refusal) &&
        (task->purpose == PURPOSE_ANALYSIS ? read_limits(body, most, &task->limits, refusal)
                                           : read_choice(body, task, refusal)) &&
        still_open(&task->game, refusal)) {
        return true;
    }
    game_fini(&task->game);
    return false;
}

static struct task *make(enum purpose purpose, const json_t *body, const struct request *request,
                         struct artefacts *artefacts, double most, struct response *refusal)
{
    struct task *task = calloc(1, sizeof *task);

    if (task == NULL) {
        *refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
        return NULL;
    }
    task->purpose = purpose;
    task->seed = request->seed >> (64 - SEED_BITS);
    task->artefacts = artefacts_hold(artefacts);
    if (!fill(task, body, most, refusal)) {
        artefacts_release(task->artefacts);
        free(task);
        return NULL;
    }
    return task;
}

struct task *task_read(const struct request *request, struct artefacts *artefacts,
                       struct response *refusal)
{
    static const char *const MEMBERS[] = {"rules", "fen", "moves", "quiet_plies", "level", "seed"};
    json_t *body = body_read(request, MEMBERS, sizeof MEMBERS / sizeof MEMBERS[0], refusal);

    if (body == NULL) {
        return NULL;
    }
    struct task *task = make(PURPOSE_ANSWER, body, request, artefacts, 0.0, refusal);
    json_decref(body);
    return task;
}

struct task *task_read_analysis(const struct request *request, struct artefacts *artefacts,
                                double most, struct response *refusal)
{
    static const char *const MEMBERS[] = {"rules",       "fen",   "moves",
                                          "quiet_plies", "depth", "time_ms"};
    json_t *body = body_read(request, MEMBERS, sizeof MEMBERS / sizeof MEMBERS[0], refusal);

    if (body == NULL) {
        return NULL;
    }
    struct task *task = make(PURPOSE_ANALYSIS, body, request, artefacts, most, refusal);
    json_decref(body);
    return task;
}
