/* The openings of a match as the settings choose them: a file, or random ones. */
#pragma once

#include <stdbool.h>

#include "selfplay/opening.h"
#include "selfplay/opening_file.h"
#include "tuner/job.h"

/* Collective: reads the file of match.openings on rank 0, for everybody, into *file, shuffled by
 * run.seed and `stream`; the caller frees it with opening_file_fini. Without that setting *file is
 * zeroed (count 0). In the file's name the word RULES stands for the rule set. ERR_USAGE names file
 * and line. */
bool match_openings(struct job *job, const struct variant *variant, uint64_t stream,
                    struct opening_file *file, struct err *err);
