/* What a search has found, as clients see it. */
#pragma once

#include "daemon/think/task.h"

/* The answer to /v1/bestmove. Plays the move in task->game. */
struct response task_answer(struct task *task, const struct search_result *result);

/* The answer to /v1/analysis. */
struct response task_analysis(const struct task *task, const struct search_result *result);
