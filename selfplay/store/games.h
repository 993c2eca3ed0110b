/* The finished games of one stage (rule set and generation) in a run directory, wherever they
 * stand:
 *
 *     journal/NAME.journal    in the order of finishing
 *     games/NAME.records      in the order of their numbers; same format
 *
 * NAME is "RULES-gGENERATION". Games move from the first to the second; they are removed from the
 * first only when the second is durable: at every instant each finished game is in at least one of
 * the files, and one found twice is counted once. Used on rank 0 only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "selfplay/store/journal.h"

enum { GAMES_NAME = 64 };

struct games_entry {
    int64_t number;
    const uint8_t *data; /* encoded record, in one of the maps */
    uint32_t size;
    bool stored; /* stands in games/NAME.records */
};

struct games {
    char directory[FILE_PATH]; /* of the run */
    char name[GAMES_NAME];
    struct games_entry *entry; /* [count], by number, each number once; owned */
    int64_t count, capacity;
    struct journal_map *maps; /* [files]; owned */
    size_t files;
    int64_t torn;  /* files with bytes of no whole entry */
    int64_t twice; /* games that one file has twice, alike: they were played twice */
    int64_t
        records;    /* bytes of games/NAME.records up to the end of its last whole entry; 0: none */
    bool ascending; /* up to there it holds games by ascending number and nothing else */
};

/* Paths of a stage: "journal/NAME.journal", "games/NAME.records". Makes no file. */
bool games_journal_path(char out[FILE_PATH], const char *directory, const char *name,
                        struct err *err);
bool games_records_path(char out[FILE_PATH], const char *directory, const char *name,
                        struct err *err);

/* Finds the games of stage `name`: makes the directories `journal`, `games` and `shards`, removes
 * what a killed writer left unfinished. ERR_USAGE when a file was made with other
 * settings than `about`; ERR_FAILED when one game number has two different records. */
bool games_open(struct games *games, const char *directory, const char *name, const char *about,
                struct err *err);
void games_close(struct games *games);

/* Looks up the games of another directory, whose files are left as they are; no files, no games.
 * Errors as above. Ends with games_close. */
bool games_look(struct games *games, const char *directory, const char *name, const char *about,
                struct err *err);

/* Takes in the games of `other`, which has to stay open. Appended to *again (owned by the caller,
 * begins as NULL and 0) are the numbers that stood in both, ascending. ERR_FAILED when one of them
 * has two different records; *games may then hold games twice. */
bool games_add(struct games *games, const struct games *other, int64_t **again,
               int64_t *again_count, struct err *err);

/* The numbers in [first, end) that are not there, ascending, in *missing (owned by the caller);
 * returns how many, or -1 when memory is out. */
int64_t games_missing(const struct games *games, int64_t first, int64_t end, int64_t **missing);

/* Writes games/NAME.records anew, atomically, with entry[0..count). Journals are left. */
bool games_write(const struct games *games, int64_t count, const char *about, struct err *err);

/* Sees that games/NAME.records has all games, in order and whole, then removes the journals. */
bool games_merge(const struct games *games, const char *about, struct err *err);
