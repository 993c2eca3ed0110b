/* POST /v1/bestmove: from a body to a level's move. */
#include "daemon/task.h"

#include <math.h>
#include <stdlib.h>

#include "daemon/body.h"
#include "daemon/describe.h"
#include "daemon/problem.h"
#include "daemon/setup.h"
#include "engine/fen.h"
#include "engine/notation.h"

enum { JUDGE_NODES = 200000 };

/* Chooses the level that the body names. */
static bool read_level(const json_t *body, const struct artefact_slot *slot,
                       const struct variant *variant, struct level *out, struct response *refusal)
{
    int64_t number = 0;

    if (!body_integer(body, "level", true, 1, LEVELS_MAX, &number, refusal)) {
        return false;
    }
    if (!slot->loaded) {
        *refusal = problem(PROBLEM_NOT_SERVED, "/rules", "no weights for %s are served here",
                           variant->rules->name);
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

static bool still_open(const struct game *game, struct response *refusal)
{
    if (game_outcome(game, NULL) == OUTCOME_OPEN) {
        return true;
    }
    *refusal = setup_game_over(game, NULL, "there is no move to be found");
    return false;
}

/* Fills a task whose artefacts are set. On failure task->game holds nothing. */
static bool fill(struct task *task, const struct request *request, const json_t *body,
                 struct response *refusal)
{
    int64_t seed = (int64_t)(request->seed >> (64 - SEED_BITS));

    if (!setup_read(body, &task->game, refusal)) {
        return false;
    }
    const struct variant *variant = task->game.variant;
    if (read_level(body, artefacts_of(task->artefacts, variant), variant, &task->level, refusal) &&
        body_integer(body, "seed", false, 0, ((int64_t)1 << SEED_BITS) - 1, &seed, refusal) &&
        still_open(&task->game, refusal)) {
        task->seed = (uint64_t)seed;
        return true;
    }
    game_fini(&task->game);
    return false;
}

struct task *task_read(const struct request *request, struct artefacts *artefacts,
                       struct response *refusal)
{
    static const char *const MEMBERS[] = {"rules", "fen", "moves", "level", "seed"};
    json_t *body = body_read(request, MEMBERS, sizeof MEMBERS / sizeof MEMBERS[0], refusal);

    if (body == NULL) {
        return NULL;
    }
    struct task *task = calloc(1, sizeof *task);
    if (task == NULL) {
        *refusal = problem(PROBLEM_INTERNAL, NULL, "out of memory");
    } else {
        task->artefacts = artefacts_hold(artefacts);
        if (!fill(task, request, body, refusal)) {
            artefacts_release(task->artefacts);
            free(task);
            task = NULL;
        }
    }
    json_decref(body);
    return task;
}

struct task *task_for_game(enum purpose purpose, const struct game *game, const struct level *level,
                           uint64_t seed, struct artefacts *artefacts)
{
    struct task *task = calloc(1, sizeof *task);

    if (task == NULL || !game_copy(&task->game, game)) {
        free(task);
        return NULL;
    }
    task->purpose = purpose;
    task->level = *level;
    task->seed = seed;
    task->artefacts = artefacts_hold(artefacts);
    return task;
}

void task_destroy(struct task *task)
{
    if (task != NULL) {
        game_fini(&task->game);
        artefacts_release(task->artefacts);
        free(task);
    }
}

/* A score with its unit and the side it is seen from; with a fitted scale also what that side may
 * expect of the game, 1 a win, 0.5 a draw. null for a level that does not search. */
static json_t *describe_score(const struct task *task, const struct search_result *result,
                              enum colour side)
{
    double scale = artefacts_of(task->artefacts, task->game.variant)->artefact.provenance.scale;

    if (result->depth == 0) {
        return json_null();
    }
    json_t *score = json_pack("{s:i, s:s, s:s}", "value", result->score, "unit",
                              "hundredths of a man", "side", colour_word(side));
    if (score != NULL && scale > 0.0) {
        double expected = 1.0 / (1.0 + exp(-scale * result->score / 100.0));
        if (json_object_set_new(score, "expected", json_real(expected)) != 0) {
            json_decref(score);
            return NULL;
        }
    }
    return score;
}

/* The answer to a finished search. Plays the move in task->game. */
static struct response answer(struct task *task, const struct search_result *result)
{
    const struct rules *rules = task->game.variant->rules;
    enum colour side = (enum colour)game_now(&task->game)->turn;
    char move[MOVE_TEXT], fen[FEN_SIZE];

    if (!result->has_move || !game_play(&task->game, &result->best)) {
        return problem(PROBLEM_INTERNAL, NULL, "the search gave no move");
    }
    move_write(rules, &result->best, move);
    fen_write(rules, game_now(&task->game), fen);
    json_t *body =
        json_pack("{s:s, s:s, s:i, s:i, s:o, s:s, s:o, s:o, s:I, s:i, s:i, s:I, s:s}", "rules",
                  rules->name, "move", move, "from", bit_to_square(rules, result->best.from), "to",
                  bit_to_square(rules, result->best.to), "captures",
                  describe_squares(rules, result->best.taken), "fen", fen, "outcome",
                  describe_outcome(&task->game), "score", describe_score(task, result, side),
                  "nodes", (json_int_t)result->nodes, "depth", result->depth, "level",
                  task->level.number, "seed", (json_int_t)task->seed, "weights",
                  artefacts_of(task->artefacts, task->game.variant)->weights_id);
    return response_json(200, "application/json", body);
}

/* The judgement of a position for a hint or a draw offer. */
static struct search_result judge(const struct task *task, struct search *search)
{
    const struct search_limits limits = {.nodes = JUDGE_NODES};

    search_clear(search);
    return search_run(search, &task->game, &limits, NULL, NULL);
}

struct response task_run(struct task *task, struct search *search, uint64_t *nodes)
{
    struct search_result result = task->purpose == PURPOSE_JUDGE || task->purpose == PURPOSE_HINT
                                      ? judge(task, search)
                                      : level_play(&task->level, search, &task->game, task->seed);

    *nodes = result.nodes;
    if (task->purpose == PURPOSE_ANSWER) {
        return answer(task, &result);
    }
    task->has_move = result.has_move;
    task->best = result.best;
    task->score = result.score;
    return (struct response){.status = 0};
}
