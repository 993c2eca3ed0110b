/* `draughts perft`: the number of positions reached after exactly 1, 2, ... moves, the measure of
 * a move generator's correctness and speed. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/base/progress.h"
#include "engine/base/streams.h"
#include "engine/commands/draughts.h"
#include "engine/rules/notation.h"

enum { PERFT_DEPTH_MAX = 30 };

/* A depth that comes after one of more than this many seconds shows its progress. */
static const double SECONDS_UNWATCHED = 0.3;

struct count {
    const struct variant *variant;
    const struct position *position;
    const struct log *log; /* NULL: no progress is shown */
    bool divide;           /* print the leaves behind each first move */
};

/* Counts the leaves at `depth` >= 1, first move by first move. */
static uint64_t count_leaves(const struct count *count, int depth)
{
    const struct rules *rules = count->variant->rules;
    struct move_list list;
    count->variant->moves(count->position, &list);
    struct progress progress = progress_start(count->log, "perft", "moves", list.count, 0);
    uint64_t total = 0;
    for (int i = 0; i < list.count; i++) {
        struct position after = position_after(rules, count->position, &list.move[i]);
        uint64_t leaves = perft(count->variant, &after, depth - 1);
        total += leaves;
        if (count->divide) {
            char text[MOVE_TEXT];
            move_write(rules, &list.move[i], text);
            printf("%s %" PRIu64 "\n", text, leaves);
        }
        progress_update(&progress, i + 1);
    }
    if (count->log != NULL) {
        progress_end(&progress, list.count);
    }
    return total;
}

static bool count_depths(struct count *count, const struct log *log, int depth, bool divide,
                         struct err *err)
{
    double seconds = 0;
    for (int d = 1; d <= depth; d++) {
        count->log = seconds > SECONDS_UNWATCHED ? log : NULL;
        count->divide = divide && d == depth;
        double start = clock_seconds();
        uint64_t leaves = count_leaves(count, d);
        seconds = clock_seconds() - start;
        printf("%d %" PRIu64 " %.3f %.0f\n", d, leaves, seconds,
               seconds > 0 ? (double)leaves / seconds : 0);
        if (!output_flush(err)) {
            return false;
        }
    }
    return true;
}

bool command_perft(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL, *fen = NULL, *moves = NULL, *divide = NULL;
    const struct flag flags[] = {
        flag_rules(&rules),
        flag_position(&fen),
        flag_moves(&moves),
        {0, "divide", NULL, "also the leaves behind each first move, for DEPTH", &divide},
    };
    struct command_line line;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "DEPTH", 1, &line,
                          err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }

    struct position position;
    long long depth = 0;
    const struct variant *variant = variant_of_flag(rules, err);
    if (variant == NULL || !position_of_flags(variant, fen, moves, &position, err) ||
        !number_integer(line.operands[0], "DEPTH", 1, PERFT_DEPTH_MAX, &depth, err)) {
        return false;
    }
    struct count count = {.variant = variant, .position = &position};
    return count_depths(&count, &line.log, (int)depth, divide != NULL, err);
}
