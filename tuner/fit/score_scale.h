/* How far scores tell the result: the scale K of P(White wins) = 1 / (1 + exp(-K * score / 100)),
 * score in hundredths of a man, from how often which score came to what. K is what a man is worth
 * in units of the logistic function. One count of all positions is enough, however often the loss
 * is then asked for. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "tuner/fit/logistic.h"

/* Scores beyond count as this much: hundredths of a man. */
enum { SCORE_SCALE_SPAN = 12000, SCORE_SCALE_BINS = 2 * SCORE_SCALE_SPAN + 1 };

/* Positions by their score; int64_t throughout, so that ranks can add them up as one array. */
struct score_counts {
    int64_t positions[SCORE_SCALE_BINS];
    int64_t targets[SCORE_SCALE_BINS]; /* their sum, in units of 2^-DATASET_TARGET_BITS */
};

/* The place of a score, from White's view, in the counts; and the score of a place. */
int score_bin(int score);
int score_of_bin(int bin);

/* K of least log loss, by bisection: the loss is convex in K. ERR_USAGE when it is not within
 * 1/1024 to 64, with what that means for `whose` scores they are ("the starting weights"). */
bool score_scale(const struct score_counts *counts, const struct logistic *logistic,
                 const char *whose, double *scale, struct err *err);
