/* A level's move. */
#include "engine/search/level.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "engine/base/rng.h"

const char *level_name(int number)
{
    static const char *const NAMES[LEVELS_MAX] = {"Beginner", "Easy",   "Medium",
                                                  "Hard",     "Expert", "Master"};

    assert(number >= 1 && number <= LEVELS_MAX);
    return NAMES[number - 1];
}

/* A level that has no limit at all does not search. */
static bool is_random(const struct level *level)
{
    return level->nodes == 0 && level->depth == 0;
}

void level_budget(const struct level *level, char out[LEVEL_BUDGET])
{
    int used = 0;

    if (is_random(level)) {
        snprintf(out, LEVEL_BUDGET, "any legal move at random");
        return;
    }
    if (level->nodes > 0) {
        used = snprintf(out, LEVEL_BUDGET, "%" PRIu64 " nodes a move", level->nodes);
    }
    if (level->depth > 0) {
        used += snprintf(out + used, LEVEL_BUDGET - (size_t)used, "%sdepth %d", used ? ", " : "",
                         level->depth);
    }
    if (level->noise > 0) {
        snprintf(out + used, LEVEL_BUDGET - (size_t)used, ", blur %d", level->noise);
    }
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
    if (is_random(level)) {
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
