/* One search that is to be made: all that a search thread needs, and what it answers.
 *
 * The event loop makes a task from a request and hands it over; a search thread runs it. Nothing
 * in it is shared but the read-only artefacts, which it holds. */
#pragma once

#include "daemon/net/http.h"
#include "daemon/think/artefacts.h"
#include "engine/rules/game.h"
#include "engine/search/level.h"

/* Seeds are whole numbers that every JSON reader keeps exact. */
enum { SEED_BITS = 53 };

/* What a search is for: a stateless answer, a program, or something of a hosted game. */
enum purpose {
    PURPOSE_ANSWER,
    PURPOSE_ANALYSIS,
    PURPOSE_DXP, /* a move for dxp_server.h */
    PURPOSE_REPLY,
    PURPOSE_JUDGE,
    PURPOSE_HINT,
};

struct task {
    enum purpose purpose;
    struct artefacts *artefacts; /* a reference of its own */
    struct level level;
    struct search_limits limits; /* of an analysis */
    struct game game;
    uint64_t seed;
    /* By the search thread, for a program or a hosted game. */
    bool has_move;
    struct move best;
    int score; /* hundredths of a man, side to move */
};

/* A search for a hosted game in its present position. NULL when memory is out. */
struct task *task_for_game(enum purpose purpose, const struct game *game, const struct level *level,
                           uint64_t seed, struct artefacts *artefacts);

/* Reads a POST /v1/bestmove body: {rules, fen?, moves?, quiet_plies?, level, seed?}. NULL with
 * *refusal filled; besides what the body gets wrong: rule set without weights or levels, game
 * over. */
struct task *task_read(const struct request *request, struct artefacts *artefacts,
                       struct response *refusal);

/* Reads a POST /v1/analysis body: {rules, fen?, moves?, quiet_plies?, depth or time_ms}, which may
 * take `most` seconds of search, whatever it asks for. NULL as above. */
struct task *task_read_analysis(const struct request *request, struct artefacts *artefacts,
                                double most, struct response *refusal);

/* Takes NULL. */
void task_destroy(struct task *task);

/* Whether it is for a hosted game, whose room owns its job. */
static inline bool task_is_hosted(const struct task *task)
{
    return task->purpose >= PURPOSE_REPLY;
}

/* Whether it is for a request, whose connection owns its job. */
static inline bool task_is_answered(const struct task *task)
{
    return task->purpose < PURPOSE_DXP;
}

/* The nodes it may be expected to take, by its level or its limits: what the pool sorts by. */
uint64_t task_nodes(const struct task *task);

/* Searches and answers; `search` holds the weights of the task's artefacts. *nodes is what the
 * search took; the move of a level is played in task->game. Called in a search thread; a search
 * that was told to stop gives an answer that must be thrown away, since it is not the level's. For
 * a hosted game the result is in the task and the response empty. */
struct response task_run(struct task *task, struct search *search, uint64_t *nodes);
