/* A level's move. */
#include "engine/level.h"

#include <assert.h>

#include "engine/base/rng.h"

const char *level_name(int number)
{
    static const char *const NAMES[LEVELS_MAX] = {"Beginner", "Easy",   "Medium",
                                                  "Hard",     "Expert", "Master"};

    assert(number >= 1 && number <= LEVELS_MAX);
    return NAMES[number - 1];
}

/* A legal move drawn at random; its score says nothing. */
static struct search_result random_move(const struct game *game, uint64_t seed)
{
    struct rng rng = rng_make(seed, RNG_LEVEL, position_key(game_now(game)));
    struct search_result result = {.score = 0};
    struct move_list list;

    game->variant->moves(game_now(game), &list);
    if (list.count == 0) {
        result.score = -SCORE_WON;
        return result;
    }
    result.has_move = true;
    result.best = list.move[rng_below(&rng, (uint64_t)game->plies, (uint32_t)list.count)];
    result.pv[0] = result.best;
    result.pv_length = 1;
    return result;
}

struct search_result level_play(const struct level *level, struct search *search,
                                const struct game *game, uint64_t seed)
{
    if (level->nodes == 0 && level->depth == 0) {
        return random_move(game, seed);
    }
    struct rng rng = rng_make(seed, RNG_LEVEL, 0);
    struct search_limits limits = {
        .depth = level->depth,
        .nodes = level->nodes,
        .noise = level->noise,
        .noise_seed = rng_draw(&rng, 0),
    };

    search_clear(search);
    return search_run(search, game, &limits, NULL, NULL);
}
