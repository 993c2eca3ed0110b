/* Games of random legal moves: in every position the engine's moves are compared with those of the
 * naive generator. `test_random_games GAMES [FIRST]` plays games FIRST, FIRST + 1, ... of each rule
 * set, so that a long check can be cut into parts, and prints what it has seen. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/log.h"
#include "engine/base/progress.h"
#include "engine/base/rng.h"
#include "engine/rules/fen.h"
#include "naive.h"

enum { GAMES_BETWEEN = 256 };

struct seen {
    uint64_t positions, captures, moves, taken, drawn;
    int longest_list, most_taken;
};

static void look(struct seen *seen, const struct move_list *list)
{
    seen->positions++;
    seen->moves += (uint64_t)list->count;
    seen->longest_list = list->count > seen->longest_list ? list->count : seen->longest_list;
    if (list->count > 0 && list->move[0].taken != 0) {
        int taken = bit_count(list->move[0].taken);
        seen->captures++;
        seen->most_taken = taken > seen->most_taken ? taken : seen->most_taken;
    }
}

/* One game to its end: no move, or the 25-move rule. False where the generators differ. */
static bool play(const struct variant *variant, uint64_t number, struct seen *seen)
{
    struct rng rng = rng_make(3, RNG_TEST, 3 * number + (uint64_t)variant_index(variant));
    struct position position = position_start(variant->rules);

    for (uint64_t ply = 0; position.quiet_plies < variant->rules->quiet_plies_to_draw; ply++) {
        struct move_list list;
        variant->moves(&position, &list);
        if (!naive_agrees(variant, &position, &list)) {
            char fen[FEN_SIZE];
            fen_write(variant->rules, &position, fen);
            printf("%s game %" PRIu64 " ply %" PRIu64 ": %s: the two generators differ\n",
                   variant->rules->name, number, ply, fen);
            return false;
        }
        look(seen, &list);
        if (list.count == 0) {
            return true;
        }
        uint32_t chosen = rng_below(&rng, ply, (uint32_t)list.count);
        position = position_after(variant->rules, &position, &list.move[chosen]);
    }
    seen->drawn++;
    return true;
}

static bool play_games(const struct variant *variant, uint64_t first, uint64_t games,
                       const struct log *log)
{
    struct seen seen = {0};
    struct progress progress =
        progress_start(log, variant->rules->name, "games", (int64_t)games, 0);

    for (uint64_t i = 0; i < games; i++) {
        if (!play(variant, first + i, &seen)) {
            return false;
        }
        if (i % GAMES_BETWEEN == 0) {
            progress_update(&progress, (int64_t)i);
        }
    }
    progress_end(&progress, (int64_t)games);
    printf("%s: %" PRIu64 " games (%" PRIu64 " drawn), %" PRIu64 " positions, %" PRIu64
           " with captures (up to %d pieces), %" PRIu64 " moves (up to %d): no difference\n",
           variant->rules->name, games, seen.drawn, seen.positions, seen.captures, seen.most_taken,
           seen.moves, seen.longest_list);
    return fflush(stdout) == 0;
}

int main(int argc, char *argv[])
{
    const struct log log = log_stderr("random_games");
    uint64_t games = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

    if (games == 0) {
        fprintf(stderr, "usage: test_random_games GAMES [FIRST]\n");
        return 2;
    }
    for (int v = 0; v < VARIANT_COUNT; v++) {
        if (!play_games(variant_at(v), first, games, &log)) {
            return 1;
        }
    }
    return 0;
}
