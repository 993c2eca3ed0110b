/* The stages of a generation, in their order, and the names they go by in the catalogue. What they
 * do is in stage_NAME.c, in what order they are done in pipeline.h. */
#pragma once

#include "engine/rules/variant.h"
#include "selfplay/store/catalogue.h"
#include "selfplay/strength/statistics.h"

enum stage { STAGE_SELFPLAY, STAGE_TUNE, STAGE_GATE, STAGE_MATCH, STAGE_CALIBRATE, STAGES };

/* "selfplay", "tune", "gate", "match", "calibrate". */
const char *stage_name(enum stage stage);

/* What the catalogue knows a stage by. */
struct stage_key stage_key_of(const struct variant *variant, int generation, enum stage stage);

/* Adds to a figure of a stage, so that one done in several goes has the sum of all. */
bool stage_add_figure(struct catalogue *catalogue, const struct stage_key *key, const char *name,
                      double value, struct err *err);

/* What the scores of a match say of its first player, in the score-logistic model. */
struct catalogue_rating stage_rating(const char *player, const struct pentanomial *scores);
