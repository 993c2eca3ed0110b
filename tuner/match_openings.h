/* The openings of a match as the settings choose them: a file, or random ones. */
#pragma once

#include <stdbool.h>

#include "selfplay/game/opening.h"
#include "selfplay/game/opening_file.h"
#include "selfplay/match/match_pair.h"
#include "tuner/job.h"

/* Which file, and under which key of the settings it is named. */
struct openings_setting {
    const char *key;  /* "match.openings", for faults */
    const char *file; /* "": none */
};

/* The random openings of section match: their plies, and the score they are kept within. */
struct opening_settings match_openings_random(const struct settings *settings);

/* Collective: reads the file on rank 0, for everybody, into *file, shuffled by run.seed and
 * `stream`; the caller frees it with opening_file_fini. Without one *file is zeroed (count 0). In
 * its name the word RULES stands for the rule set. ERR_USAGE names file and line. */
bool match_openings(struct job *job, const struct variant *variant,
                    const struct openings_setting *setting, uint64_t stream,
                    struct opening_file *file, struct err *err);

/* Says in the log, one line, when the pool wants more pairs than its file has openings, and what
 * happens then (match_pairs). */
void match_openings_warn(const struct job *job, const struct match_pool *pool,
                         const struct openings_setting *setting);
