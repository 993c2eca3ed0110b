/* Random openings, drawn attempt by attempt until one will do. */
#include "selfplay/game/opening.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "engine/base/rng.h"
#include "selfplay/game/hash.h"

enum { ATTEMPTS = 64 };

uint64_t opening_stream(const struct variant *variant, enum opening_use use, int generation,
                        int64_t number)
{
    uint64_t stream = hash_mix((uint64_t)variant_index(variant), (uint64_t)use);
    return hash_mix(hash_mix(stream, (uint64_t)generation), (uint64_t)number);
}

/* Plays an attempt's plies into `game`. *fits: it leaves a game to play. False: memory is out. */
static bool play_attempt(struct game *game, const struct rng *rng, int attempt, int plies,
                         bool *fits)
{
    *fits = true;
    for (int ply = 0; ply < plies; ply++) {
        struct move_list list;
        game->variant->moves(game_now(game), &list);
        uint64_t draw = (uint64_t)attempt * OPENING_PLIES_MAX + (uint64_t)ply;
        const struct move *move = &list.move[rng_below(rng, draw, (uint32_t)list.count)];
        if (!game_play(game, move)) {
            return false;
        }
        *fits = game_outcome(game, NULL) == OUTCOME_OPEN;
        if (!*fits) {
            break;
        }
    }
    return true;
}

static void take_back_all(struct game *game)
{
    while (game->plies > 0) {
        game_take_back(game);
    }
}

static int imbalance(const struct opening_settings *settings, struct search *search,
                     const struct game *game)
{
    if (settings->bound == 0) {
        return 0;
    }
    search_clear(search);
    struct search_limits limits = {.nodes = settings->nodes};
    return abs(search_run(search, game, &limits, NULL, NULL).score);
}

bool opening_attempt(const struct opening_settings *settings, uint64_t seed, uint64_t stream,
                     int attempt, struct game *game, bool *fits)
{
    struct rng rng = rng_make(seed, RNG_OPENING, stream);

    take_back_all(game);
    return play_attempt(game, &rng, attempt, settings->plies, fits);
}

bool opening_play(const struct opening_settings *settings, uint64_t seed, uint64_t stream,
                  struct search *search, struct game *game, struct err *err)
{
    assert(game->plies == 0 && settings->plies >= 0 && settings->plies <= OPENING_PLIES_MAX);
    assert(settings->bound == 0 || (search != NULL && settings->nodes > 0));
    struct rng rng = rng_make(seed, RNG_OPENING, stream);
    int best = -1, least = INT_MAX;
    bool fits = false, memory = true;
    int end = settings->skip + ATTEMPTS;
    for (int attempt = settings->skip; memory && attempt < end; attempt++) {
        take_back_all(game);
        memory = play_attempt(game, &rng, attempt, settings->plies, &fits);
        if (!memory || !fits) {
            continue;
        }
        int off = imbalance(settings, search, game);
        if (off <= settings->bound) {
            return true;
        }
        if (off < least) {
            least = off;
            best = attempt;
        }
    }
    take_back_all(game);
    memory = memory && (best < 0 || play_attempt(game, &rng, best, settings->plies, &fits));
    if (memory && best >= 0) {
        return true;
    }
    return err_set(err, ERR_FAILED,
                   memory ? "no opening of %d random plies leaves a game to play"
                          : "out of memory for an opening of %d plies",
                   settings->plies);
}
