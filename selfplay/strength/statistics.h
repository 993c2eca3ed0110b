/* What the games of a match between two players say about their difference in strength.
 *
 * Games come in pairs: one opening, played twice with colours swapped. The two games of a pair are
 * not independent (the opening may favour one side), the pairs are; so everything here rests on
 * the five possible scores of a pair and never on single games. All functions are pure. */
#pragma once

#include <stdint.h>

enum { PAIR_SCORES = 5 };

/* Scores of the first player in a match. The sum of `pairs` is half the sum of the games. */
struct pentanomial {
    int64_t pairs[PAIR_SCORES]; /* pairs that scored 0, 1/2, 1, 3/2, 2 points */
    int64_t wins, draws,
        losses; /* games; kept because a pair of one point may be two draws or not */
};

/* Mean score per game, 0 to 1, of the pairs counted in pairs[index]. */
double pair_score(int index);

/* Adds one finished pair. Each argument is what the first player scored in that game, in half
 * points: 0 a loss, 1 a draw, 2 a win; anything else is a broken invariant. */
void pentanomial_add(struct pentanomial *match, int first_game, int second_game);

/* A value and the half width of its 95 % interval: value - error to value + error. */
struct estimate {
    double value, error;
};

/* The first player against the second. Estimates that need a spread take it from the pairs played
 * plus half a pair lost and half a pair won (the correction of Gart, "Alternative analyses of
 * contingency tables", JRSS B 28, 1966, for empty cells): a handful of pairs, or any number of
 * equal ones, then never claims certainty, and after some hundred pairs nobody can tell.
 *
 * Every field is finite for every match:
 *   no pairs       score 1/2, Elo 0 +- 681, normalised Elo 0 +- 482, superiority 1/2, which is the
 *                  correction alone and stands for "nothing known";
 *   all points won (or lost) the Elo of a score half a step of a quarter point per pair short of
 *                  perfect, 1 - 1/(8 pairs): one pair 338 +- 556, fifty pairs 1040 +- 484. */
struct match_statistics {
    int64_t pairs;
    double score;        /* mean score per game, 0 to 1 */
    double variance;     /* of a pair's mean score per game, as seen: 0 for equal pairs */
    struct estimate elo; /* logistic: score = 1/(1 + 10^(-elo/400)); error by the delta method */
    struct estimate normalised_elo; /* (score - 1/2) / sqrt(2 variance) * 800/ln 10; the corrected
                                       moments where the variance seen is 0 */
    double superiority; /* likelihood that the first is the stronger: normal distribution
                           function of elo.value over its standard error, 0 to 1 */
};
struct match_statistics match_statistics(const struct pentanomial *match);

/* The logistic scale: the expected score of a player who is `elo` stronger, and back.
 * elo_from_score wants 0 < score < 1. */
double score_from_elo(double elo);
double elo_from_score(double score);

/* Half width of a 95 % interval, in standard errors. */
extern const double z95;
/* Elo per natural unit of log odds: 400 / ln 10. */
extern const double elo_per_logit;
