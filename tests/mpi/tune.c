/* The tune stage on several ranks: the weights of one rank alone, whatever the shards; errors and
 * stops that all ranks agree upon. Run as: mpirun -n N mpi_tune DIRECTORY */
#include "tuner/fit/tune.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/file.h"
#include "selfplay/store/shard.h"
#include "tests/bits/random_rows.h"

enum { GAMES = 400, SHARDS = 4 };

struct test {
    struct comm comm;
    struct stop stop;
    const struct variant *variant;
    struct weights weights;
    char path[SHARDS][FILE_PATH];    /* three shards of all games, and one that holds all */
    struct load_input input[SHARDS]; /* the same */
    int failures;
};

#define CHECK(test, what) check(test, what, #what, __LINE__)

static void check(struct test *test, bool what, const char *text, int line)
{
    if (!what) {
        fprintf(stderr, "rank %d: line %d: %s does not hold\n", test->comm.rank, line, text);
        test->failures++;
    }
}

static void or_end(const struct test *test, bool ok, struct err *err)
{
    if (!comm_agree(&test->comm, ok, err)) {
        fprintf(stderr, "%s\n", err->text);
        exit(EXIT_FAILURE);
    }
}

static uint64_t hash_of(const struct variant *variant, const struct shard_row *rows, size_t count)
{
    uint64_t hash = 0;
    for (size_t k = 0; k < count; k++) {
        struct shard_flat flat = shard_flatten(variant->rules, &rows[k]);
        hash = shard_hash(hash, &flat, 1);
    }
    return hash;
}

/* Rank 0: writes the shards. All ranks: the inputs. */
static bool make_shards(struct test *test, const char *directory, struct err *err)
{
    struct shard_row *rows = calloc((size_t)GAMES * RANDOM_ROWS_MAX, sizeof *rows);
    size_t cut[SHARDS] = {0}, count = 0;
    if (!rows) {
        return err_set(err, ERR_FAILED, "out of memory");
    }
    struct weights weights;
    weights_builtin(test->variant->rules, &weights);
    for (int game = 0; game < GAMES; game++) {
        count += (size_t)random_rows(test->variant, &weights, game, rows + count);
        cut[game < 7 ? 1 : game < 250 ? 2 : 3] = count;
    }
    bool ok = test->comm.rank != 0 || file_make_directories(directory, err);
    for (int k = 0; ok && k < SHARDS; k++) {
        size_t first = k < 3 ? cut[k] : 0, last = k < 3 ? cut[k + 1] : count;
        struct shard_info info = {.opening_plies = 6, .seed = 1, .rows = (int64_t)(last - first)};
        char name[32];
        snprintf(name, sizeof name, "shard-%d.h5", k);
        test->input[k] =
            (struct load_input){.path = test->path[k],
                                .rows = info.rows,
                                .hash = hash_of(test->variant, rows + first, last - first),
                                .weights = &test->weights};
        ok = file_join(test->path[k], directory, name, err) &&
             (test->comm.rank != 0 ||
              shard_write(test->path[k], test->variant, &info, rows + first, last - first, err));
    }
    free(rows);
    return ok;
}

static struct tune_settings settings_of(const struct test *test)
{
    return (struct tune_settings){
        .filter = {.margin = 400, .holdout = 10, .merge = true, .per_game = 60, .share = 0.3},
        .fit = {.windows = test->variant->pattern_sets[0],
                .prior = 0.5,
                .pattern_prior = 0.5,
                .pattern_rare = 10,
                .pattern_least = 2,
                .tolerance = 1e-7,
                .passes_max = 200},
    };
}

