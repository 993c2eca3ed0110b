/* Verifying shards, sharing out their rows, and reading them; see load.h. */
#include "tuner/fit/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/progress.h"
#include "selfplay/store/shard.h"

enum {
    SAMPLE = 32768,     /* rows aimed at for the curvature's sample */
    BATCH = 1 << 16,    /* rows read at once, a chunk of a shard */
    PROGRESS_TEXT = 64, /* "loading international" */
};

/* Loading on one rank. */
struct load {
    struct comm_team *ranks;
    const struct variant *variant;
    int64_t rows;        /* of all inputs */
    int64_t first, last; /* this rank's share of them */
    int64_t done;        /* rows read or verified on this rank */
    struct dataset *dataset;
    struct shard_row *batch; /* [BATCH]; owned */
    struct progress progress;
};

/* a * b / c without overflow for any row count. */
static int64_t share(int64_t a, int b, int c)
{
    return a / c * b + a % c * b / c;
}

/* Counts rows that were read twice on this rank: verified, or loaded. */
static void count_rows(struct load *load, int64_t rows)
{
    load->done += rows;
    progress_update(&load->progress, load->done * load->ranks->comm->size);
}

/* Opens a shard that must be the one of the catalogue. */
static struct shard *open_input(const struct load *load, const struct load_input *input,
                                struct shard_info *info, struct err *err)
{
    struct shard *shard = shard_open(input->path, load->variant, info, err);
    if (shard == NULL) {
        return NULL;
    }
    if (info->rows != input->rows) {
        err_set(err, ERR_USAGE, "%s: holds %" PRId64 " rows, the catalogue says %" PRId64,
                input->path, info->rows, input->rows);
    } else if (info->hash != input->hash) {
        err_set(err, ERR_USAGE,
                "%s: another shard than the catalogue's: the hash of its rows is %016" PRIx64
                ", not %016" PRIx64,
                input->path, info->hash, input->hash);
    } else {
        return shard;
    }
    shard_close(shard);
    return NULL;
}

/* Collective: every shard is read once by one of the ranks, and its rows compared with their hash,
 * before any work is put into them. */
static bool verify(struct load *load, const struct load_input *inputs, size_t count,
                   struct err *err)
{
    bool ok = true;
    for (size_t k = (size_t)load->ranks->comm->rank;
         ok && k < count && !comm_team_stopping(load->ranks);
         k += (size_t)load->ranks->comm->size) {
        struct shard_info info;
        struct shard *shard = open_input(load, &inputs[k], &info, err);
        ok = shard != NULL && shard_verify(shard, err);
        shard_close(shard);
        count_rows(load, inputs[k].rows);
    }
    return comm_agree(load->ranks->comm, ok, err);
}

/* A shard of which rows [first, last) are this rank's: the games that begin there, to their ends.
 */
struct slice {
    struct shard *shard;
    struct dataset_source source;
    int64_t first, last, rows; /* rows: of the whole shard */
    int64_t before;            /* the game that began before; -1: none */
    int64_t game;              /* the one taken last; -1: none */
};

/* Notes which game began before the slice. */
static bool look_before(struct load *load, struct slice *slice, struct err *err)
{
    slice->before = slice->game = -1;
    if (slice->first == 0) {
        return true;
    }
    if (!shard_get(slice->shard, slice->first - 1, 1, load->batch, err)) {
        return false;
    }
    slice->before = load->batch->game;
    return true;
}

enum taking { TAKE, SKIP, END };

/* What is to be done with row number `at`, which is of this game. */
static enum taking taking_of(const struct slice *slice, int64_t at, int64_t game)
{
    if (slice->game == -1 && game == slice->before) {
        return at < slice->last ? SKIP : END;
    }
    return at < slice->last || game == slice->game ? TAKE : END;
}

/* Adds what is this slice's of a batch of rows, numbers `at` and following. *more: the next batch
 * may have some, too. */
