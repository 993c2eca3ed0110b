/* The loop of one game: ask the player to move, note its score, until the rules end it. */
#include "selfplay/play.h"

#include <assert.h>
#include <stdlib.h>

#include "engine/base/clock.h"
#include "engine/base/rng.h"

/* Scores of the plies so far, grown as needed. */
struct scores {
    int16_t *score;
    int count, capacity;
};

static bool add_score(struct scores *scores, int score)
{
    if (scores->count == scores->capacity) {
        int capacity = 2 * scores->capacity + 128;
        int16_t *grown = realloc(scores->score, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        scores->score = grown;
        scores->capacity = capacity;
    }
    scores->score[scores->count++] = (int16_t)score;
    return true;
}

static struct search_result choose(const struct player *player, const struct game *game,
                                   uint64_t seed)
{
    if (player->level != NULL) {
        return level_play(player->level, player->search, game, seed);
    }
    struct search_limits limits = player->limits;
    limits.noise_seed = seed;
    return search_run(player->search, game, &limits, NULL, NULL);
}

/* Plays until the game is over, is given up (*finished false) or memory is out (false). */
static bool play_on(const struct player players[2], const uint64_t seeds[2],
                    const struct play_watch *watch, struct game *game, struct scores *scores,
                    struct play_cost *cost, bool *finished)
{
    *finished = false;
    while (game_outcome(game, NULL) == OUTCOME_OPEN) {
        if (watch != NULL && watch->go_on != NULL && !watch->go_on(watch->context)) {
            return true;
        }
        int side = game_now(game)->turn;
        double began = clock_seconds();
        struct search_result result = choose(&players[side], game, seeds[side]);
        cost->search_seconds += clock_seconds() - began;
        cost->nodes += result.nodes;
        assert(result.has_move);
        if (!add_score(scores, result.score) || !game_play(game, &result.best)) {
            return false;
        }
    }
    *finished = true;
    return true;
}

bool play_game(const struct player players[2], uint64_t seed, int64_t number,
               const struct play_watch *watch, struct game *game, struct record *record,
               struct play_cost *cost, struct err *err)
{
    struct rng rng = rng_make(seed, RNG_LEVEL, 0);
    bool shared = players[WHITE].search == players[BLACK].search; /* then one blur for the table */
    const uint64_t seeds[2] = {rng_draw(&rng, WHITE), rng_draw(&rng, shared ? WHITE : BLACK)};
    struct play_cost spent = {0};
    struct scores scores = {0};
    int opening_plies = game->plies;
    bool finished = false, ok = true;

    search_clear(players[WHITE].search);
    search_clear(players[BLACK].search);
    *record = (struct record){.outcome = OUTCOME_OPEN};
    for (int ply = 0; ok && ply < opening_plies; ply++) {
        ok = add_score(&scores, 0);
    }
    ok = ok && play_on(players, seeds, watch, game, &scores, &spent, &finished);
    if (!ok) {
        err_set(err, ERR_FAILED, "out of memory for a game of %d plies", game->plies);
    }
    ok = ok && (!finished || record_make(game, number, opening_plies, scores.score, record, err));
    free(scores.score);
    if (cost != NULL) {
        *cost = spent;
    }
    return ok;
}
