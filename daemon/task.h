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

/* What a search is for: a stateless answer, or something of a hosted game. */
enum purpose { PURPOSE_ANSWER, PURPOSE_REPLY, PURPOSE_JUDGE, PURPOSE_HINT };

struct task {
    enum purpose purpose;
    struct artefacts *artefacts; /* a reference of its own */
    struct level level;
    struct game game;
    uint64_t seed;
    /* By the search thread, unless the purpose is an answer. */
    bool has_move;
    struct move best;
    int score; /* hundredths of a man, side to move */
};

/* A search for a hosted game in its present position. NULL when memory is out. */
struct task *task_for_game(enum purpose purpose, const struct game *game, const struct level *level,
                           uint64_t seed, struct artefacts *artefacts);

/* Reads a POST /v1/bestmove body: {rules, fen?, moves?, level, seed?}. NULL with *refusal filled;
 * besides what the body gets wrong: rule set without weights or levels, game over. */
struct task *task_read(const struct request *request, struct artefacts *artefacts,
                       struct response *refusal);

/* Takes NULL. */
void task_destroy(struct task *task);

/* Searches and answers; `search` holds the weights of the task's artefacts. *nodes is what the
 * search took; the move is played in task->game. Called in a search thread; a search that was told
 * to stop gives an answer that must be thrown away, since it is not the level's. For a hosted game
 * the result is in the task and the response empty. */
struct response task_run(struct task *task, struct search *search, uint64_t *nodes);