static bool tune(struct test *test, const struct comm *comm, const struct load_input *inputs,
                 size_t count, struct fit_result *result, bool *stopped, struct err *err)
{
    const struct tune_settings settings = settings_of(test);
    return tune_stage(comm, &test->stop, NULL, test->variant, &settings, inputs, count, result,
                      stopped, err);
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static bool same_weights_and_patterns(const struct weights *a, const struct weights *b)
{
    return same_bytes(a->opening, b->opening, sizeof a->opening) &&
           same_bytes(a->ending, b->ending, sizeof a->ending) && a->patterns && b->patterns &&
           a->patterns->count == b->patterns->count &&
           same_bytes(a->patterns->weight, b->patterns->weight,
                      (size_t)a->patterns->count * sizeof *a->patterns->weight);
}

static bool same(const struct fit_result *a, const struct fit_result *b)
{
    return same_weights_and_patterns(&a->weights, &b->weights) && a->scale == b->scale &&
           a->patterns == b->patterns && a->man == b->man &&
           same_bytes(a->loss_after, b->loss_after, sizeof a->loss_after) &&
           same_bytes(&a->totals, &b->totals, sizeof a->totals) &&
           same_bytes(&a->quality, &b->quality, sizeof a->quality) && a->passes == b->passes &&
           a->points == b->points && same_bytes(a->curve, b->curve, sizeof a->curve);
}

static void same_weights(struct test *test)
{
    static struct fit_result together, alone, one_shard;
    const struct comm self = {.rank = 0, .size = 1};
    bool stopped;
    struct err err = {0};
    or_end(test, tune(test, &test->comm, test->input, 3, &together, &stopped, &err), &err);
    or_end(test, tune(test, &self, test->input, 3, &alone, &stopped, &err), &err);
    or_end(test, tune(test, &test->comm, test->input + 3, 1, &one_shard, &stopped, &err), &err);
    CHECK(test, !stopped);
    CHECK(test, same(&together, &alone));
    CHECK(test, same(&together, &one_shard));
    CHECK(test,
          together.totals.games[DATASET_TRAIN] + together.totals.games[DATASET_HELD_OUT] == GAMES);
    CHECK(test, together.loss_after[DATASET_TRAIN] < together.loss_before[DATASET_TRAIN]);
    CHECK(test, memcmp(&together.weights, &test->weights, sizeof test->weights) != 0);
    if (test->comm.rank == 0) {
        printf("%d ranks: weights %016llx, loss %.6f -> %.6f held out\n", test->comm.size,
               (unsigned long long)weights_id(test->variant->rules, &together.weights),
               together.loss_before[DATASET_HELD_OUT], together.loss_after[DATASET_HELD_OUT]);
    }
    weights_fini(&together.weights);
    weights_fini(&alone.weights);
    weights_fini(&one_shard.weights);
}

/* All ranks together come to four passes, saving each point; each rank alone goes on from there to
 * what it would have come to without. */
static void resumes(struct test *test, const char *directory)
{
    static struct fit_result straight, cut, resumed;
    const struct comm self = {.rank = 0, .size = 1};
    struct tune_settings settings = settings_of(test);
    char path[FILE_PATH];
    bool stopped;
    struct err err = {0};
    or_end(test, tune(test, &self, test->input, 3, &straight, &stopped, &err), &err);
    or_end(test, file_join(path, directory, "fit.state", &err), &err);
    settings.checkpoint = path;
    settings.checkpoint_seconds = 1e-9;
    settings.fit.passes_max = 4;
    or_end(test,
           tune_stage(&test->comm, &test->stop, NULL, test->variant, &settings, test->input, 3,
                      &cut, &stopped, &err),
           &err);
    settings.checkpoint_seconds = 0;
    settings.fit.passes_max = 200;
    or_end(test,
           tune_stage(&self, &test->stop, NULL, test->variant, &settings, test->input, 3, &resumed,
                      &stopped, &err),
           &err);
    CHECK(test, cut.passes < straight.passes && cut.stop == LBFGS_EVALUATIONS);
    CHECK(test, resumed.resumed > 1);
    CHECK(test, same(&resumed, &straight));
    weights_fini(&straight.weights);
    weights_fini(&cut.weights);
    weights_fini(&resumed.weights);
}

/* Each rank reads its own shards; what one finds wrong all must say. */
static void errors(struct test *test)
{
    static struct fit_result result;
    bool stopped;
    struct load_input input[2] = {test->input[3], test->input[3]};
    struct err err = {0};
    input[1].rows++;
    CHECK(test, !tune(test, &test->comm, input, 2, &result, &stopped, &err));
    CHECK(test, err.code == ERR_USAGE && strstr(err.text, "the catalogue says") != NULL);
    input[1] = test->input[3];
    input[1].hash ^= 1;
    err.text[0] = '\0';
    CHECK(test, !tune(test, &test->comm, input, 2, &result, &stopped, &err));
    CHECK(test, err.code == ERR_USAGE && strstr(err.text, "another shard") != NULL &&
                    strstr(err.text, input[1].path) != NULL);
    input[1].path = "no-such-shard.h5";
    err.text[0] = '\0';
    CHECK(test, !tune(test, &test->comm, input, 2, &result, &stopped, &err));
    CHECK(test, err.code == ERR_USAGE && strstr(err.text, "no-such-shard.h5") != NULL);
    CHECK(test, !tune(test, &test->comm, input, 0, &result, &stopped, &err));
    CHECK(test, err.code == ERR_USAGE && strstr(err.text, "no position to fit to") != NULL);
}

/* Rank 0: a copy of a shard, cut to `length` bytes, with the byte in its middle changed by `flip`.
 */
static bool spoil(const char *from, const char *to, double length, char flip, struct err *err)
{
    size_t size;
    char *bytes = file_read(from, 1 << 28, &size, err);
    if (bytes == NULL) {
        return false;
    }
    bytes[size / 2] = (char)(bytes[size / 2] ^ flip);
    bool ok = file_replace(to, bytes, (size_t)(length * (double)size), err);
    free(bytes);
    return ok;
}

/* A shard that is damaged or cut short is named, before anything is fitted. */
static void spoilt_shards(struct test *test, const char *directory)
{
    static struct fit_result result;
    static const struct {
        double length;
        char flip;
    } WAYS[] = {{1, 4}, {0.5, 0}, {0.999, 0}};
    struct load_input input[2] = {test->input[0], test->input[3]};
    char path[FILE_PATH];
    for (size_t k = 0; k < sizeof WAYS / sizeof *WAYS; k++) {
        struct err err = {0};
        bool stopped;
        or_end(test, file_join(path, directory, "spoilt.h5", &err), &err);
        or_end(test,
               test->comm.rank != 0 ||
                   spoil(test->path[3], path, WAYS[k].length, WAYS[k].flip, &err),
               &err);
        input[1].path = path;
        CHECK(test, !tune(test, &test->comm, input, 2, &result, &stopped, &err));
        CHECK(test, err.code == ERR_USAGE && strstr(err.text, path) != NULL);
        CHECK(test, result.passes == 0);
    }
}

/* One rank alone is asked to stop. */
static void stops(struct test *test)
{
    static struct fit_result result;
    bool stopped = false;
    struct err err = {0};
    if (test->comm.rank == test->comm.size - 1) {
        raise(SIGTERM);
    }
    CHECK(test, tune(test, &test->comm, test->input, 3, &result, &stopped, &err));
    CHECK(test, stopped);
}

int main(int argc, char *argv[])
{
    struct test test = {.variant = &variant_classic};
    struct err err = {0};
    stop_prepare(&test.stop);
    test.comm = comm_start(&argc, &argv);
    if (argc != 2) {
        fprintf(stderr, "usage: mpi_tune DIRECTORY\n");
        return EXIT_FAILURE;
    }
    weights_builtin(test.variant->rules, &test.weights);
    or_end(&test, make_shards(&test, argv[1], &err), &err);
    same_weights(&test);
    resumes(&test, argv[1]);
    errors(&test);
    spoilt_shards(&test, argv[1]);
    stops(&test);
    bool failed = comm_max(&test.comm, test.failures) > 0;
    comm_finish();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
