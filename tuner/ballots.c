/* Lists of balanced openings. */
#include "tuner/ballots.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/progress.h"
#include "engine/rules/fen.h"
#include "engine/search/search.h"
#include "selfplay/game/opening.h"

enum {
    TABLE_BITS = 16,
    TRIES = 100, /* random openings drawn for each one that is wanted, at most */
};

/* Whoever looks for openings. */
struct seeker {
    const struct ballots *ballots;
    FILE *out;
    struct search *search;
    struct position *seen; /* [count]: found before, balanced or not; owned */
    size_t count, capacity;
    int64_t written;
    struct progress progress;
};

/* *known: the position was there before; else it is from now on. False: memory is out. */
static bool remember(struct seeker *seeker, const struct position *position, bool *known,
                     struct err *err)
{
    *known = false;
    for (size_t i = 0; i < seeker->count && !*known; i++) {
        *known = position_equal(&seeker->seen[i], position);
    }
    if (*known) {
        return true;
    }
    if (seeker->count == seeker->capacity) {
        size_t capacity = 2 * seeker->capacity + 256;
        struct position *grown = realloc(seeker->seen, capacity * sizeof *grown);
        if (!grown) {
            return err_set(err, ERR_FAILED, "out of memory for %zu positions", capacity);
        }
        seeker->seen = grown;
        seeker->capacity = capacity;
    }
    seeker->seen[seeker->count++] = *position;
    return true;
}

/* Writes the position of a game that has just been played so far, if it is new and balanced. */
static bool consider(struct seeker *seeker, const struct game *game, struct err *err)
{
    const struct ballots *ballots = seeker->ballots;
    const struct search_limits limits = {.nodes = ballots->nodes};
    char fen[FEN_SIZE];
    bool known;

    if (!remember(seeker, game_now(game), &known, err)) {
        return false;
    }
    if (known || game_outcome(game, NULL) != OUTCOME_OPEN) {
        return true;
    }
    search_clear(seeker->search);
    if (abs(search_run(seeker->search, game, &limits, NULL, NULL).score) <= ballots->bound) {
        fen_write(ballots->variant->rules, game_now(game), fen);
        fprintf(seeker->out, "%s\n", fen);
        seeker->written++;
        progress_update(&seeker->progress, seeker->written);
    }
    return true;
}

/* Every sequence of `plies` more plies. */
static bool seek_all(struct seeker *seeker, struct game *game, int plies, struct err *err)
{
    struct move_list list;

    if (plies == 0) {
        return consider(seeker, game, err);
    }
    seeker->ballots->variant->moves(game_now(game), &list);
    for (int i = 0; i < list.count; i++) {
        if (!game_play(game, &list.move[i])) {
            return err_set(err, ERR_FAILED, "out of memory for an opening");
        }
        bool ok = seek_all(seeker, game, plies - 1, err);
        game_take_back(game);
        if (!ok) {
            return false;
        }
    }
    return true;
}

static bool seek_random(struct seeker *seeker, struct game *game, struct err *err)
{
    const struct ballots *ballots = seeker->ballots;
    const struct opening_settings settings = {.plies = ballots->plies};

    for (int64_t number = 0; seeker->written < ballots->count; number++) {
        uint64_t stream = opening_stream(ballots->variant, OPENING_LIST, 0, number);
        if (number == TRIES * ballots->count) {
            return err_set(err, ERR_FAILED,
                           "only %" PRId64 " of %" PRId64 " random openings are balanced and "
                           "different; more plies or a wider bound would do",
                           seeker->written, number);
        }
        while (game->plies > 0) {
            game_take_back(game);
        }
        if (!opening_play(&settings, ballots->seed, stream, NULL, game, err) ||
            !consider(seeker, game, err)) {
            return false;
        }
    }
    return true;
}

static void write_head(FILE *out, const struct ballots *ballots)
{
    fprintf(out, "# %s: ", ballots->variant->rules->title);
    if (ballots->count == BALLOTS_ALL) {
        fprintf(out, "all positions after %d plies", ballots->plies);
    } else {
        fprintf(out, "%" PRId64 " positions after %d random plies (seed %" PRIu64 ")",
                ballots->count, ballots->plies, ballots->seed);
    }
    fprintf(out, "\n# that a search of %" PRIu64 " nodes puts within %d hundredths of a man.\n",
            ballots->nodes, ballots->bound);
}

bool ballots_write(FILE *out, const struct log *log, const struct ballots *ballots, struct err *err)
{
    struct position start = position_start(ballots->variant->rules);
    struct seeker seeker = {.ballots = ballots, .out = out};
    struct game game;

    assert(ballots->count != BALLOTS_ALL || ballots->plies <= BALLOTS_ALL_PLIES);
    seeker.search = search_create(ballots->variant, ballots->weights, TABLE_BITS, err);
    if (!seeker.search) {
        return false;
    }
    if (!game_init(&game, ballots->variant, &start)) {
        search_destroy(seeker.search);
        return err_set(err, ERR_FAILED, "out of memory for an opening");
    }
    write_head(out, ballots);
    seeker.progress = progress_start(log, "openings", "openings", ballots->count, 0);
    bool ok = ballots->count == BALLOTS_ALL ? seek_all(&seeker, &game, ballots->plies, err)
                                            : seek_random(&seeker, &game, err);
    progress_end(&seeker.progress, seeker.written);
    game_fini(&game);
    search_destroy(seeker.search);
    free(seeker.seen);
    return ok;
}
