/* One move to be searched for: all that a search thread needs, and what it answers.
 *
 * The event loop makes a task from a request and hands it over; a search thread runs it. Nothing
 * in it is shared but the read-only artefacts, which it holds. */
#pragma once

#include "daemon/artefacts.h"
#include "daemon/http.h"
#include "engine/game.h"
#include "engine/level.h"

/* Seeds are whole numbers that every JSON reader keeps exact. */
enum { SEED_BITS = 53 };

struct task {
    struct artefacts *artefacts; /* a reference of its own */
    struct level level;
    struct game game;
    uint64_t seed;
};

/* Reads a POST /v1/bestmove body: {rules, fen?, moves?, level, seed?}. NULL with *refusal filled;
 * besides what the body gets wrong: rule set without weights or levels, game over. */
struct task *task_read(const struct request *request, struct artefacts *artefacts,
                       struct response *refusal);

/* Takes NULL. */
void task_destroy(struct task *task);

/* Searches and answers; `search` holds the weights of the task's artefacts. *nodes is what the
 * search took; the move is played in task->game. Called in a search thread; a search that was told
 * to stop gives an answer that must be thrown away, since it is not the level's. */
struct response task_run(struct task *task, struct search *search, uint64_t *nodes);
