/* Program bench_store [GAMES [SHARD_ROWS [DIRECTORY]]]: what rank 0 pays to keep the games of all
 * ranks, and what some rank pays to make shards of them.
 *
 * A few games that a search of few nodes has played are stored over and over, under new numbers and
 * a little out of order, as from many ranks. Seconds are processor time. Nothing is printed before
 * every shard has been verified and all games are in the records. In DIRECTORY, which it makes, the
 * files are left. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/file.h"
#include "selfplay/game/bytes.h"
#include "selfplay/selfplay_game.h"
#include "selfplay/store/game_store.h"
#include "tests/bench/scratch.h"

enum { KINDS = 500, NUMBER = 16 /* byte of a record where its number stands */ };

/* Of this process: what others do on the machine does not count, nor does waiting for the disk. */
static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct sample {
    uint8_t *data;
    size_t size;
};

struct findings {
    double seconds, longest, finish; /* of all additions, of one, of the end */
    double making, slowest;          /* of all shards, of one */
    struct game_store_result result;
    int64_t shards, bytes; /* on the disk */
};

static bool play(const struct variant *variant, struct sample games[KINDS], struct err *err)
{
    struct selfplay_settings settings = {
        .seed = 1, .end = KINDS, .nodes = 50, .table_bits = 14, .opening = {.plies = 8}};
    struct weights weights;
    const struct selfplay_source source = {.variant = variant, .weights = &weights};
    struct selfplay_crew crew = {0};
    weights_builtin(variant->rules, &weights);
    bool ok = selfplay_crew_init(&crew, &settings, &source, err);
    for (int64_t i = 0; ok && i < KINDS; i++) {
        struct record record;
        struct play_cost cost;
        ok = selfplay_game(&settings, &source, &crew, i, NULL, &record, &cost, err);
        if (ok) {
            games[i] = (struct sample){malloc(record_size(&record)), record_size(&record)};
            ok = games[i].data != NULL || err_set(err, ERR_FAILED, "out of memory");
        }
        if (ok) {
            record_encode(&record, variant->rules, games[i].data);
            record_fini(&record);
        }
    }
    selfplay_crew_fini(&crew);
    return ok;
}

static bool count_shard(void *context, const struct shard_entry *entry, struct err *err)
{
    (void)err;
    ((struct findings *)context)->shards += entry->games > 0;
    return true;
}

/* Verifies all shards and sums up their sizes. */
static bool verify(const char *directory, const struct variant *variant, struct findings *outcome,
                   struct err *err)
{
    char path[FILE_PATH];
    bool ok = true;
    for (int64_t i = 0; ok && i < outcome->shards; i++) {
        struct stat status;
        struct shard_info info;
        snprintf(path, sizeof path, "%s/shards/bench-%04d.h5", directory, (int)i);
        struct shard *shard = shard_open(path, variant, &info, err);
        ok = shard != NULL && shard_verify(shard, err) && stat(path, &status) == 0;
        shard_close(shard);
        outcome->bytes += ok ? (int64_t)status.st_size : 0;
    }
    return ok;
}

/* Makes the shards for which there are games, as another rank would. */
static bool make_shards(const struct game_store_settings *settings, struct game_store *store,
                        struct findings *outcome, struct err *err)
{
    struct shard_cut cut;
    bool ok = true;
    while (ok && game_store_cut(store, &cut)) {
        struct shard_entry entry;
        bool given_up;
        double began = cpu_seconds();
        ok = sharding_make(&settings->sharding, &cut, NULL, &entry, &given_up, err);
        double took = cpu_seconds() - began;
        outcome->making += took;
        outcome->slowest = took > outcome->slowest ? took : outcome->slowest;
        ok = ok && game_store_made(store, &entry, err);
    }
    return ok;
}

