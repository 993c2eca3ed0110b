/* What a generation's games are made from, as the settings choose it: how they are played, the
 * weights, earlier weights, and listed openings. */
#pragma once

#include <stdbool.h>

#include "engine/base/err.h"
#include "selfplay/selfplay_game.h"
#include "tuner/job.h"

struct selfplay_material {
    struct selfplay_settings settings;
    struct selfplay_source source; /* points to what follows: the struct is not to be moved */
    struct weights weights, earlier[SELFPLAY_EARLIER_MAX]; /* owned */
    struct opening_file file;                              /* owned; count 0: random openings */
    struct rescore again;                                  /* owned; no games: they are played */
};

/* Collective. ERR_USAGE: an earlier generation is not tuned yet; a fault in the file of openings,
 * or it has fewer than there are games (selfplay.repeats allows that). The caller ends it with
 * selfplay_material_fini, which takes one that failed. */
bool selfplay_material_init(struct selfplay_material *material, struct job *job,
                            const struct variant *variant, int generation, struct err *err);
void selfplay_material_fini(struct selfplay_material *material);

/* How many sets of earlier weights the games of a generation are played with: the generations
 * before it, as far as selfplay.earlier_span reaches. */
int selfplay_earlier_count(const struct settings *settings, int generation);
