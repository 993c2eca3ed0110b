/* `draughts search`: one search of one position, with its progress on stdout. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/base/number.h"
#include "engine/commands/draughts.h"
#include "engine/rules/notation.h"
#include "engine/search/search.h"

enum { TABLE_BITS = 20 };

static const double SECONDS_DEFAULT = 1, SECONDS_MIN = 0.001, SECONDS_MAX = 1e6;

/* The command's flags as text; NULL: not given. */
struct search_flags {
    const char *rules, *fen, *moves, *depth, *nodes, *time, *threads, *weights;
};

static bool read_limits(const struct search_flags *flags, struct search_limits *out,
                        struct err *err)
{
    long long depth = 0, nodes = 0;
    int given = (flags->depth != NULL) + (flags->nodes != NULL) + (flags->time != NULL);
    *out = (struct search_limits){.seconds = given == 0 ? SECONDS_DEFAULT : 0};
    if (given > 1) {
        return err_set(err, ERR_USAGE, "only one of --depth, --nodes and --time may be given");
    }
    if (flags->depth != NULL &&
        !number_integer(flags->depth, "--depth", 1, SEARCH_PLIES - 1, &depth, err)) {
        return false;
    }
    if (flags->nodes != NULL &&
        !number_integer(flags->nodes, "--nodes", 1, INT64_MAX, &nodes, err)) {
        return false;
    }
    if (flags->time != NULL &&
        !number_real(flags->time, "--time", SECONDS_MIN, SECONDS_MAX, &out->seconds, err)) {
        return false;
    }
    out->depth = (int)depth;
    out->nodes = (uint64_t)nodes;
    return true;
}

static bool read_threads(const struct search_flags *flags, int *out, struct err *err)
{
    long long threads = 1;
    if (flags->threads != NULL &&
        !number_integer(flags->threads, "--threads", 1, SEARCH_THREADS_MAX, &threads, err)) {
        return false;
    }
    *out = (int)threads;
    return true;
}

/* A search_report: one info line; context is the struct rules. */
static void print_info(void *context, const struct search_result *result)
{
    const struct rules *rules = context;
    double speed = result->seconds > 0 ? (double)result->nodes / result->seconds : 0;
    printf("info depth %d seldepth %d score %d nodes %" PRIu64 " nodes/s %.0f time %.3f pv",
           result->depth, result->seldepth, result->score, result->nodes, speed, result->seconds);
    for (int i = 0; i < result->pv_length; i++) {
        char text[MOVE_TEXT];
        move_write(rules, &result->pv[i], text);
        printf(" %s", text);
    }
    printf("\n");
    fflush(stdout); /* a failure is found by the last flush */
}

static bool search_game(const struct game *game, const struct weights *weights,
                        const struct search_limits *limits, int threads, struct err *err)
{
    const struct rules *rules = game->variant->rules;
    struct search *search = search_create(game->variant, weights, TABLE_BITS, err);
    if (search == NULL || !search_use_threads(search, threads, err)) {
        search_destroy(search);
        return false;
    }
    struct search_result result = search_run(search, game, limits, print_info, (void *)rules);
    search_destroy(search);
    char text[MOVE_TEXT] = "-";
    if (result.has_move) {
        move_write(rules, &result.best, text);
    }
    printf("bestmove %s\n", text);
    return true;
}

static bool run_search(const struct invocation *invocation, const struct search_flags *flags,
                       const struct log *log, struct err *err)
{
    struct search_limits limits;
    struct weights weights;
    struct game game;
    int threads;
    const struct variant *variant = variant_of_flag(flags->rules, err);
    if (variant == NULL || !read_limits(flags, &limits, err) ||
        !read_threads(flags, &threads, err) ||
        !game_of_flags(variant, flags->fen, flags->moves, &game, err)) {
        return false;
    }
    bool searched = draughts_weights(invocation, log, variant, flags->weights, &weights, err);
    if (searched) {
        searched = search_game(&game, &weights, &limits, threads, err);
        weights_fini(&weights);
    }
    game_fini(&game);
    return searched;
}

bool command_search(const struct invocation *invocation, struct err *err)
{
    struct search_flags given = {0};
    const struct flag flags[] = {
        flag_rules(&given.rules),
        flag_position(&given.fen),
        flag_moves(&given.moves),
        {0, "depth", "N", "search to this depth", &given.depth},
        {0, "nodes", "N", "search this many nodes", &given.nodes},
        {0, "time", "SECONDS", "search for this long; default 1", &given.time},
        {0, "threads", "N", "search with this many threads; default 1", &given.threads},
        flag_weights(&given.weights),
    };
    struct command_line line;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "", 0, &line, err)) {
        return false;
    }
    return line.finished || run_search(invocation, &given, &line.log, err);
}