static bool store(const struct game_store_settings *settings, struct sample games[KINDS],
                  struct findings *outcome, struct err *err)
{
    struct game_store *store = game_store_open(settings, err);
    bool ok = store != NULL;
    for (int64_t i = 0; ok && i < settings->end; i++) {
        int64_t number = i ^ 5; /* a little out of order */
        struct sample *game = &games[number % KINDS];
        bytes_put64(game->data + NUMBER, (uint64_t)number);
        double before = cpu_seconds();
        ok = game_store_add(store, game->data, game->size, err);
        double took = cpu_seconds() - before;
        outcome->seconds += took;
        outcome->longest = took > outcome->longest ? took : outcome->longest;
        ok = ok && make_shards(settings, store, outcome, err);
    }
    double began = cpu_seconds();
    ok = ok && game_store_finish(store, &outcome->result, err);
    outcome->finish = cpu_seconds() - began;
    return game_store_close(store, ok ? err : NULL) && ok;
}

static bool bench(const struct variant *variant, const char *scratch, int64_t count, int64_t rows,
                  struct err *err)
{
    char directory[FILE_PATH];
    struct sample games[KINDS] = {0};
    struct findings outcome = {0};
    snprintf(directory, sizeof directory, "%s/%s", scratch, variant->rules->name);
    const struct game_store_settings settings = {
        .sharding = {.directory = directory, .name = "bench", .variant = variant, .rows_max = rows},
        .watch = {.shard = count_shard, .context = &outcome},
        .about = "bench\n",
        .end = count,
        .sync_seconds = 30};
    bool ok = play(variant, games, err) && store(&settings, games, &outcome, err) &&
              verify(directory, variant, &outcome, err);
    ok = ok && (outcome.result.games == count ||
                err_set(err, ERR_FAILED, "%" PRId64 " games are stored", outcome.result.games));
    for (int i = 0; i < KINDS; i++) {
        free(games[i].data);
    }
    if (ok) {
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        double all = outcome.seconds + outcome.finish;
        printf("%-13s rank 0 %5.1f us a game, longest addition %.2f s, end %.2f s; making shards "
               "%5.1f us a game, %5.2f us a position, slowest %.2f s; %" PRId64 " shards, %" PRId64
               " rows, %.1f MB, %ld MB of memory at most\n",
               variant->rules->name, 1e6 * all / (double)count, outcome.longest, outcome.finish,
               1e6 * outcome.making / (double)count,
               1e6 * outcome.making / (double)outcome.result.positions, outcome.slowest,
               outcome.shards, outcome.result.positions, (double)outcome.bytes / 1e6,
               usage.ru_maxrss / 1024);
    }
    return ok;
}

/* The directory that is to stay, which must be a new one. */
static bool make_kept(const char *directory, struct err *err)
{
    return mkdir(directory, 0777) == 0 ||
           err_set(err, ERR_FAILED, "%s: %s", directory, strerror(errno));
}

int main(int argc, char *argv[])
{
    char temporary[64];
    int64_t games = argc > 1 ? atoll(argv[1]) : 20000;
    int64_t rows = argc > 2 ? atoll(argv[2]) : 1 << 20;
    const char *kept = argc > 3 ? argv[3] : NULL, *scratch = kept != NULL ? kept : temporary;
    struct err err = {0};
    bool made = (games > 0 && games % 8 == 0 && rows > 0) ||
                err_set(&err, ERR_USAGE,
                        "bench_store [GAMES [SHARD_ROWS [DIRECTORY]]], GAMES a multiple of 8");

    made = made && (kept != NULL ? make_kept(kept, &err) : scratch_make(temporary, &err));
    bool ok = made;
    for (int i = 0; ok && i < VARIANT_COUNT; i++) {
        ok = bench(variant_at(i), scratch, games, rows, &err);
    }
    ok = (!made || kept != NULL || scratch_remove(temporary, ok ? &err : NULL)) && ok;
    if (!ok) {
        fprintf(stderr, "bench_store: error: %s\n", err.text);
    }
    return ok ? 0 : (int)err.code;
}
