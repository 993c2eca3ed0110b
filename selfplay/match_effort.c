/* Depth and time of the moves of a match. */
#include "selfplay/match_effort.h"

#include "selfplay/match_pair.h"

struct counting {
    const struct variant *variant;
    int64_t limit;
    struct match_effort *effort; /* [2] */
};

static bool count_game(void *context, const struct catalogue_game *game, struct err *err)
{
    const struct counting *counting = context;
    struct record record;

    if (game->pair >= counting->limit) {
        return true;
    }
    if (!record_decode(game->data, game->size, counting->variant, &record, err)) {
        return err_prefix(err, "pair %lld, game %d", (long long)game->pair, game->game);
    }
    int white = match_side(&record, game->game, WHITE);
    for (int ply = record.opening_plies; ply < record.plies; ply++) {
        bool is_white = (record.start.turn + ply) % 2 == WHITE;
        const struct match_effort move = {.moves = 1,
                                          .microseconds = record.ply[ply].microseconds,
                                          .searched = record.ply[ply].depth > 0,
                                          .depth = record.ply[ply].depth};
        match_effort_add(&counting->effort[is_white ? white : 1 - white], &move);
    }
    record_fini(&record);
    return true;
}

bool match_efforts(struct catalogue *catalogue, const struct variant *variant, int64_t match,
                   int64_t limit, struct match_effort effort[2], struct err *err)
{
    struct counting counting = {variant, limit, effort};

    effort[0] = effort[1] = (struct match_effort){0};
    return catalogue_each_game(catalogue, match, count_game, &counting, err);
}

void match_effort_add(struct match_effort *sum, const struct match_effort *effort)
{
    sum->moves += effort->moves;
    sum->microseconds += effort->microseconds;
    sum->searched += effort->searched;
    sum->depth += effort->depth;
}

double match_effort_depth(const struct match_effort *effort)
{
    return effort->searched > 0 ? (double)effort->depth / (double)effort->searched : 0;
}

double match_effort_milliseconds(const struct match_effort *effort)
{
    return effort->moves > 0 ? (double)effort->microseconds / 1000 / (double)effort->moves : 0;
}
