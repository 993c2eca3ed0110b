/* Where imported games go: shards under way, and what could not be taken. */
#pragma once

#include "engine/base/progress.h"
#include "selfplay/store/shard.h"
#include "tuner/import.h"
#include "tuner/job.h"

/* What has been taken of a rule set. */
struct import_store {
    struct shard_writer *writer;    /* of the shard under way; NULL: none. Owned */
    struct catalogue_shard *shards; /* [count]: those that are complete; owned */
    size_t count;
    struct catalogue_shard next;     /* the one under way */
    int64_t games, rows, results[3]; /* games that Black won, drawn, that White won */
};

struct importer {
    struct job *job;
    const struct import_request *request;
    const char *file; /* the one being read; not owned */
    struct import_store store[VARIANT_COUNT];
    int64_t games, left_out; /* taken; lines and games that could not be */
    struct progress progress;
};

/* Tells and counts what could not be taken. */
void import_fault(struct importer *importer, int line, const char *what);

/* Whether the run's settings have the rule set; else *err says that they have not. */
bool import_wants(const struct importer *importer, const struct variant *variant, struct err *err);

/* Takes a game: its rows are numbered. count may be 0: nothing is done. */
bool import_game(struct importer *importer, const struct variant *variant, struct shard_row *rows,
                 size_t count, struct err *err);

/* Completes the shard of a rule set that is under way; none: nothing is done. */
bool import_end_shard(struct importer *importer, const struct variant *variant, struct err *err);

/* Catalogues the completed shards of a rule set as its finished self-play. */
bool import_catalogue(struct importer *importer, const struct variant *variant, struct err *err);
