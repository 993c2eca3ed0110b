/* Rank 0 writes and reads, vector by vector; see checkpoint.h. */
#include "tuner/fit/checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "selfplay/game/hash.h"

/* What the file begins with. */
struct header {
    char magic[16];
    double probe; /* of the processor's numbers */
    uint64_t key, n;
    int64_t count, log_bytes;
    struct lbfgs_point point;
};

static const char MAGIC[16] = "draughts fit 1\n";
static const double PROBE = 0x1.23456789abcdep-7;

/* The file being written or read, on rank 0. */
struct tape {
    FILE *file;
    uint64_t hash;
};

static bool put(struct tape *tape, const void *data, size_t size)
{
    tape->hash = hash_bytes(tape->hash, data, size);
    return fwrite(data, 1, size, tape->file) == size;
}

static bool get(struct tape *tape, void *data, size_t size)
{
    bool ok = fread(data, 1, size, tape->file) == size;
    tape->hash = ok ? hash_bytes(tape->hash, data, size) : 0;
    return ok;
}

bool checkpoint_due(struct checkpoint *checkpoint, const struct team *team)
{
    double now = clock_seconds();
    int due = 0;
    if (checkpoint->last <= 0) {
        checkpoint->last = now;
    }
    if (team->rank == 0 && checkpoint->seconds > 0) {
        due = now - checkpoint->last >= checkpoint->seconds;
    }
    team_broadcast(team, &due, sizeof due);
    return due != 0;
}

static struct header header_of(const struct checkpoint_state *state, const struct spread *spread,
                               int count)
{
    struct header header;
    memset(&header, 0, sizeof header); /* what lies between the members, too */
    memcpy(header.magic, MAGIC, sizeof header.magic);
    header.probe = PROBE;
    header.key = state->key;
    header.n = spread->n;
    header.count = count;
    header.log_bytes = state->log_bytes;
    memcpy(&header.point, &state->point, sizeof header.point);
    return header;
}

/* Collective: all ranks' parts of vector k, x being the first, in whole[n]. */
static void gather(struct spread *spread, const double *x, const double *workspace, int k,
                   double *whole)
{
    size_t own = spread_count(spread);
    const double *from = k == 0 ? x : workspace + (size_t)(k - 1) * own;
    memcpy(whole + spread_first(spread), from, own * sizeof *whole);
    spread_gather(spread, whole);
}

static bool put_all(struct tape *tape, const struct checkpoint_state *state, struct spread *spread,
                    const double *x, const double *workspace, int count, double *whole)
{
    struct header header = header_of(state, spread, count);
    bool first = spread->team->rank == 0;
    bool ok = !first || (put(tape, &header, sizeof header) &&
                         put(tape, state->log, (size_t)state->log_bytes));
    for (int k = 0; k < count; k++) {
        gather(spread, x, workspace, k, whole);
        ok = ok && (!first || put(tape, whole, spread->n * sizeof *whole));
    }
    uint64_t hash = tape->hash;
    return ok && (!first || put(tape, &hash, sizeof hash));
}

bool checkpoint_save(struct checkpoint *checkpoint, const struct checkpoint_state *state,
                     struct spread *spread, const double *x, const double *workspace, int count,
                     struct err *err)
{
    char temporary[FILE_PATH] = "";
    bool first = spread->team->rank == 0;
    struct tape tape = {.hash = HASH_START};
    double *whole = malloc(spread->n * sizeof *whole);
    if (first && file_temporary(temporary, checkpoint->path, err)) {
        tape.file = fopen(temporary, "wb");
    }
    bool ok = team_agree(spread->team, whole != NULL && (!first || tape.file != NULL)) &&
              whole != NULL && put_all(&tape, state, spread, x, workspace, count, whole);
    if (tape.file != NULL) {
        ok = fclose(tape.file) == 0 && ok;
        if (ok) {
            ok = file_commit(temporary, checkpoint->path, err);
        } else {
            remove(temporary);
        }
    }
    free(whole);
    checkpoint->last = clock_seconds();
    return team_agree(spread->team, ok) ||
           err_set(err, ERR_FAILED, "%s: the state of the fit cannot be written", checkpoint->path);
}

/* Rank 0: whether the file is of this fit, and whole. Leaves it behind the header. */
static bool check_file(struct tape *tape, const struct checkpoint_state *state,
                       const struct spread *spread, int count, struct header *header)
{
    struct header wanted = header_of(state, spread, count);
    char buffer[1 << 12];
    uint64_t hash;
    if (!get(tape, header, sizeof *header) || memcmp(header->magic, MAGIC, sizeof MAGIC) != 0 ||
        header->probe != wanted.probe || header->key != wanted.key || header->n != wanted.n ||
        header->count != wanted.count || header->log_bytes != wanted.log_bytes) {
        return false;
    }
    for (uint64_t left = (uint64_t)header->log_bytes + header->n * 8 * (uint64_t)count; left > 0;) {
        size_t size = left < sizeof buffer ? (size_t)left : sizeof buffer;
        if (!get(tape, buffer, size)) {
            return false;
        }
        left -= size;
    }
    uint64_t expected = tape->hash;
    return fread(&hash, 1, sizeof hash, tape->file) == sizeof hash && hash == expected &&
           fseek(tape->file, (long)sizeof *header, SEEK_SET) == 0;
}

/* Collective: rank 0's vectors to everybody's part. */
static bool get_vectors(struct tape *tape, struct spread *spread, double *x, double *workspace,
                        int count, double *whole)
{
    size_t own = spread_count(spread);
    bool ok = true;
    for (int k = 0; k < count; k++) {
        double *to = k == 0 ? x : workspace + (size_t)(k - 1) * own;
        if (spread->team->rank == 0) {
            ok = get(tape, whole, spread->n * sizeof *whole) && ok;
        }
        team_broadcast(spread->team, whole, spread->n * sizeof *whole);
        memcpy(to, whole + spread_first(spread), own * sizeof *whole);
    }
    return ok;
}

bool checkpoint_load(const struct checkpoint *checkpoint, struct checkpoint_state *state,
                     struct spread *spread, double *x, double *workspace, int count, bool *found,
                     struct err *err)
{
    const struct team *team = spread->team;
    struct tape tape = {.hash = HASH_START};
    struct header header = {0};
    double *whole = malloc(spread->n * sizeof *whole);
    *found = false;
    if (!team_agree(team, whole != NULL) || whole == NULL) {
        free(whole);
        return err_set(err, ERR_FAILED, "out of memory for the state of the fit");
    }
    if (team->rank == 0) {
        tape.file = fopen(checkpoint->path, "rb");
        *found = tape.file != NULL && check_file(&tape, state, spread, count, &header) &&
                 get(&tape, state->log, (size_t)state->log_bytes);
    }
    team_broadcast(team, found, sizeof *found);
    if (*found) {
        team_broadcast(team, &header, sizeof header);
        team_broadcast(team, state->log, (size_t)state->log_bytes);
        state->point = header.point;
        *found = team_agree(team, get_vectors(&tape, spread, x, workspace, count, whole));
    }
    if (tape.file != NULL) {
        fclose(tape.file);
    }
    free(whole);
    return true;
}
