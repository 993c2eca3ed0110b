/* Depth and time of the moves of a match. */
#include "selfplay/match/match_effort.h"

#include <stdlib.h>

#include "selfplay/match/match_pair.h"

struct counting {
    const struct variant *variant;
    int64_t limit;
    struct match_effort *effort; /* [2] */
};

/* Whether the depth of a ply says how deep its player looks. */
static bool depth_says(const struct game *game, int ply, const struct record_ply *kept)
{
    struct move_list list;

    if (kept->depth == 0 || abs(kept->score) > SCORE_OPEN_MAX) {
        return false;
    }
    game->variant->moves(&game->positions[ply], &list);
    return list.count > 1;
}

static bool count_moves(const struct counting *counting, const struct record *record, int number,
                        struct err *err)
{
    int white = match_side(record, number, WHITE);
    struct game game;

    if (!record_replay(record, counting->variant, &game, err)) {
        return false;
    }
    for (int ply = record->opening_plies; ply < record->plies; ply++) {
        const struct record_ply *kept = &record->ply[ply];
        bool is_white = (record->start.turn + ply) % 2 == WHITE;
        struct match_effort *effort = &counting->effort[is_white ? white : 1 - white];
        effort->moves++;
        effort->microseconds += kept->microseconds;
        effort->depths[kept->depth] += depth_says(&game, ply, kept);
    }
    game_fini(&game);
    return true;
}

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
    bool ok = count_moves(counting, &record, game->game, err);
    record_fini(&record);
    return ok;
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
    for (int depth = 0; depth <= UINT8_MAX; depth++) {
        sum->depths[depth] += effort->depths[depth];
    }
}

const char match_effort_depth_note[] = "median over moves with a choice and no end in sight";

/* The depth that `rank` of the moves, the shallowest first, are below. */
static int depth_at(const struct match_effort *effort, int64_t rank)
{
    int depth = 0;

    for (int64_t below = effort->depths[0]; below <= rank; below += effort->depths[depth]) {
        depth++;
    }
    return depth;
}

double match_effort_depth(const struct match_effort *effort)
{
    int64_t count = 0;

    for (int depth = 0; depth <= UINT8_MAX; depth++) {
        count += effort->depths[depth];
    }
    return count > 0 ? (depth_at(effort, (count - 1) / 2) + depth_at(effort, count / 2)) / 2.0 : 0;
}

double match_effort_milliseconds(const struct match_effort *effort)
{
    return effort->moves > 0 ? (double)effort->microseconds / 1000 / (double)effort->moves : 0;
}
