/* Program bench_selfplay [GAMES [NODES]]: what farming, journals and shards cost beside playing.
 *
 * The same games are played by the self-play stage on one rank and by a bare loop over the game
 * function, in turns; processor time is compared, so that other programs on the machine do not
 * matter. Nothing is printed before all records have been found the same. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "selfplay/selfplay.h"
#include "selfplay/store/games.h"
#include "tests/bench/scratch.h"

enum { ROUNDS = 5 };

struct round {
    double stage, loop; /* processor seconds */
    int64_t plies;
    uint64_t nodes;
};

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The games one after another; each must be the one that the stage has stored. */
static bool play_loop(const struct selfplay_settings *settings,
                      const struct selfplay_source *source, const struct games *stored,
                      struct round *round, struct err *err)
{
    struct selfplay_crew crew;
    bool ok = selfplay_crew_init(&crew, settings, source, err);
    for (int64_t number = settings->first; ok && number < settings->end; number++) {
        struct record record;
        struct play_cost cost;
        double began = processor_seconds();
        ok = selfplay_game(settings, source, &crew, number, NULL, &record, &cost, err);
        round->loop += processor_seconds() - began;
        if (!ok) {
            break;
        }
        round->plies += record.plies - record.opening_plies;
        round->nodes += cost.nodes;
        size_t size = record_size(&record);
        uint8_t *bytes = malloc(size);
        ok = bytes != NULL && stored->entry[number].size == size;
        if (ok) {
            record_encode(&record, source->variant->rules, bytes);
            ok = memcmp(bytes, stored->entry[number].data, size) == 0;
        }
        if (!ok) {
            err_set(err, ERR_FAILED, "game %" PRId64 " is not the one that was stored", number);
        }
        free(bytes);
        record_fini(&record);
    }
    selfplay_crew_fini(&crew);
    return ok;
}

static bool play_round(const struct selfplay_settings *settings, const struct variant *variant,
                       const char *directory, struct round *round, struct err *err)
{
    const struct comm alone = {.rank = 0, .size = 1};
    const struct log quiet = {0};
    struct stop stop = {0};
    struct weights weights;
    struct selfplay_source source = {.variant = variant, .weights = &weights};
    struct opening_plan plan = {0};
    struct selfplay_result result;
    struct games stored;
    char name[GAMES_NAME], about[JOURNAL_ABOUT_MAX];

    *round = (struct round){0};
    weights_builtin(variant->rules, &weights);
    double began = processor_seconds();
    if (!selfplay_stage(&alone, &stop, &quiet, directory, settings, &source, NULL, &result, err)) {
        return false;
    }
    round->stage = processor_seconds() - began;
    selfplay_name(name, variant, settings->generation);
    selfplay_about(settings, &source, about);
    if (!games_open(&stored, directory, name, about, err)) {
        return false;
    }
    bool ok = stored.count == settings->end - settings->first ||
              err_set(err, ERR_FAILED, "%" PRId64 " games are stored", stored.count);
    const struct opening_plan_settings planned = {.opening = &settings->opening,
                                                  .variant = variant,
                                                  .seed = settings->seed,
                                                  .generation = settings->generation,
                                                  .end = settings->end};
    bool stopped;
    ok = ok && opening_plan_make(&plan, &alone, &planned, NULL, NULL, &stopped, err);
    source.plan = &plan;
    ok = ok && play_loop(settings, &source, &stored, round, err);
    opening_plan_fini(&plan);
    games_close(&stored);
    return ok;
}

static int by_overhead(const void *a, const void *b)
{
    const struct round *one = a, *other = b;
    double x = one->stage / one->loop, y = other->stage / other->loop;
    return (x > y) - (x < y);
}

static bool bench(const struct variant *variant, int64_t games, uint64_t nodes, const char *scratch,
                  struct err *err)
{
    struct selfplay_settings settings = {.seed = 1,
                                         .end = games,
                                         .nodes = nodes,
                                         .table_bits = 14,
                                         .opening = {.plies = 8},
                                         .shard_rows = 1000000,
                                         .sync_seconds = 30};
    struct round rounds[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        char directory[FILE_PATH];
        snprintf(directory, sizeof directory, "%s/%s-%d", scratch, variant->rules->name, i);
        if (!play_round(&settings, variant, directory, &rounds[i], err)) {
            return false;
        }
    }
    qsort(rounds, ROUNDS, sizeof *rounds, by_overhead);
    const struct round *median = &rounds[ROUNDS / 2];
    printf("%-13s %6.1f games/s %8.0f positions/s %9.0f nodes/s a core, stage / loop %.4f (%.4f "
           "to %.4f)\n",
           variant->rules->name, (double)games / median->stage,
           (double)median->plies / median->stage, (double)median->nodes / median->stage,
           median->stage / median->loop, rounds[0].stage / rounds[0].loop,
           rounds[ROUNDS - 1].stage / rounds[ROUNDS - 1].loop);
    return true;
}

int main(int argc, char *argv[])
{
    char scratch[64];
    int64_t games = argc > 1 ? atoll(argv[1]) : 40;
    uint64_t nodes = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
    struct err err = {0};
    bool made =
        (games > 0 && nodes > 0) || err_set(&err, ERR_USAGE, "bench_selfplay [GAMES [NODES]]");

    made = made && scratch_make(scratch, &err);
    bool ok = made;
    if (ok) {
        printf("%" PRId64 " games, %" PRIu64 " nodes a move, median of %d rounds (least to most)\n",
               games, nodes, ROUNDS);
    }
    for (int i = 0; ok && i < VARIANT_COUNT; i++) {
        ok = bench(variant_at(i), games, nodes, scratch, &err);
    }
    ok = (!made || scratch_remove(scratch, ok ? &err : NULL)) && ok;
    if (!ok) {
        fprintf(stderr, "bench_selfplay: error: %s\n", err.text);
    }
    return ok ? 0 : (int)err.code;
}
