/* `draughts pdn`: replays the games of PDN files and names every fault. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/progress.h"
#include "engine/commands/draughts.h"
#include "engine/pdn/pdn_read.h"

static const double SECONDS_UNWATCHED = 2;
static const size_t FILE_MAX = (size_t)1 << 30;

struct count {
    const char *file;
    long long games, moves, faults;
    struct progress progress;
    bool watched;
};

static void print_fault(void *context, int line, int game, const char *what)
{
    struct count *count = context;

    count->faults++;
    printf("%s:%d: game %d: %s\n", count->file, line, game, what);
}

static bool count_game(void *context, const struct pdn_game *game, struct err *err)
{
    struct count *count = context;

    (void)err;
    count->games++;
    count->moves += game->moves;
    count->watched = clock_seconds() - count->progress.started > SECONDS_UNWATCHED;
    if (count->watched) {
        progress_update(&count->progress, count->games);
    }
    return true;
}

static bool read_file(struct count *count, const struct variant *variant, struct err *err)
{
    const struct pdn_sink sink = {.context = count, .fault = print_fault, .game = count_game};
    size_t size = 0;
    char *text = file_read(count->file, FILE_MAX, &size, err);

    if (!text) {
        return false;
    }
    bool ok = pdn_read(text, size, variant, &sink, err);
    free(text);
    return ok || err_prefix(err, "%s", count->file);
}

bool command_pdn(const struct invocation *invocation, struct err *err)
{
    const char *rules = NULL;
    const struct flag flags[] = {
        {'r', "rules", "RULES", "of games whose tags name none; default: found out from the moves",
         &rules},
    };
    struct command_line line;
    if (!invocation_parse(invocation, flags, sizeof flags / sizeof flags[0], "FILE...", 1, &line,
                          err)) {
        return false;
    }
    if (line.finished) {
        return true;
    }
    const struct variant *variant = rules ? variant_by_name(rules, err) : NULL;
    if (rules && !variant) {
        return false;
    }

    struct count count = {.progress = progress_start(&line.log, "pdn", "games", 0, 0)};
    for (size_t i = 0; i < line.operand_count; i++) {
        count.file = line.operands[i];
        if (!read_file(&count, variant, err)) {
            return false;
        }
    }
    if (count.watched) {
        progress_end(&count.progress, count.games);
    }
    printf("games %lld, moves %lld, faults %lld\n", count.games, count.moves, count.faults);
    return count.faults == 0 || err_set(err, ERR_FAILED, "%lld fault%s found", count.faults,
                                        count.faults == 1 ? "" : "s");
}
