/* Every move searched, one of them drawn. */
#include "selfplay/game/sampling.h"

#include <assert.h>
#include <limits.h>

enum { WHOLE = 1 << 16, HALVINGS_MAX = 16 };

uint32_t sampling_weight(const struct sampling *sampling, int loss)
{
    assert(loss >= 0 && sampling->half > 0);
    int halvings = loss / sampling->half, rest = loss % sampling->half;
    if (halvings >= HALVINGS_MAX) {
        return 0;
    }
    uint64_t twice = 2 * (uint64_t)sampling->half;
    return (uint32_t)(((uint64_t)WHOLE >> halvings) * (twice - (uint64_t)rest) / twice);
}

/* The score of the position after a move, from the view of who made it. */
static int score_of(struct search *search, const struct search_limits *limits,
                    const struct game *game, enum colour mover, struct search_result *sum)
{
    enum outcome outcome = game_outcome(game, NULL);
    if (outcome == OUTCOME_DRAW) {
        return 0;
    }
    if (outcome != OUTCOME_OPEN) {
        bool won = (outcome == OUTCOME_WHITE_WINS) == (mover == WHITE);
        return won ? SCORE_WON - 1 : 1 - SCORE_WON;
    }
    struct search_result found = search_run(search, game, limits, NULL, NULL);
    sum->nodes += found.nodes;
    sum->depth = found.depth < sum->depth ? found.depth : sum->depth;
    return -found.score;
}

static int draw(const struct sampling *sampling, const struct rng *rng, uint64_t ply,
                const int *scores, int count, int best)
{
    uint32_t total = 0;
    for (int i = 0; i < count; i++) {
        total += sampling_weight(sampling, best - scores[i]);
    }
    uint32_t left = rng_below(rng, ply, total);
    int drawn = 0;
    for (; drawn < count - 1; drawn++) {
        uint32_t weight = sampling_weight(sampling, best - scores[drawn]);
        if (left < weight) {
            break;
        }
        left -= weight;
    }
    return drawn;
}

bool sampling_search(const struct sampling *sampling, const struct rng *rng, struct search *search,
                     const struct search_limits *limits, struct game *game,
                     struct search_result *result, struct err *err)
{
    struct move_list list;
    int scores[sizeof list.move / sizeof list.move[0]], best = -SCORE_INFINITE;
    enum colour mover = (enum colour)game_now(game)->turn;
    struct search_limits share = *limits;

    game->variant->moves(game_now(game), &list);
    assert(list.count > 0);
    share.nodes = limits->nodes / (uint64_t)list.count + (limits->nodes > 0);
    share.depth = limits->depth > 1 ? limits->depth - 1 : limits->depth;
    *result = (struct search_result){.has_move = true, .depth = SEARCH_PLIES};
    for (int i = 0; i < list.count; i++) {
        if (!game_play(game, &list.move[i])) {
            return err_set(err, ERR_FAILED, "out of memory for a game of %d plies", game->plies);
        }
        scores[i] = score_of(search, &share, game, mover, result);
        game_take_back(game);
        best = scores[i] > best ? scores[i] : best;
    }
    result->depth = result->depth == SEARCH_PLIES ? 0 : result->depth;
    result->score = best;
    result->best = list.move[draw(sampling, rng, (uint64_t)game->plies, scores, list.count, best)];
    return true;
}
