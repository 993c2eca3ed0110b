/* RULES.h5, the one artefact of a rule set: weights, measured levels and provenance together,
 * because a level's Elo is true only for the weights it was measured with.
 *
 *     /                    attributes: format = 1, with patterns 2; rules = "classic"
 *     /weights/GROUP       int16 [2][count]: opening, ending, in hundredths of a man
 *     /weights/pattern     the same for the patterns (engine/eval/pattern.h), where there are any;
 *                          attributes: rows, columns, tops; id = weights_id
 *     /levels/...          number, name, elo, elo_error, games, nodes, depth, noise: one 1-D
 *                          dataset each, [levels]; attribute: model
 *     /provenance          attributes: text and numbers, see struct provenance
 *
 * The calls are not thread-safe (see engine/artefact/image.h). */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "engine/base/file.h"
#include "engine/rules/variant.h"
#include "engine/search/level.h"

enum {
    PROVENANCE_TEXT = 128,
    ARTEFACT_BYTES = 32 << 20, /* a larger file is refused; a real one has some ten thousand, with
                                  patterns millions */
};

struct provenance {
    char dataset_hash[PROVENANCE_TEXT]; /* of the records the weights were fitted to */
    int64_t games, positions;
    double loss_before, loss_after;      /* log loss a position on held-out games */
    double scale;                        /* K: P(win) = 1 / (1 + exp(-K * score / 100)) */
    char configuration[PROVENANCE_TEXT]; /* hash of config.ini as used */
    char software[PROVENANCE_TEXT];      /* version_line */
    char date[PROVENANCE_TEXT];          /* UTC, ISO 8601 */
};

struct artefact {
    const struct variant *variant;
    struct weights weights;
    struct level_set levels; /* count 0: not yet measured */
    struct provenance provenance;
};

/* Where a directory holds the artefact of a rule set: "DIRECTORY/classic.h5". */
bool artefact_path(char out[FILE_PATH], const char *directory, const struct variant *variant,
                   struct err *err);

/* Reads and checks a whole artefact of the named rule set, whose weights are then the caller's
 * (weights_fini). ERR_USAGE with the path: missing, not HDF5 or damaged, of another rule set (both
 * named), of a newer format, group missing or of another length, patterns of other windows.
 * ERR_FAILED: memory is out. */
bool artefact_read(const char *path, const struct variant *variant, struct artefact *out,
                   struct err *err);

/* The same of a file's bytes, which are copied. The error names no file. */
bool artefact_read_bytes(char *bytes, size_t size, const struct variant *variant,
                         struct artefact *out, struct err *err);

/* Replaces the file atomically. */
bool artefact_write(const char *path, const struct artefact *artefact, struct err *err);

/* An artefact of the built-in weights, no levels, empty provenance. */
void artefact_builtin(const struct variant *variant, struct artefact *out);
