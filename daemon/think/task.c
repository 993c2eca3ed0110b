/* Making, running and freeing of tasks. */
#include "daemon/think/task.h"

#include <stdlib.h>

#include "daemon/think/task_json.h"

enum {
    JUDGE_NODES = 200000,
    NODES_A_SECOND = 2000000, /* of a search by time, for what it is expected to take */
};

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

uint64_t task_nodes(const struct task *task)
{
    switch (task->purpose) {
    case PURPOSE_ANALYSIS:
        return (uint64_t)(task->limits.seconds * NODES_A_SECOND);
    case PURPOSE_JUDGE:
    case PURPOSE_HINT:
        return JUDGE_NODES;
    case PURPOSE_ANSWER:
    case PURPOSE_DXP:
    case PURPOSE_REPLY:
        break;
    }
    /* A level by depth is a quick one: only the strongest have a budget of nodes alone. */
    return task->level.nodes;
}

/* The judgement of a position for a hint or a draw offer, or an analysis. */
static struct search_result judge(const struct task *task, struct search *search,
                                  const struct search_limits *limits)
{
    search_clear(search);
    return search_run(search, &task->game, limits, NULL, NULL);
}

static struct search_result search_for(const struct task *task, struct search *search)
{
    const struct search_limits judging = {.nodes = JUDGE_NODES};

    switch (task->purpose) {
    case PURPOSE_JUDGE:
    case PURPOSE_HINT:
        return judge(task, search, &judging);
    case PURPOSE_ANALYSIS:
        return judge(task, search, &task->limits);
    case PURPOSE_ANSWER:
    case PURPOSE_DXP:
    case PURPOSE_REPLY:
        break;
    }
    return level_play(&task->level, search, &task->game, task->seed);
}

struct response task_run(struct task *task, struct search *search, uint64_t *nodes)
{
    struct search_result result = search_for(task, search);

    *nodes = result.nodes;
    if (task->purpose == PURPOSE_ANSWER) {
        return task_answer(task, &result);
    }
    if (task->purpose == PURPOSE_ANALYSIS) {
        return task_analysis(task, &result);
    }
    task->has_move = result.has_move;
    task->best = result.best;
    task->score = result.score;
    return (struct response){.status = 0};
}