static bool add_batch(struct load *load, struct slice *slice, int64_t at, int64_t count, bool *more,
                      struct err *err)
{
    for (int64_t k = 0; k < count; k++) {
        const struct shard_row *row = &load->batch[k];
        enum taking taking = taking_of(slice, at + k, row->game);
        if (taking == END) {
            *more = false;
            return true;
        }
        if (taking == TAKE) {
            slice->game = row->game;
            if (!dataset_add(load->dataset, &slice->source, row, 1, err)) {
                return false;
            }
        }
    }
    *more = true;
    return true;
}

/* Adds the games of a slice. */
static bool add_slice(struct load *load, struct slice *slice, struct err *err)
{
    bool more = true;
    if (!look_before(load, slice, err)) {
        return false;
    }
    for (int64_t at = slice->first; more && at < slice->rows && !comm_team_stopping(load->ranks);) {
        int64_t count = BATCH - at % BATCH;
        count = at + count > slice->rows ? slice->rows - at : count;
        if (!shard_get(slice->shard, at, count, load->batch, err) ||
            !add_batch(load, slice, at, count, &more, err)) {
            return false;
        }
        at += count;
        count_rows(load, count);
    }
    return dataset_end_game(load->dataset, err);
}

/* Adds the part of one shard that lies in this rank's share; its rows are numbers offset,
 * offset + 1 ... of all rows. */
static bool load_shard(struct load *load, const struct load_input *input, int64_t offset,
                       struct err *err)
{
    int64_t first = load->first > offset ? load->first : offset;
    int64_t last = load->last < offset + input->rows ? load->last : offset + input->rows;
    struct shard_info info;

    if (first >= last || comm_team_stopping(load->ranks)) {
        return true;
    }
    struct slice slice = {.shard = open_input(load, input, &info, err),
                          .source = {.info = &info, .weights = input->weights},
                          .first = first - offset,
                          .last = last - offset,
                          .rows = input->rows};
    bool ok =
        slice.shard != NULL && (add_slice(load, &slice, err) || err_prefix(err, "%s", input->path));
    shard_close(slice.shard);
    return ok;
}

static bool load_shards(struct load *load, const struct load_input *inputs, size_t count,
                        struct err *err)
{
    int64_t offset = 0;
    bool ok = true;
    load->batch = malloc(BATCH * sizeof *load->batch);
    if (load->batch == NULL) {
        return err_set(err, ERR_FAILED, "out of memory for rows");
    }
    for (size_t k = 0; ok && k < count; k++) {
        ok = load_shard(load, &inputs[k], offset, err);
        offset += inputs[k].rows;
    }
    free(load->batch);
    return ok;
}

bool load_dataset(struct comm_team *ranks, const struct log *log, const struct variant *variant,
                  const struct dataset_filter *filter, const struct load_input *inputs,
                  size_t count, struct dataset *dataset, bool *stopped, struct err *err)
{
    const struct comm *comm = ranks->comm;
    struct load load = {.ranks = ranks, .variant = variant, .dataset = dataset};
    struct dataset_filter sampled = *filter;
    struct team team = comm_team(ranks);
    char what[PROGRESS_TEXT];

    for (size_t k = 0; k < count; k++) {
        load.rows += inputs[k].rows;
    }
    sampled.sampling =
        load.rows > SAMPLE ? (uint32_t)((int64_t)65536 * SAMPLE / load.rows) + 1 : 65536;
    load.first = share(load.rows, comm->rank, comm->size);
    load.last = share(load.rows, comm->rank + 1, comm->size);
    dataset_init(dataset, variant, &sampled);
    snprintf(what, sizeof what, "loading %s", variant->rules->name);
    load.progress = progress_start(comm->rank == 0 ? log : NULL, what, "rows", 2 * load.rows, 0);
    bool ok = verify(&load, inputs, count, err) &&
              comm_agree(comm, load_shards(&load, inputs, count, err), err);
    *stopped = comm_max(comm, ranks->stopping) > 0;
    ok = ok && (*stopped || dataset_finish(dataset, &team, err));
    progress_end(&load.progress, ok && !*stopped ? 2 * load.rows : 0);
    return ok;
}
